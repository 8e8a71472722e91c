import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { describeRows } from '../../contracts/stores/erase.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { runIn } from '../../support/command-line.js';
import { waitForEnd, Workplace } from '../../support/process.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const HOUR = 3_600_000;

describe('commands that erase', () => {
  let world: World;
  /** Many stations with old rows, of which each test that ends a process uses a copy. */
  let filled: Workplace;
  before(async () => {
    filled = await Workplace.make();
    const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: filled.dataDir }));
    const ids = Array.from({ length: 12 }, (_, index) => `station-${index}`);
    const length = 24 * 600;
    for (const { station } of await stores.stations.put(ids.map((id) => ({ ...JFK, id })))) {
      await stores.observations.append({
        stations: new Uint32Array(length).fill(station.number),
        times: Float64Array.from({ length }, (_, row) => Date.UTC(2010, 0) + row * HOUR),
        values: new Map([[1, Float64Array.from({ length }, (_, row) => (row % 100) / 10)]]),
        flags: new Map(),
      });
    }
    await stores.merge?.(new AbortController().signal);
    await stores.close();
  });
  after(() => filled.remove());
  beforeEach(async () => {
    world = await World.make({ WEATHERD_RETENTION: '10y' });
    for (const id of ['JFK', 'LGA']) {
      await addStation(world, { id });
      await record(
        world,
        '2014-06-01T00:00:00Z',
        { air_temperature: [1, 2, 3], relative_humidity: [50, Number.NaN, 60] },
        id,
      );
    }
    await record(world, '2026-01-01T00:00:00Z', { air_temperature: [5] });
  });
  const rows = async () => (await describeRows(world.stores)).length;
  const run = (...argv: string[]) => runIn(world, argv);

  describe('weatherd retention', () => {
    it('shows what it would erase, and erases it', async () => {
      const { status, stdout } = await run('retention', '--dry-run');
      expect([status, stdout]).to.deep.equal([
        0,
        'STATION  ROWS  BEFORE\nJFK      3     2016-01-01\nLGA      3     2016-01-01\n' +
          '6 rows would be erased. Their daily aggregates would be kept.\n',
      ]);
      expect(await rows()).to.equal(7);
      const erased = await run('retention', '--yes', '--station', 'LGA');
      expect(erased.stdout).to.contain('LGA      3     2016-01-01').and.contain('Erased 3 rows.');
      expect(await rows()).to.equal(4);
      expect((await run('retention', '--yes', '--older-than', '1d')).stdout).to.contain('Erased 4 rows.');
      expect((await run('retention', '--yes')).stdout).to.contain('No observations are older');
      const written = await world.auditTrail();
      expect(written.filter((event) => event.startsWith('observations-expire'))).to.deep.equal([
        'observations-expire done LGA',
        'observations-expire done null',
      ]);
    });

    it('notes how long a station is kept', async () => {
      expect((await run('retention', '--keep', 'forever', '--station', 'JFK')).stdout).to.equal(
        'The retention period of JFK was set.\n',
      );
      await run('retention', '--keep', '400d', '--station', 'LGA');
      expect((await run('retention', '--show')).stdout).to.equal(
        'STATION  KEPT      SET FOR\nJFK      forever   station\nLGA      400 days  station\n',
      );
      expect((await run('retention', '--dry-run')).stdout).not.to.contain('JFK');
      await run('retention', '--keep', 'default', '--station', 'JFK');
      expect((await run('retention', '--dry-run')).stdout).to.contain('JFK ');
      expect((await run('retention', '--keep', '400d')).status).to.equal(2);
    });

    it('refuses what is unclear', async () => {
      expect((await run('retention')).status).to.equal(2);
      expect((await run('retention', '--dry-run', '--older-than', '5m')).stderr).to.contain('400d or 10y');
      expect((await run('retention', '--dry-run', '--station', 'x')).status).to.equal(1);
      world = await World.make();
      const { status, stderr } = await run('retention', '--dry-run');
      expect(status).to.equal(1);
      expect(stderr).to.contain('WEATHERD_RETENTION').and.contain('--older-than');
    });
  });

  describe('weatherd observations remove', () => {
    const range = ['--station', 'JFK', '--from', '2014-06-01T01:00:00Z', '--to', '2014-06-01T03:00:00Z'];

    it('counts first, and removes the values of a range', async () => {
      const dry = await run('observations', 'remove', ...range, '--dry-run');
      expect(dry.stdout).to.equal('3 values in 2 rows of JFK would be removed.\n');
      expect(await rows()).to.equal(7);
      const one = await run('observations', 'remove', ...range, '--variable', 'air_temperature', '--yes');
      expect(one.stdout).to.equal('Removed 2 values in 2 rows of JFK.\n');
      expect(await rows()).to.equal(6);
      const left = await run('observations', 'remove', ...range, '--yes');
      expect(left.stdout).to.equal('Removed 1 values in 1 rows of JFK.\n');
      const [event] = await world.stores.audit.list(1);
      const time = Date.UTC(2014, 5, 1, 2);
      expect(event).to.deep.include({
        action: 'observations-remove',
        actor: 'command line',
        subject: 'JFK',
        detail: { from: time, to: time, rows: 1 },
      });
    });

    it('takes dates as days of the station', async () => {
      const days = ['--station', 'LGA', '--from', '2014-05-31', '--to', '2014-06-01', '--yes'];
      expect((await run('observations', 'remove', ...days)).stdout).to.contain('5 values in 3 rows');
    });

    it('refuses what is unclear, and removes nothing', async () => {
      const refused: readonly (readonly [parameters: readonly string[], status: number])[] = [
        [[...range], 2],
        [['--station', 'JFK', '--from', '2014-06-01', '--yes'], 2],
        [['--station', 'JFK', '--from', 'x', '--to', '2014-06-02', '--yes'], 2],
        [['--station', 'JFK', '--from', '2014-06-03', '--to', '2014-06-02', '--yes'], 1],
        [[...range, '--variable', 'air_temp', '--yes'], 1],
        [['--station', 'x', ...range.slice(2), '--yes'], 1],
      ];
      for (const [parameters, status] of refused)
        expect((await run('observations', 'remove', ...parameters)).status, parameters.join(' ')).to.equal(
          status,
        );
      expect(await rows()).to.equal(7);
    });
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`leave whole days if they end by ${signal}, and go on when they are run again`, async () => {
      const place = await Workplace.make();
      try {
        await cp(filled.dataDir, place.dataDir, { recursive: true });
        const reader = new Sqlite(place.dataFile, { readonly: true });
        const chunks = reader.prepare<[], number>('SELECT count(*) FROM chunk').pluck();
        const before = chunks.get();
        const child = place.spawn(['retention', '--older-than', '100d', '--yes'], {
          WEATHERD_DATA_DIR: place.dataDir,
        });
        const ended = waitForEnd(child);
        // The rows are erased in a few commits, which follow each other within milliseconds.
        while (child.exitCode === null && chunks.get() === before) await sleep(1);
        reader.close();
        child.kill(signal);
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        await ended;
        expect((await place.run(['check'])).status).to.equal(0);
        const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: place.dataDir }));
        const stations = await stores.stations.list();
        expect(stations).to.have.length(12);
        const inventories = await stores.observations.inventory(stations.map(({ number }) => number));
        for (const [index, station] of stations.entries()) {
          const counted = { rows: 0, first: null as number | null };
          const query = { stations: [station.number], from: -Infinity, to: Infinity };
          for await (const batch of stores.observations.read(query)) {
            counted.first ??= batch.times[0] ?? null;
            counted.rows += batch.times.length;
          }
          expect(inventories[index]).to.deep.include({ count: counted.rows, first: counted.first });
          expect(counted.rows % 24).to.equal(0);
        }
        await stores.close();
        const again = await place.run(['retention', '--older-than', '100d', '--yes']);
        expect(again.status).to.equal(0);
        expect((await place.run(['retention', '--older-than', '100d', '--dry-run'])).stdout).to.contain(
          'No obs',
        );
      } finally {
        await place.remove();
      }
    });
  }
});
