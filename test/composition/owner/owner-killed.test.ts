import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { expect } from 'chai';
import type { Service } from '#composition/service.js';
import { EventClient } from '../../support/event-client.js';
import { eventually, killWhen, Workplace } from '../../support/process.js';
import { STATION } from '../../support/weather-world.js';

/** 2024-01-01T00:00:00Z in seconds. */
const START = 1_704_067_200;
const ROWS = 50_000;
const ROUNDS = 6;
/** What ends in the middle of the import: a process of its own. The other side runs in the process of the test. */
const VICTIMS = ['service', 'command', 'service in order'] as const;

describe('an import through the service, of which either ends at any moment', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.make();
  });
  after(() => place.remove());

  const file = () => join(place.folder, 'rows.csv');
  const importing = (more: readonly string[] = []) => [
    'import',
    file(),
    '--station',
    'JFK',
    '--time-format',
    'unix',
    ...more,
  ];

  const writeRows = () => {
    const lines = Array.from({ length: ROWS }, (_, row) => `${START + row * 60},${(row % 300) / 10}\n`);
    writeFileSync(file(), `time,air_temperature\n${lines.join('')}`);
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const victim = VICTIMS[round % VICTIMS.length] as (typeof VICTIMS)[number];
    const isServedAgain = round % 2 === 0;

    it(`round ${round + 1}: the ${victim}, then ${isServedAgain ? 'with' : 'without'} a service`, async () => {
      const dataDir = join(place.folder, `data-${round}`);
      const settings = { WEATHERD_DATA_DIR: dataDir };
      await place.makeData(settings, [STATION]);
      const run = (...argv: string[]) => place.run(argv, '', settings);
      writeRows();
      const reader = new Sqlite(join(dataDir, 'weatherd.db'), { readonly: true });
      const begun = reader.prepare<[], number>('SELECT max(rows) FROM file_import').pluck();
      const atRow = Math.floor(Math.random() * ROWS * 0.7);
      const isReached = () => (begun.get() ?? 0) > atRow;
      let service: Service | undefined;
      if (victim === 'command') {
        service = await place.serveHere(settings);
        const client = await EventClient.open(service.externalUrl);
        const child = place.spawn(importing(), settings);
        await killWhen(child, isReached);
        // What the command could not announce is found by reading again.
        await client.until(() => client.dataOf('reset').length > 0);
        expect(client.dataOf('reset')).to.deep.equal([{ reason: 'missed' }]);
        client.close();
      } else {
        const served = await place.serve(settings);
        const client = await EventClient.open(served.external);
        const importRun = run(...importing());
        if (victim === 'service') await killWhen(served.child, isReached);
        else {
          await eventually(async () => isReached(), Boolean);
          served.child.kill('SIGTERM');
          expect((await served.ended).status).to.equal(0);
        }
        const { status, stderr } = await importRun;
        expect([status, stderr]).to.satisfy(([code, told]: [number, string]) =>
          code === 1
            ? told.includes('the service that writes the data has ended. Run the command again.')
            : code === 0,
        );
        client.close();
      }
      reader.close();
      if (isServedAgain) service ??= await place.serveHere(settings);
      else expect(await service?.stop()).not.to.equal(false);

      const again = await run(...importing());
      expect(again.status, again.stderr).to.equal(0);
      const count = async () =>
        Number(/^observations +(\d+)$/m.exec((await run('station', 'show', 'JFK')).stdout)?.[1]);
      expect(await count(), `killed at row ${atRow}`).to.equal(ROWS);
      const exported = (await run('export', '--station', 'JFK')).stdout.trim().split('\n');
      expect(exported).to.have.length(ROWS + 1);
      expect(new Set(exported).size).to.equal(ROWS + 1);
      expect((await run('check')).status).to.equal(0);
      const all = (await run('imports')).stdout.match(/^\d+(?= )/gm) ?? [];
      for (const number of all) expect((await run('import', '--undo', number)).status).to.equal(0);
      expect(await count()).to.be.oneOf([0, Number.NaN]);
      if (isServedAgain) expect(await service?.stop()).to.equal(true);
    });
  }

  it('ends the wait for final flags with the service, and waits for them when the command is repeated', async () => {
    const settings = { WEATHERD_DATA_DIR: join(place.folder, 'data-wait') };
    await place.makeData(settings, [STATION]);
    writeRows();
    const served = await place.serve(settings);
    const importRun = place.run(importing(['--wait']), '', settings);
    const reader = new Sqlite(join(place.folder, 'data-wait', 'weatherd.db'), { readonly: true });
    const endedAt = reader.prepare<[], number | null>('SELECT max(ended_at) FROM file_import').pluck();
    // The service begins to check the rows three seconds after the last row.
    await killWhen(served.child, () => typeof endedAt.get() === 'number');
    reader.close();
    const { status, stderr } = await importRun;
    expect(status, stderr).to.equal(1);
    expect(stderr).to.contain('the service that writes the data has ended. Run the command again.');
    const again = await place.run(importing(['--wait']), '', settings);
    expect([again.status, again.stdout.endsWith('their flags are final.\n')], again.stderr).to.deep.equal([
      0,
      true,
    ]);
    expect((await place.run(['imports'], '', settings)).stdout).to.match(/ 100 % /);
  });
});
