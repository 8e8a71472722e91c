import { transferableSymbol, valueSymbol } from 'piscina';
import { openDailyAggregates, openKept } from '#adapters/formats/packed/packed-days.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/connection.js';
import { runOn } from '#adapters/store-sqlite/database/statements.js';
import { NOTED_STATIONS } from '#adapters/store-sqlite/ledgers/station-names.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { type ReadPage, readOperations } from '#adapters/store-sqlite/observations/read-operations.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Series } from '#domain/weather/series.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';

/** A read of a data file: what it gives as text, or that it was refused. */
export type Outcome = { readonly text: string } | { readonly refused: string };

const DAY = 86_400_000;

/** A value that a reading thread transfers. */
function received<T>(value: T): T {
  const wrapped = value as { readonly [valueSymbol]?: T; readonly [transferableSymbol]?: unknown };
  return (transferableSymbol in (value as object) ? wrapped[valueSymbol] : value) as T;
}

/** The bits of numbers, which is quicker than their digits. */
const bitsOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

function textOf({ times, values, flags }: Series): string {
  const columns = [...values]
    .filter(([, column]) => !column.every(Number.isNaN))
    .sort(([a], [b]) => a - b)
    .map(([variable, column]) => `${variable}: ${bitsOf(column)}`);
  const flagged = [...flags]
    .filter(([, column]) => column.some((flag) => flag !== 0))
    .sort(([a], [b]) => a - b)
    .map(([variable, column]) => `${variable}! ${bitsOf(column)}`);
  return [`${times.length} rows`, bitsOf(times), ...columns, ...flagged].join('\n');
}

/**
 * Opens a data file as the service does, and reads everything that replies are made of, each read in a transaction of its own as in
 * the reading threads.
 *
 * @param start the first day with rows
 * @returns by the name of the read; `open` alone if the file is refused
 */
export function readEverything(file: string, ids: readonly string[], start: number): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const note = <T>(name: string, read: () => T, describe: (found: T) => string): T | undefined => {
    try {
      const found = read();
      outcomes.set(name, { text: describe(found) });
      return found;
    } catch (error) {
      const { name: kind, code = '' } = error as Error & { code?: string };
      outcomes.set(name, { refused: isDomainError(error) ? error.code : code || kind });
      return undefined;
    }
  };
  let connection: SqliteConnection | undefined;
  try {
    connection = note(
      'open',
      () => new SqliteConnection(file),
      () => '',
    );
    const database = connection?.database;
    if (database === undefined) return outcomes;
    if (
      note(
        'write',
        () => observationOperations(database),
        () => '',
      ) === undefined
    )
      return outcomes;
    const reads = note(
      'prepare',
      () => readOperations(database),
      () => '',
    );
    if (reads === undefined) return outcomes;
    const { inTransaction } = reads;
    const all = (stations: readonly number[], from: number, to: number, limit: number): string => {
      const texts: string[] = [];
      let place: ReadPage['next'] = { stations, resumeAt: -Infinity };
      while (place !== null) {
        const request = { ...place, from, to, variables: undefined, limit, columns: undefined };
        const page: ReadPage = inTransaction(() => received(reads.observations(request)));
        texts.push(`${[...new Set(page.batch.stations)].join()}\n${textOf(page.batch)}`);
        place = page.next;
      }
      return texts.join('\n');
    };
    const listed = note(
      'stations',
      () => inTransaction(() => runOn(database, NOTED_STATIONS.list.begin())),
      ({ length }) => String(length),
    );
    // Those that are marked as damaged are not read.
    for (const { id, number, damaged = [] } of listed ?? [])
      if (damaged.length === 0) note(`${id}: listed`, () => number, String);
    note(
      'all rows',
      () =>
        all(
          inTransaction(() => reads.stationNumbers()).sort((a, b) => a - b),
          -8.64e15,
          8.64e15,
          4096,
        ),
      String,
    );
    for (const id of ids) {
      const number = note(
        `${id}: station`,
        () => {
          const station = inTransaction(() => runOn(database, NOTED_STATIONS.find.begin(id)));
          if (station !== undefined) assertReadable(station);
          return station?.number;
        },
        String,
      );
      if (number === undefined) continue;
      note(
        `${id}: newest`,
        () => {
          const { data, revisions, losses } = inTransaction(() => received(reads.states([number])));
          if (losses.size > 0) throw new Error('the state is hidden');
          return bitsOf(data) + bitsOf(revisions);
        },
        String,
      );
      note(
        `${id}: inventory`,
        () => {
          const [inventory] = inTransaction(() => reads.inventory([number]));
          if (inventory?.damaged !== undefined) throw new Error('the inventory is marked');
          return JSON.stringify(inventory);
        },
        String,
      );
      const described = () => {
        const found = inTransaction(() =>
          received(
            reads.describe(id, { from: start, to: start + 3 * DAY, variables: undefined, maxRows: 1000 }),
          ),
        );
        return found?.rows === undefined ? 'no rows' : textOf(found.rows);
      };
      // Rows that are left out are read by another call.
      const rows = note(`${id}: short rows`, described, String);
      if (rows === 'no rows') outcomes.delete(`${id}: short rows`);
      for (const [from, to] of [
        [-8.64e15, 8.64e15],
        [start, start + DAY],
        [start + 5 * DAY, start + 30 * DAY],
        [start + 100 * DAY, start + 101 * DAY],
        [start + 400 * DAY, start + 500 * DAY],
      ] as const)
        note(`${id}: rows ${(from - start) / DAY}`, () => all([number], from, to, 500), String);
      note(
        `${id}: removed months`,
        () => inTransaction(() => reads.expiredMonths(number)),
        (range) => JSON.stringify(range) ?? 'none',
      );
      const tables = note(
        `${id}: tables`,
        () => inTransaction(() => reads.dailyAggregates([number], 'UTC', -8.64e15, 8.64e15)),
        () => '',
      );
      for (const table of tables ?? []) {
        const { start: month, isRemoved } = table;
        note(
          `${id}: table ${month}`,
          () => {
            const opened = (isRemoved === 1 ? openKept : openDailyAggregates)({
              ...table,
              data: Buffer.from(table.data),
            });
            // Other tables are made again from the rows.
            if (opened === undefined) throw new Error('the table is made again');
            return `${isRemoved} ${opened.days} ${opened.reportingInterval} ${table.data.toString('latin1')}`;
          },
          String,
        );
      }
    }
    return outcomes;
  } finally {
    try {
      connection?.database.close();
    } catch {
      // A damaged file may refuse that too.
    }
  }
}
