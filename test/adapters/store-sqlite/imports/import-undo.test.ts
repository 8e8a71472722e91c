import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect } from 'chai';
import fc from 'fast-check';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { IMPORT_LOG } from '#adapters/store/imports/import-log-operations.js';
import { runOn } from '#adapters/store-sqlite/database/statements.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { ObservationReader } from '#adapters/store-sqlite/observations/observation-reader.js';
import { expireStates, NewestTable } from '#adapters/store-sqlite/observations/newest-table.js';
import { inventoryOf, StationStates } from '#adapters/packed-store/station-states.js';
import { type Series } from '#domain/weather/series.js';
import { JFK } from '../../../contracts/stores/station-store.js';
import { PlainRows } from '../../../support/plain-rows.js';
import { putStations } from '../../../support/sqlite-stations.js';

const START = Date.UTC(2024, 0, 1);
const HALF_HOUR = 1_800_000;
/** The first number in a new file. */
const STATION = 1;

/** Air and soil temperature: both have a step check, and no check compares them with each other. */
type SentRow = readonly [half: number, temperature: number | null, soil: number | null];

/** `into` and `undo` are slots of imports. */
type Action =
  | 'merge'
  | { readonly undo: number }
  | { readonly rows: readonly SentRow[]; readonly into: number | undefined };

function writeOf(rows: readonly SentRow[], importNumber: number | undefined) {
  const column = (index: 1 | 2) => Float64Array.from(rows, (row) => row[index] ?? Number.NaN);
  const batch = {
    stations: new Uint32Array(rows.length).fill(STATION),
    times: Float64Array.from(rows, ([half]) => START + half * HALF_HOUR),
    values: new Map([
      [1, column(1)],
      [17, column(2)],
    ]),
    flags: new Map<number, Uint8Array>(),
  };
  return [{ batch, ...(importNumber !== undefined && { importNumber }) }];
}

/** `half-hour variable: value flags` for each value. */
function cellsOf({ times, values, flags }: Series): string[] {
  return [...times].flatMap((time, row) =>
    [1, 17].flatMap((variable) => {
      const value = values.get(variable)?.[row] ?? Number.NaN;
      if (Number.isNaN(value)) return [];
      return [`${(time - START) / HALF_HOUR} ${variable}: ${value} ${flags.get(variable)?.[row] ?? 0}`];
    }),
  );
}

