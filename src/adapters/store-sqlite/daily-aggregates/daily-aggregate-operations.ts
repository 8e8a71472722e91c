import type { Database } from 'better-sqlite3';
import type { MonthRange, OutdatedAggregates } from '#application/ports/daily-aggregate-store.js';
import {
  RULES_OFFSET,
  rulesMark,
  VERSION_MARK,
  VERSION_OFFSET,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import type { DailyAggregatesBlob } from '#adapters/formats/packed/packed-days.js';
import { lastExpired } from '#adapters/store/daily-aggregates/keep-months.js';
import { runOn } from '../database/statements.js';
import { transferred } from '#adapters/formats/transferred.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import { joinedState, revisionOf } from '#adapters/packed-store/days/joined-states.js';
import type { StationStates } from '#adapters/packed-store/station-states.js';

/**
 * The number of expired months of a station, the start of the first and the end of the last, in ms since 1970. An expired month
 * is a month whose rows were removed because of their age.
 */
interface RemovedRange {
  readonly months: number;
  readonly first: number;
  readonly last: number;
}

/** The daily aggregates of a month. */
export interface StoredTable extends DailyAggregatesBlob {
  /** 1 if the rows of the month were removed because of their age, so that only the daily aggregates are left; otherwise 0. */
  readonly isRemoved: number;
}

/**
 * Reads the daily aggregates (stored sums of the days of a month) of all months within a range. The months of each station are
 * in the order of time.
 *
 * The number of the station in each returned row is the requested number, and is not read from the file. A damaged index may
 * return a row of another station. The checksum of such a row does not fit the requested number, so that the damage is
 * noticed.
 */
export function dailyAggregateReads(database: Database) {
  const select = database.prepare<[Record<string, unknown>], StoredTable>(
    `SELECT @station AS station, start, end, zone, data, 0 AS isRemoved FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to AND zone = @zone ORDER BY start`,
  );
  const selectWithExpired = database.prepare<[Record<string, unknown>], StoredTable>(
    `SELECT @station AS station, start, end, zone, data, 0 AS isRemoved FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to AND zone = @zone
     UNION ALL SELECT @station, month_start, month_end, zone, data, 1 FROM removed_month
     WHERE station = @station AND month_start >= @from AND month_end <= @to AND zone = @zone
     ORDER BY 2`,
  );
  const anyExpired = database
    .prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM removed_month) OR EXISTS (SELECT 1 FROM removed_range)')
    .pluck();
  const removed = database.prepare<[number], RemovedRange>(
    `SELECT count(*) AS months, coalesce(min(month_start), 0) AS first, coalesce(max(month_end), 0) AS last
     FROM removed_month WHERE station = ?`,
  );
  const noted = database.prepare<[number], RemovedRange>(
    'SELECT months, first, last FROM removed_range WHERE station = ?',
  );
  /**
   * Returns the range of the expired months of a station. The rows of these months were removed because of their age, and only
   * their daily aggregates are left. The table `removed_range` says how many expired months there must be. The function throws an
   * Error if some of them are missing, because without rows they cannot be computed again.
   */
  const removedRange = (station: number): MonthRange | undefined => {
    const { months, first, last } = removed.get(station) as RemovedRange;
    const expected = noted.get(station) ?? { months: 0, first: 0, last: 0 };
    if (months !== expected.months || first !== expected.first || last !== expected.last)
      throw new Error(
        'the data file is damaged: daily aggregates of expired months are missing; restore a backup',
      );
    return months === 0 ? undefined : { from: first, to: last };
  };
  const outdated = database.prepare<[Record<string, unknown>], OutdatedAggregates>(
    `SELECT station, count(*) AS count, min(start) AS "from", max(end) AS "to" FROM day_table
     WHERE substr(data, ${VERSION_OFFSET + 1}, 4) <> @version OR substr(data, ${RULES_OFFSET + 1}, 4) <> @rules
     GROUP BY station ORDER BY station`,
  );
  return {
    outdatedTables: (rules: number): OutdatedAggregates[] =>
      outdated.all({ version: VERSION_MARK, rules: rulesMark(rules) }),
    dailyAggregates: (stations: readonly number[], zone: string, from: number, to: number): StoredTable[] => {
      // Most services keep all rows. Then no station is asked for its expired months.
      const hasExpired = anyExpired.get() === 1;
      const tables = stations.flatMap((station) => {
        if (hasExpired) removedRange(station);
        return (hasExpired ? selectWithExpired : select).all({ station, zone, from, to });
      });
      // In a damaged file, the value may be of another type.
      const blobs = tables.map(({ data }) => data).filter((data) => Buffer.isBuffer(data));
      return transferred(
        tables,
        blobs.map(({ buffer }) => buffer),
      );
    },
    expiredMonths: removedRange,
  };
}

/** Writes and drops daily aggregates, within transactions of the caller. */
export class DailyAggregateTables {
  readonly #put;
  readonly #drop;
  readonly #last;
  readonly #database: Database;
  /**
   * End of the newest month for which any station has daily aggregates (stored sums of the days of the month). Undefined if it
   * has not been read in this transaction.
   */
  #end: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO day_table (station, start, end, zone, data) VALUES (?, ?, ?, ?, ?)',
    );
    this.#drop = database.prepare('DELETE FROM day_table WHERE station = ? AND start <= ? AND end >= ?');
    this.#last = database.prepare<[], number | null>('SELECT max(end) FROM day_table').pluck();
  }

  /** Stores daily aggregates. Months whose rows were removed because of their age are skipped. */
  put(station: number, tables: readonly DailyAggregatesBlob[]): void {
    const removed = runOn(this.#database, lastExpired(station));
    for (const { start, end, zone, data } of tables)
      if (end > removed) this.#put.run(station, start, end, zone, Buffer.from(data));
  }

  /**
   * Drops the daily aggregates of a station that contain rows from `first` to `last`. Usually there are none, because new rows
   * are later than all daily aggregates.
   *
   * If `first` is exactly the end of a month, the daily aggregates of this month are dropped too: an amount at this time, such as
   * rain, belongs to the month that ends.
   */
  drop(station: number, first: number, last: number): void {
    this.#end ??= this.#last.get() ?? -Infinity;
    if (first <= this.#end) this.#drop.run(station, last, first);
  }

  /**
   * Forgets the cached end of the newest month with daily aggregates (stored sums of the days of the month). Call it at the
   * beginning of a transaction, because another process may have written daily aggregates.
   */
  begin(): void {
    this.#end = undefined;
  }
}

/** The operations on daily aggregates in the writing thread. */
export function dailyAggregateOperations(
  database: Database,
  reader: ObservationReader,
  states: StationStates,
) {
  const tables = new DailyAggregateTables(database);
  const any = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM day_table)').pluck();
  return {
    hasDailyAggregates: (): boolean => any.get() === 1,
    /**
     * Stores daily aggregates, which are sums of the observations of a station. `revision` is the revision of the station (a
     * number that rises with each change) from which they were computed. If the revision has changed since then, the daily
     * aggregates are outdated, and nothing is stored.
     */
    putDailyAggregates: (station: number, revision: string, rows: readonly DailyAggregatesBlob[]): void => {
      database
        .transaction(() => {
          const runs = reader.snapshot();
          if (String(revisionOf(joinedState(states, station, runs))) === revision) tables.put(station, rows);
        })
        .immediate();
    },
  };
}
