import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { expect } from 'chai';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { ObservationReader } from '#adapters/store-sqlite/observations/observation-reader.js';
import { gatherRows, windowsOf } from '#adapters/packed-store/run-rows.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { putStations } from '../../support/sqlite-stations.js';

const START = Date.UTC(2000, 0, 1);
const STATION = 1; // The first number in a new file.
/** Rows of a write of an import. */
const ROWS = 8192;
const VARIABLES = 12;
const WRITES = 40;

/** Rows of the station every ten minutes. */
function batchOf(first: number, rows: number, valueOf: (row: number) => number): ObservationBatch {
  const column = Float64Array.from({ length: rows }, (_, row) => valueOf(first + row));
  return {
    stations: new Uint32Array(rows).fill(STATION),
    times: Float64Array.from({ length: rows }, (_, row) => START + (first + row) * 600_000),
    values: new Map(Array.from({ length: VARIABLES }, (_, variable) => [variable + 1, column])),
    flags: new Map(),
  };
}

describe('merging the rows of an import', () => {
  let folder: string;
  let database: Database;
  let operations: ReturnType<typeof observationOperations>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    ({ database } = new SqliteConnection(join(folder, 'weatherd.db')));
    operations = observationOperations(database);
    putStations(database, JFK);
  });
  afterEach(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  it('divides the time of long runs into windows, which have each row once', () => {
    const run = (id: number, batch: ObservationBatch) =>
      new Run(
        id,
        [0, id],
        encodeRun([0, id], [{ station: STATION, from: 0, inserted: batch.times.length }], batch),
      );
    // Two runs with common times, and a gap of years before the third.
    const runs = [
      run(
        1,
        batchOf(0, 5000, () => 1),
      ),
      run(
        2,
        batchOf(4000, 5000, () => 2),
      ),
      run(
        3,
        batchOf(300_001, 10, () => 3),
      ),
    ];
    const windows = [...windowsOf(runs, STATION)];
    expect(windows.every(([from, to]) => to - from <= 8 * MILLISECONDS.day)).to.equal(true);
    const parts = windows.map(([from, to]) => gatherRows(runs, STATION, from, to));
    const whole = gatherRows(runs, STATION);
    expect(parts.flatMap(({ times }) => [...times])).to.deep.equal([...whole.times]);
    expect(parts.flatMap(({ values }) => [...(values.get(1) ?? [])])).to.deep.equal([
      ...(whole.values.get(1) ?? []),
    ]);
    expect([...windowsOf(runs, STATION + 1)]).to.deep.equal([]);
  });

  it('stores the last value of each time', () => {
    const { writeObservations, mergeAllRuns } = operations;
    for (const [first, value] of [
      [0, 1],
      [8000, 2],
      [16_000, 3],
    ] as const) {
      writeObservations([{ batch: batchOf(first, ROWS, () => value) }]);
    }
    mergeAllRuns();
    const reader = new ObservationReader(database);
    const { series } = reader.read(STATION, START, Infinity, undefined, Infinity, reader.snapshot());
    expect(series.times.length).to.equal(16_000 + ROWS);
    expect(series.times.at(-1)).to.equal(START + (16_000 + ROWS - 1) * 600_000);
    const at = [0, 7999, 8000, 15_999, 16_000, 16_000 + ROWS - 1];
    expect(at.map((row) => series.values.get(5)?.[row])).to.deep.equal([1, 1, 2, 2, 3, 3]);
  });

  it('frees the memory of the runs', async () => {
    const { writeObservations, mergeAllRuns } = operations;
    const reader = new ObservationReader(database);
    // More than 32 MiB of packed rows, because these values cannot be packed as integers: fewer are left to V8.
    for (let write = 0; write < WRITES; write += 1)
      writeObservations([{ batch: batchOf(write * ROWS, ROWS, (row) => Math.sin(row)) }]);
    const runs = reader.snapshot().all.map((run) => new WeakRef(run));
    expect(runs).to.have.lengthOf(WRITES);
    mergeAllRuns();
    // A reference keeps its target until the current task has ended.
    await setImmediate();
    reader.snapshot();
    expect(runs.filter((run) => run.deref() !== undefined)).to.have.lengthOf(0);
  });
});
