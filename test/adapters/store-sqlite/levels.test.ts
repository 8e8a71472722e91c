import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import type { BlockRun } from '#adapters/store-sqlite/levels/block-run.js';
import { FAN, shouldMergeIntoChunks, target } from '#adapters/store-sqlite/levels/run-levels.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { ObservationReader } from '#adapters/store-sqlite/observations/observation-reader.js';
import { NewestTable } from '#adapters/store-sqlite/observations/newest-table.js';
import { inventoryOf, StationStates } from '#adapters/packed-store/station-states.js';
import type { ObservationBatch, Series } from '#domain/weather/series.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { PlainRows } from '../../support/plain-rows.js';
import { putStations } from '../../support/sqlite-stations.js';

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

describe('levels of runs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (fields: Partial<BlockRun>): BlockRun => {
    return {
      id: 1,
      block: 0,
      level: 1,
      through: 1,
      since: 0,
      rows: 1,
      stations: 1,
      first: 0,
      last: 0,
      ...fields,
    };
  };

  it('are few for each block, and each has only rows that are older than those of the level below', () => {
    let stored: BlockRun[] = [];
    for (let id = 1; id <= 1000; id += 1) {
      const { level, inputs } = target(stored);
      const kept = stored.filter((one) => !inputs.includes(one));
      // The result is newer than the runs of its level and of higher ones, and no run of a lower level is left.
      expect(Math.min(Infinity, ...kept.map((one) => one.level))).to.be.at.least(level);
      expect(kept.filter((one) => one.level === level)).to.have.length.at.most(FAN - 2);
      stored = [...kept, run({ id, level })];
    }
    expect(stored.length).to.be.at.most(25);
  });

  it('are merged into chunks when a station has enough rows on average, or a row is a day old', () => {
    const stored = [
      run({ rows: 5000, stations: 60, since: 1000 }),
      run({ rows: 5000, stations: 64, since: 2000 }),
    ];
    expect(shouldMergeIntoChunks(stored, { rows: 64, stations: 64 }, 1000)).to.equal(false);
    expect(shouldMergeIntoChunks(stored, { rows: 2400, stations: 64 }, 1000)).to.equal(true);
    expect(shouldMergeIntoChunks(stored, { rows: 64, stations: 64 }, 1000 + 86_399_999)).to.equal(false);
    expect(shouldMergeIntoChunks(stored, { rows: 64, stations: 64 }, 1000 + 86_400_000)).to.equal(true);
    expect(shouldMergeIntoChunks([], { rows: 192, stations: 1 }, 0)).to.equal(true);
  });

  it('wait for more rows if the rows are spread over years, because each chunk would get few of them', () => {
    const year = 365 * 86_400_000;
    for (const [years, enough] of [
      [0, 192],
      [1, 192],
      // 9 rows for each of 45.6 chunks of 64 days
      [8, 411],
      [10, 512],
      [100, 512],
    ] as const) {
      const stored = [run({ rows: 64, stations: 64 }), run({ rows: 0, stations: 64, last: years * year })];
      const isEnough = (rows: number) => shouldMergeIntoChunks(stored, { rows: 64 * rows, stations: 64 }, 0);
      expect([isEnough(enough - 2), isEnough(enough)], `${years} years`).to.deep.equal([false, true]);
    }
  });

  it('give the rows, flags and totals of a store without runs, whatever is merged or interrupted meanwhile', async () => {
    const row = fc.record({
      station: fc.nat(3),
      minute: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5000 })),
      temperature: fc.constantFrom(10, 10.5, 14, 40),
    });
    const write = fc.array(row, { minLength: 1, maxLength: 12 });
    const merge = fc.constantFrom('due' as const, 'all' as const, 64, 'interrupt' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(write, merge, merge), { minLength: 1, maxLength: 40 }),
        async (steps) => {
          const place = await mkdtemp(join(folder, 'x'));
          const { database } = new SqliteConnection(join(place, 'weatherd.db'));
          // Each merge does one station or block.
          const operations = observationOperations(database, undefined, -1);
          // The last two stations are in another block.
          for (let made = 1; made <= 65; made += 1) putStations(database, { ...JFK, id: `s${made}` });
          const numbers = [1, 2, 64, 65];
          const reference = new PlainRows(numbers.map((number) => ({ ...JFK, id: `s${number}`, number })));
          for (const step of steps) {
            if (step === 'interrupt') {
              // A refused write is rolled back, and the merge begins again. It must change a row: no row has this value.
              const batch = batchOf([{ station: 0, minute: 0, temperature: 12 }], numbers);
              expect(operations.writeObservations([{ batch, importNumber: 4711 }]).isClosed).to.equal(true);
            } else if (Array.isArray(step)) {
              const { result } = operations.writeObservations([{ batch: batchOf(step, numbers) }]);
              const expected = await reference.write([{ batch: batchOf(step, numbers) }]);
              expect(result?.outcomes).to.deep.equal(expected.outcomes);
            } else operations.mergeRuns(step);
          }
          const compare = async () => {
            const reader = new ObservationReader(database);
            const states = new StationStates(new NewestTable(database));
            for (const number of numbers) {
              const runs = reader.snapshot();
              const { series } = reader.read(number, 0, Infinity, undefined, Infinity, runs);
              expect(rowsOf(series)).to.deep.equal(rowsOf(reference.seriesOf(number)));
              const [inventory] = await reference.inventory([number]);
              expect(inventoryOf(states.of(number, runs))).to.deep.equal(inventory);
            }
          };
          await compare();
          operations.mergeAllRuns(1);
          await compare();
          operations.mergeAllRuns();
          await compare();
          const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
          expect([count('run'), count('block_run')]).to.deep.equal([0, 0]);
          database.close();
          await rm(place, { recursive: true });
        },
      ),
      { numRuns: 30, examples: [[[[{ station: 0, minute: 0, temperature: 10 }], 'interrupt', 'due']]] },
    );
  });
});

interface Row {
  readonly station: number;
  readonly minute: number;
  readonly temperature: number;
}

function batchOf(rows: readonly Row[], numbers: readonly number[]): ObservationBatch {
  return {
    stations: Uint32Array.from(rows, ({ station }) => numbers[station] as number),
    times: Float64Array.from(rows, ({ minute }) => START + minute * MINUTE),
    values: new Map([[1, Float64Array.from(rows, ({ temperature }) => temperature)]]),
    flags: new Map(),
  };
}

function rowsOf({ times, values, flags }: Series): string[] {
  const [column, flag] = [values.get(1), flags.get(1)];
  return Array.from(times, (time, row) => `${(time - START) / MINUTE} ${column?.[row]} ${flag?.[row] ?? 0}`);
}
