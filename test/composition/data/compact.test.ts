import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { assertSpace } from '#adapters/store-sqlite/database/vacuum.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually, killWhen, Workplace } from '../../support/process.js';

const ROWS = 60_000;

describe('weatherd compact', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData();
  });
  afterEach(() => place.remove());

  /** Two stations with rows that no codec makes small, of which `gone` is removed for good, with its rows still there. */
  const fill = async (first: Workplace, rows = ROWS) => {
    await first.makeData();
    const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: first.dataDir }));
    const made = await stores.stations.put(['kept', 'gone'].map((id) => ({ ...JFK, id })));
    for (const { station } of made) {
      for (let from = 0; from < rows; from += 10_000) {
        await stores.observations.append({
          stations: new Uint32Array(10_000).fill(station.number),
          times: Float64Array.from({ length: 10_000 }, (_, row) => 1_700_000_000_000 + (from + row) * 60_000),
          values: new Map([[1, Float64Array.from({ length: 10_000 }, (_, row) => Math.sin(from + row))]]),
          flags: new Map(),
        });
      }
    }
    await stores.stations.remove('gone');
    await stores.close();
  };
  const size = async (name = place.dataFile) => (await stat(name).catch(() => ({ size: 0 }))).size;
  const exported = async () => (await place.run(['export', '--station', 'kept'])).stdout;

  it('gives free space back, and keeps everything else', async () => {
    await place.copyData('a removed station', fill);
    const [before, rows] = [await size(), await exported()];
    const { status, stdout, stderr } = await place.run(['compact']);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^Compacted \S+weatherd\.db: it had \d+\.\d MB and has \d+\.\d MB\.\n$/);
    expect(await size()).to.be.below(before * 0.7);
    expect((await stat(place.dataFile)).mode & 0o777).to.equal(0o600);
    expect(await exported()).to.equal(rows);
    const database = new Sqlite(place.dataFile);
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect([count('run'), count('erased_station')]).to.deep.equal([0, 0]);
    database.close();
    const again = await place.run(['compact']);
    expect([again.status, again.stdout]).to.deep.equal([
      0,
      `Merged all commits. ${place.dataFile} has no free space.\n`,
    ]);
    expect((await place.run(['check'])).status).to.equal(0);
  });

  it('merges while the service runs, and says that it has to be stopped for the rest', async () => {
    await place.copyData('a removed station', fill);
    const before = await size();
    const served = await place.serve({ WEATHERD_DATA_DIR: place.dataDir });
    const { status, stdout, stderr } = await place.run(['compact']);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/Merged all commits\. \d+\.\d MB of \d+\.\d MB in .* are free\..*stop the service/);
    expect((await fetch(`${served.internal}/v1/health/liveliness`)).status).to.equal(200);
    served.child.kill();
    await served.ended;
    expect((await place.run(['compact'])).status).to.equal(0);
    expect(await size()).to.be.below(before);
  });

  it('leaves the file as it was or compacts it when it is killed', async () => {
    const settings = { WEATHERD_DATA_DIR: place.dataDir };
    const written = () => statSync(`${place.dataFile}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    for (const bytes of [1, 200_000]) {
      let rows = '';
      const begin = async () => {
        await place.copyData('a removed station, large', (first) => fill(first, 200_000));
        rows = await exported();
        const killed = killWhen(place.spawn(['compact'], settings), () => written() >= bytes);
        return killed.then(
          () => true,
          () => false,
        );
      };
      // It can end before a check sees it write, if other programs use the processors.
      await eventually(begin, Boolean);
      expect((await place.run(['check'])).status).to.equal(0);
      expect(await exported()).to.equal(rows);
      expect((await place.run(['compact'])).status).to.equal(0);
      expect(await exported()).to.equal(rows);
    }
  });

  it('refuses what it cannot compact', async () => {
    const url = await (await postgresServer()).newDatabase();
    for (const [database, message] of [
      [url, 'VACUUM (FULL)'],
      [`sqlite:${join(place.folder, 'none.db')}`, 'none.db does not exist.'],
    ] as const) {
      const refused = await place.run(['compact'], '', { WEATHERD_DATABASE_URL: database });
      expect([refused.status, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.contain(message);
    }
  });

  it('refuses to begin without the disk space', async () => {
    const space = { size: 5e6, free: 1e6, needed: 4e6 };
    const attempt = (free: number | undefined) =>
      assertSpace(place.dataFile, space, async () => free).catch((error: unknown) => error);
    expect(await attempt(8e6)).to.equal(undefined);
    expect(await attempt(undefined)).to.equal(undefined);
    expect(await attempt(7.9e6))
      .to.have.property('message')
      .that.contains('needs 8.0 MB of free disk space')
      .and.contains('which has 7.9 MB');
  });
});
