import { expect } from 'chai';
import { runIn } from '../../../support/command-line.js';
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
      const hint = '"weatherd demo --remove" removes the stations of the demo.\n';
      expect(stdout).to.equal(`Created the station garden.\n${demo === undefined ? '' : hint}`);
    });
});
