import { expect } from 'chai';
import { Command } from 'commander';
import { addStationCommands } from '#adapters/cli/stations/station-commands.js';
import { ListStations } from '#application/stations/list-stations.js';
import { runIn } from '../../../support/command-line.js';
import { rejectionOf } from '../../../support/rejection.js';
import { STATION } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

describe('a station that is created beside the demo', () => {
  for (const demo of [undefined, 'measured', 'live'] as const)
    it(`tells how to remove the demo only if there is one: ${demo}`, async () => {
      const world = await World.make();
      const first = { ...STATION, id: 'first', ...(demo !== undefined && { demo }) };
      await world.stores.stations.put([first]);
      const place = ['--latitude', '52.1', '--longitude', '5.1', '--time-zone', 'Europe/Amsterdam'];
      const { status, stdout } = await runIn(world, ['station', 'add', 'garden', ...place]);
      expect(status).to.equal(0);
      const hint = '"node bin/weatherd.mjs demo --remove" removes the stations of the demo.\n';
      expect(stdout).to.equal(`Created the station garden.\n${demo === undefined ? '' : hint}`);
    });

  it('is not created if the stations, which the hint needs, cannot be read', async () => {
    const [done, printed]: [string[], string[]] = [[], []];
    const useCase = (made: unknown) => ({
      execute: () => {
        if (made === ListStations) return Promise.reject(new Error('too slow'));
        done.push('changed');
        return Promise.resolve();
      },
    });
    const program = new Command();
    addStationCommands(program, { print: (text: string) => printed.push(text) } as never, (work) =>
      work({ useCase } as never),
    );
    const place = ['--latitude', '52.1', '--longitude', '5.1', '--time-zone', 'Europe/Amsterdam'];
    const added = program.parseAsync(['station', 'add', 'garden', ...place], { from: 'user' });
    expect(await rejectionOf(added)).to.have.property('message', 'too slow');
    expect([done, printed]).to.deep.equal([[], []]);
  });
});
