import type { Database } from 'better-sqlite3';
import type { MonthRange, OutdatedAggregates } from '#application/ports/daily-aggregate-store.js';
import {
  RULES_OFFSET,
  rulesMark,
  VERSION_MARK,
  VERSION_OFFSET,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import type { DailyAggregatesBlob } from '#adapters/formats/packed/packed-days.js';
import { lastRemoved } from '#adapters/store/daily-aggregates/expired-months.js';
import { runOn } from '../database/statements.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import type { StationStates } from '#adapters/packed-store/station-states.js';

/** A row of the table `removed_range`. */
interface RemovedRange {
  readonly months: number;
  readonly first: number;
  readonly last: number;
}

/** A table of days. */
export interface StoredTable extends DailyAggregatesBlob {
  /** 1 if the rows of the month were removed because of their age. */
  readonly isRemoved: number;
}

/**
 * Reads tables within a range, in the order of time for each station. They have the station that was asked for, and not the one of
 * a damaged index, so that the checksum of a table of another station is wrong.
 */
export function dailyAggregateReads(database: Database) {
  const select = database.prepare<[Record<string, unknown>], StoredTable>(
    `SELECT @station AS station, start, end, zone, data, 0 AS isRemoved FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to AND zone = @zone
     UNION ALL SELECT @station, month_start, month_end, zone, data, 1 FROM removed_month
     WHERE station = @station AND month_start >= @from AND month_end <= @to AND zone = @zone
     ORDER BY 2`,
  );
  const removed = database.prepare<[number], RemovedRange>(
    `SELECT count(*) AS months, coalesce(min(month_start), 0) AS first, coalesce(max(month_end), 0) AS last
     FROM removed_month WHERE station = ?`,
  );
  const noted = database.prepare<[number], RemovedRange>(
    'SELECT months, first, last FROM removed_range WHERE station = ?',
  );
  /** Nothing can make these tables again, so that one that is missing must be noticed. */
  const removedRange = (station: number): MonthRange | undefined => {
    const { months, first, last } = removed.get(station) as RemovedRange;
    const expected = noted.get(station) ?? { months: 0, first: 0, last: 0 };
    if (months !== expected.months || first !== expected.first || last !== expected.last)
      throw new Error('the data file is damaged: sums of removed months are missing; restore a backup');
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
    dailyAggregates: (stations: readonly number[], zone: string, from: number, to: number): StoredTable[] =>
      stations.flatMap((station) => {
        removedRange(station);
        return select.all({ station, zone, from, to });
      }),
    expiredMonths: removedRange,
  };
}

/** Writes and drops the tables of days, within transactions of the caller. */
export class DailyAggregateTables {
  readonly #put;
  readonly #drop;
  readonly #last;
  readonly #database: Database;
  /** End of the last table of any station; undefined means that it has not been read in this transaction. */
  #end: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO day_table (station, start, end, zone, data) VALUES (?, ?, ?, ?, ?)',
    );
    this.#drop = database.prepare('DELETE FROM day_table WHERE station = ? AND start <= ? AND end >= ?');
    this.#last = database.prepare<[], number | null>('SELECT max(end) FROM day_table').pluck();
  }

  /** Leaves out months whose rows were removed because of their age. */
  put(station: number, tables: readonly DailyAggregatesBlob[]): void {
    const removed = runOn(this.#database, lastRemoved(station));
    for (const { start, end, zone, data } of tables)
      if (end > removed) this.#put.run(station, start, end, zone, Buffer.from(data));
  }

  /**
   * Drops the tables of a station that have sums of rows from `first` to `last`. An amount at the end of a month belongs to it.
   * New rows are usually later than all tables.
   */
  drop(station: number, first: number, last: number): void {
    this.#end ??= this.#last.get() ?? -Infinity;
    if (first <= this.#end) this.#drop.run(station, last, first);
  }

  /** Must be called at the beginning of a transaction, because another process may have written tables. */
  begin(): void {
    this.#end = undefined;
  }
}

/** The tables of days in the thread that writes. */
export function dailyAggregateOperations(
  database: Database,
  reader: ObservationReader,
  states: StationStates,
) {
  const tables = new DailyAggregateTables(database);
  const any = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM day_table)').pluck();
  return {
    hasDailyAggregates: (): boolean => any.get() === 1,
    /** Keeps tables unless the observations of the station have changed since `revision`. */
    putDailyAggregates: (station: number, revision: string, rows: readonly DailyAggregatesBlob[]): void => {
      database
        .transaction(() => {
          const runs = reader.snapshot();
          if (String(states.of(station, runs).revision) === revision) tables.put(station, rows);
        })
        .immediate();
    },
  };
}
