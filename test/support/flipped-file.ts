import { transferableSymbol, valueSymbol } from 'piscina';
import { openStored } from '#adapters/store-sqlite/daily-aggregates/sqlite-daily-aggregate-store.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { runOn } from '#adapters/store-sqlite/database/statements.js';
import { CHECKED_STATIONS } from '#adapters/store-sqlite/ledgers/station-names.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import {
  type ReadPage,
  readOperations,
  type SumsPage,
  type SumsRequest,
} from '#adapters/store-sqlite/observations/read-operations.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Series } from '#domain/weather/series.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';

/** The result of reading from a data file: a text, or the code of the error. */
export type Outcome = { readonly text: string } | { readonly refused: string };

const DAY = 86_400_000;

/**
 * An operation of a reading thread can return its value in a wrapper, which makes the thread transfer the memory of the value
 * instead of copying it. Here no thread runs, so this function takes the value out of the wrapper.
 */
export function received<T>(value: T): T {
  const wrapped = value as { readonly [valueSymbol]?: T; readonly [transferableSymbol]?: unknown };
  return (transferableSymbol in (value as object) ? wrapped[valueSymbol] : value) as T;
}

/** Converts numbers to text by their bytes, which is faster than writing decimal digits. */
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

/** The sums of the days of the stations from number 1 to `count`. */
function sumsOfAll(ask: (request: SumsRequest) => SumsPage, from: number, to: number, count: number): string {
  const days = Array.from({ length: (to - from) / DAY }, (_, day) => from + day * DAY);
  const stations = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    latitude: 40,
    longitude: 10,
    reportingInterval: 600,
    routines: [],
  }));
  const { sums } = ask({
    stations,
    bounds: Float64Array.from(days.flatMap((day) => [day, day + DAY])),
    variables: undefined,
    columns: undefined,
    includeAll: true,
    pageRows: 4096,
    limit: Infinity,
  });
  return [...sums].map(([variable, fields]) => `${variable}: ${fields.map(bitsOf).join()}`).join('\n');
}

/**
 * Opens a data file as the service does, and reads all data that replies contain. Each read has its own transaction, as in the
 * reading threads.
 *
 * @param start start of the first day with rows, in ms since 1970
 * @returns outcomes by the name of the read; only `open` if the file is refused
 */
export function readEverything(file: string, ids: readonly string[], start: number): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const record = <T>(name: string, read: () => T, describe: (found: T) => string): T | undefined => {
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
    connection = record(
      'open',
      () => new SqliteConnection(file),
      () => '',
    );
    const database = connection?.database;
    if (database === undefined) return outcomes;
    if (
      record(
        'write',
        () => observationOperations(database),
        () => '',
      ) === undefined
    )
      return outcomes;
    const reads = record(
      'prepare',
      () => readOperations(database),
      () => '',
    );
    if (reads === undefined) return outcomes;
    const { inTransaction } = reads;
    const readRows = (stations: readonly number[], from: number, to: number, limit: number): string => {
      const texts: string[] = [];
      let position: ReadPage['next'] = { stations, resumeAt: -Infinity };
      while (position !== null) {
        const request = { ...position, from, to, variables: undefined, limit, columns: undefined };
        const page: ReadPage = inTransaction(() => received(reads.observations(request)));
        texts.push(`${[...new Set(page.batch.stations)].join()}\n${textOf(page.batch)}`);
        position = page.next;
      }
      return texts.join('\n');
    };
    const listed = record(
      'stations',
      () => inTransaction(() => runOn(database, CHECKED_STATIONS.list.begin())),
      ({ length }) => String(length),
    );
    // The service does not read stations that are marked as damaged.
    for (const { id, number, damaged = [] } of listed ?? [])
      if (damaged.length === 0) record(`${id}: listed`, () => number, String);
    record(
      'all rows',
      () =>
        readRows(
          inTransaction(() => reads.stationNumbers()).sort((a, b) => a - b),
          -8.64e15,
          8.64e15,
          4096,
        ),
      String,
    );
    for (const [from, to] of [
      [start, start + 2 * DAY],
      [start + 5 * DAY, start + 30 * DAY],
    ] as const)
      record(
        `all sums ${(from - start) / DAY}`,
        () =>
          sumsOfAll((request) => inTransaction(() => received(reads.sums(request))), from, to, ids.length),
        String,
      );
    for (const id of ids) {
      const number = record(
        `${id}: station`,
        () => {
          const station = inTransaction(() => runOn(database, CHECKED_STATIONS.find.begin(id)));
          if (station !== undefined) assertReadable(station);
          return station?.number;
        },
        String,
      );
      if (number === undefined) continue;
      record(
        `${id}: newest`,
        () => {
          const { data, revisions, losses } = inTransaction(() => received(reads.states([number])));
          if (losses.size > 0) throw new Error('the state is hidden');
          return bitsOf(data) + bitsOf(revisions);
        },
        String,
      );
      record(
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
      // If `describe` returns no rows, the service reads the rows with another call.
      const rows = record(`${id}: short rows`, described, String);
      if (rows === 'no rows') outcomes.delete(`${id}: short rows`);
      for (const [from, to] of [
        [-8.64e15, 8.64e15],
        [start, start + DAY],
        [start + 5 * DAY, start + 30 * DAY],
        [start + 100 * DAY, start + 101 * DAY],
        [start + 400 * DAY, start + 500 * DAY],
      ] as const)
        record(`${id}: rows ${(from - start) / DAY}`, () => readRows([number], from, to, 500), String);
      record(
        `${id}: removed months`,
        () => inTransaction(() => reads.expiredMonths(number)),
        (range) => JSON.stringify(range) ?? 'none',
      );
      const tables = record(
        `${id}: tables`,
        () => inTransaction(() => received(reads.dailyAggregates([number], 'UTC', -8.64e15, 8.64e15))),
        () => '',
      );
      for (const table of tables ?? []) {
        const { start: month, isRemoved } = table;
        record(
          `${id}: table ${month}`,
          () => {
            const opened = openStored(table);
            // If the daily aggregates of a month cannot be opened, the service computes them again from the rows.
            if (opened === undefined) throw new Error('the table is computed again');
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
      // Closing a damaged file can fail too.
    }
  }
}
