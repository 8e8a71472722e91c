import type { Database } from 'better-sqlite3';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteDataVerifier } from '#adapters/store-sqlite/damage/sqlite-data-verifier.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { ObservationReader } from '#adapters/store-sqlite/observations/observation-reader.js';
import { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { putStations } from '../../support/sqlite-stations.js';
import { WATCH } from '../../support/verify-watch.js';

const HOUR = 3_600_000;
/** In two blocks. */
const STATIONS = 70;

describe('a data file on a faulty disk', () => {
  let folder: string;
  let file: string;
  let database: Database;
  let operations: ReturnType<typeof observationOperations>;
  /** Number of acknowledged steps. */
  let steps: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-faults-'));
    file = join(folder, 'weatherd.db');
    ({ database } = new SqliteConnection(file));
    operations = observationOperations(database);
    putStations(
      database,
      ...Array.from({ length: STATIONS }, (_, index) => ({ ...JFK, id: `s${index}`, limits: {} })),
    );
    steps = 0;
  });
  afterEach(async () => {
    if (database.open) database.close();
    await rm(folder, { recursive: true });
  });

  /** A row of every station, with values that take space. */
  const rowsOf = (step: number): ObservationBatch => {
    const stations = Uint32Array.from({ length: STATIONS }, (_, index) => index + 1);
    const column = (scale: number) => Float64Array.from(stations, (one) => Math.sin(one * scale + step));
    return {
      stations,
      times: new Float64Array(STATIONS).fill(step * HOUR),
      values: new Map([1, 2, 3, 4].map((variable) => [variable, column(variable)])),
      flags: new Map(),
    };
  };
  const write = (count: number) => {
    for (const until = steps + count; steps < until; steps += 1)
      operations.writeObservations([{ batch: rowsOf(steps) }]);
  };
  const failureOf = (work: () => void): string | undefined => {
    try {
      work();
      return undefined;
    } catch (error) {
      return String((error as { code?: unknown }).code);
    }
  };
  const counts = () => {
    const reader = new ObservationReader(database);
    const runs = reader.snapshot();
    const rows = (station: number) =>
      reader.read(station, 0, Infinity, undefined, Infinity, runs).series.times.length;
    return new Set(Array.from({ length: STATIONS }, (_, index) => rows(index + 1)));
  };
  const check = async () => {
    database.close();
    const checked = new SqliteDatabase(file);
    await checked.open();
    const { faults, damage, differences } = await new SqliteDataVerifier(checked).verify(WATCH);
    await checked.close();
    return { faults, damage, differences };
  };
  const CLEAN = { faults: [], damage: [], differences: [] };

  it('that is full refuses writes and merges, loses nothing acknowledged, and goes on when there is space', async () => {
    write(30);
    operations.mergeAllRuns();
    write(5);
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true }) as number}`);
    // Some pages may be free.
    let failure: string | undefined;
    for (let attempt = 0; attempt < 100 && failure === undefined; attempt += 1)
      failure = failureOf(() => write(1));
    expect(failure).to.equal('SQLITE_FULL');
    expect([...counts()]).to.deep.equal([steps]);
    expect(failureOf(() => operations.mergeAllRuns())).to.equal('SQLITE_FULL');
    expect(failureOf(() => operations.eraseObservations([{ station: 1, from: 0, to: HOUR }]))).to.equal(
      'SQLITE_FULL',
    );
    expect([...counts()]).to.deep.equal([steps]);
    database.pragma('max_page_count = 1000000');
    write(5);
    operations.mergeAllRuns();
    write(1);
    expect([...counts()]).to.deep.equal([steps]);
    expect(await check()).to.deep.equal(CLEAN);
  });

  it('that becomes read-only is still read, and is written again when it can be', async () => {
    write(10);
    database.pragma('query_only = 1');
    expect(failureOf(() => write(1))).to.equal('SQLITE_READONLY');
    expect(failureOf(() => operations.mergeAllRuns())).to.equal('SQLITE_READONLY');
    expect([...counts()]).to.deep.equal([10]);
    database.pragma('query_only = 0');
    write(1);
    operations.mergeAllRuns();
    expect([...counts()]).to.deep.equal([11]);
    expect(await check()).to.deep.equal(CLEAN);
  });

  it('with a damaged page says which rows are lost, and serves, writes and merges the others', async () => {
    write(48);
    operations.mergeAllRuns();
    database.pragma('wal_checkpoint(TRUNCATE)');
    const [page] = database
      .prepare<[], number>(
        "SELECT pageno FROM dbstat WHERE name = 'chunk' AND pagetype = 'leaf' ORDER BY path LIMIT 1",
      )
      .pluck()
      .all();
    const size = database.pragma('page_size', { simple: true }) as number;
    database.close();
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(size, 0x55), 0, size, ((page as number) - 1) * size);
    await handle.close();
    const damaged = new SqliteDatabase(file);
    await damaged.open();
    const never = 3_600_000;
    const store = new SqliteObservationStore(damaged, {
      interval: never,
      retry: never,
      maxRetry: never,
      stall: never,
    });
    const found = await new SqliteDataVerifier(damaged).verify(WATCH);
    expect(found.faults.join()).to.match(/page/i);
    expect(found.damage).to.deep.equal([]);
    const lost = found.differences.map(({ station, reason }) => `${station}: ${reason}`);
    expect(lost[0]).to.equal('s0: stored rows cannot be read: database disk image is malformed');
    const ids = new Set(found.differences.map(({ station }) => station));
    expect(ids.size).to.be.below(STATIONS / 2);
    const rows = async (station: number) => {
      let count = 0;
      for await (const { times } of store.read({ stations: [station], from: 0, to: 1e12 }))
        count += times.length;
      return count;
    };
    await domainErrorOf(rows(1), 'STORE_UNAVAILABLE');
    expect(await rows(STATIONS)).to.equal(48);
    // So many rows that they are worth a rewrite of chunks.
    for (let step = 48; step < 48 + 250; step += 1) await store.write([{ batch: rowsOf(step) }]);
    // The first merge finds the damaged page.
    for (let attempt = 0; attempt < 3; attempt += 1) await store.merge('due');
    expect(await store.checks.at(-1)?.check()).to.equal(undefined);
    expect(await rows(STATIONS)).to.equal(48 + 250);
    await store.write([{ batch: rowsOf(48 + 250) }]);
    await damaged.close();
    const { database: again } = new SqliteConnection(file);
    expect(again.prepare('SELECT count(*) FROM run').pluck().get()).to.equal(1);
    expect(again.prepare('SELECT DISTINCT block FROM block_run').pluck().all()).to.deep.equal([0]);
    again.close();
  });
});