describe('undo in SQLite', () => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    ({ database } = new SqliteConnection(join(folder, 'weatherd.db')));
    // Thousands of commits, of which none must survive a power failure.
    database.pragma('synchronous = OFF');
  });
  afterEach(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  /** With a slice of no time, each transaction takes one entry of the journal. */
  const open = () => {
    const observations = observationOperations(database, -1);
    putStations(database, JFK);
    const { begin, beginUndo, find } = IMPORT_LOG;
    return {
      ...observations,
      beginImport: (key: string | undefined, file: string, time: number) =>
        runOn(database, begin.begin(key, file, time)),
      beginImportUndo: (number: number, time: number) => runOn(database, beginUndo.begin(number, time)),
      findImport: (number: number) => runOn(database, find.begin(number)),
    };
  };

  const degrees = fc.option(fc.integer({ min: -10, max: 45 }));
  const isFilled = ([, temperature, soil]: SentRow) => temperature !== null || soil !== null;
  /**
   * @param halves times of the rows, in half hours, are up to this number. With few times, many rows are written between others, and
   *   are compared with rows in chunks, rows in runs, and rows that an undo has changed
   * @param most number of rows of a write
   */
  const actionsOf = (halves: number, most: number): fc.Arbitrary<Action[]> => {
    const row = fc.tuple(fc.nat(halves), degrees, degrees);
    const write = fc.record({
      rows: fc
        .array(row, { minLength: 1, maxLength: most })
        .map((rows): SentRow[] => rows.filter(isFilled))
        .filter((rows) => rows.length > 0),
      into: fc.constantFrom(undefined, 1, 2, 3),
    });
    const action = fc.oneof(
      { weight: 4, arbitrary: write },
      { weight: 1, arbitrary: fc.constant('merge' as const) },
      { weight: 1, arbitrary: fc.record({ undo: fc.constantFrom(1, 2, 3) }) },
    );
    return fc.array(action, { minLength: 3, maxLength: 15 });
  };
  /** The last row is compared with the row before it, which is in a chunk, and not with the late row 0, which is in a run. */
  const lateAfterUndo: Action[] = [
    { rows: [[1, null, 0]], into: undefined },
    { rows: [[0, null, 0]], into: 3 },
    { undo: 3 },
    { rows: [[0, 0, 6]], into: undefined },
    { rows: [[3, null, 0]], into: undefined },
    { rows: [[2, null, 0]], into: undefined },
  ];

  it('leaves the same values, flags and totals as plain rows, after any actions', async () => {
    const sqlite = open();
    await fc.assert(
      fc.asyncProperty(fc.oneof(actionsOf(150, 12), actionsOf(12, 2)), async (actions) => {
        database.exec('DELETE FROM chunk; DELETE FROM run; DELETE FROM newest; DELETE FROM import_journal');
        // So that no state of an earlier round is used.
        database.transaction(() => expireStates(database))();
        const reference = new PlainRows([{ ...JFK, number: STATION }]);
        const { writeObservations, undoImport, mergeAllRuns, beginImport, beginImportUndo } = sqlite;
        const begin = () => beginImport(undefined, '', 0);
        const slots = new Map([1, 2, 3].map((slot) => [slot, begin()]));
        for (const one of actions) {
          if (one === 'merge') mergeAllRuns();
          else if ('undo' in one) {
            const number = slots.get(one.undo) as number;
            beginImportUndo(number, 0);
            while (!undoImport(number).isDone);
            expect(sqlite.findImport(number)?.undo?.counts).to.deep.equal(reference.undo(number));
            slots.set(one.undo, begin());
          } else {
            const number = one.into === undefined ? undefined : slots.get(one.into);
            let written = writeObservations(writeOf(one.rows, number));
            while (written.result === undefined) written = sqlite.continueWrite(written.number);
            await reference.write(writeOf(one.rows, number));
          }
          const reader = new ObservationReader(database);
          const runs = reader.snapshot();
          const { series } = reader.read(STATION, START, START + 1e9, undefined, Infinity, runs);
          expect(cellsOf(series)).to.deep.equal(cellsOf(reference.seriesOf(STATION)));
          const states = new StationStates(new NewestTable(database));
          const [inventory] = await reference.inventory([STATION]);
          expect(inventoryOf(states.of(STATION, runs))).to.deep.equal(inventory);
        }
      }),
      { numRuns: 60, examples: [[lateAfterUndo]] },
    );
  });

  it('takes one entry of the journal in each transaction if there is no time for more', () => {
    const { writeObservations, undoImport, beginImport, beginImportUndo, findImport } = open();
    const number = beginImport(undefined, 'rows.csv', 0);
    for (const half of [0, 1, 2]) writeObservations(writeOf([[half, 10, null]], number));
    beginImportUndo(number, 0);
    const steps = [1, 2, 3].map(() => {
      const { isDone } = undoImport(number);
      return [isDone, findImport(number)?.undo?.counts.removed];
    });
    expect(steps).to.deep.equal([
      [false, 1],
      [false, 2],
      [true, 3],
    ]);
  });

  it('goes on after an entry that is damaged, and counts its rows', () => {
    const { writeObservations, undoImport, beginImport, beginImportUndo, findImport } = open();
    const number = beginImport(undefined, 'rows.csv', 0);
    for (const half of [0, 1, 2]) writeObservations(writeOf([[half, 10, null]], number));
    database.exec('UPDATE import_journal SET data = zeroblob(length(data)) WHERE id = 2');
    beginImportUndo(number, 0);
    while (!undoImport(number).isDone);
    const record = findImport(number);
    expect(record?.bytes).to.equal(0);
    expect(record?.undo?.counts).to.deep.include({
      takenBack: { rows: 2, values: 2 },
      removed: 2,
      unreadable: 1,
    });
    const reader = new ObservationReader(database);
    const { series } = reader.read(STATION, START, START + 1e9, undefined, Infinity, reader.snapshot());
    expect(cellsOf(series)).to.deep.equal(['1 1: 10 0']);
  });

  it('of the only values of a variable finds the newest values of the others, however old', () => {
    const { writeObservations, undoImport, beginImport, beginImportUndo, mergeAllRuns } = open();
    const number = beginImport(undefined, 'rows.csv', 0);
    writeObservations(writeOf([[0, null, 5]], undefined));
    for (let day = 1; day < 40; day += 1) writeObservations(writeOf([[day * 48, 10, null]], undefined));
    mergeAllRuns();
    writeObservations(writeOf([[40 * 48, 12, 7]], number));
    beginImportUndo(number, 0);
    undoImport(number);
    const { state } = new StationStates(new NewestTable(database)).of(
      STATION,
      new ObservationReader(database).snapshot(),
    );
    const newest = [...state.describe(STATION, 0).values].map(([variable, { time, value }]) => {
      return `${variable}: ${value} ${(time - START) / HALF_HOUR}`;
    });
    expect(newest).to.deep.equal([`1: 10 ${39 * 48}`, '17: 5 0']);
  });
});
