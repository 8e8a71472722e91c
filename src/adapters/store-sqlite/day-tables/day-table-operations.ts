import type { Database } from 'better-sqlite3';
import type { MonthRange } from '../../../application/ports/day-table-store.js';
import type { DayTableBlob } from '../../formats/packed/packed-days.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import type { StationStates } from '../../packed-store/station-states.js';

/** A table of days with its station. */
export interface DayTableRow extends DayTableBlob {
  readonly station: number;
}

/** Reads tables within a range, in the order of time for each station. */
export function dayTableReads(database: Database) {
  const select = database.prepare<[Record<string, unknown>], DayTableRow>(
    `SELECT station, start, end, data FROM day_table
     WHERE station = @station AND start >= @from AND end <= @to AND zone = @zone
     UNION ALL SELECT station, month_start, month_end, data FROM removed_month
     WHERE station = @station AND month_start >= @from AND month_end <= @to AND zone = @zone
     ORDER BY 2`,
  );
  const removed = database.prepare<[number], { from: number | null; to: number | null }>(
    'SELECT min(month_start) AS "from", max(month_end) AS "to" FROM removed_month WHERE station = ?',
  );
  return {
    dayTables: (stations: readonly number[], zone: string, from: number, to: number): DayTableRow[] =>
      stations.flatMap((station) => select.all({ station, zone, from, to })),
    removedMonths: (station: number): MonthRange | undefined => {
      const { from = null, to = null } = removed.get(station) ?? {};
      return from === null || to === null ? undefined : { from, to };
    },
  };
}

/** Writes and drops the tables of days, within transactions of the caller. */
export class DayTables {
  readonly #put;
  readonly #drop;
  readonly #last;
  readonly #lastRemoved;
  /** End of the last table of any station; undefined means that it has not been read in this transaction. */
  #end: number | undefined;

  constructor(database: Database) {
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO day_table (station, start, end, zone, data) VALUES (?, ?, ?, ?, ?)',
    );
    this.#drop = database.prepare('DELETE FROM day_table WHERE station = ? AND start <= ? AND end >= ?');
    this.#lastRemoved = database
      .prepare<[number], number | null>('SELECT max(month_end) FROM removed_month WHERE station = ?')
      .pluck();
    this.#last = database.prepare<[], number | null>('SELECT max(end) FROM day_table').pluck();
  }

  /** Leaves out months whose rows were removed because of their age. */
  put(station: number, zone: string, tables: readonly DayTableBlob[]): void {
    const removed = this.#lastRemoved.get(station) ?? -Infinity;
    for (const { start, end, data } of tables)
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
export function dayTableOperations(database: Database, reader: ObservationReader, states: StationStates) {
  const tables = new DayTables(database);
  return {
    /** Keeps tables unless the observations of the station have changed since `revision`. */
    putDayTables: (station: number, revision: string, zone: string, rows: readonly DayTableBlob[]): void => {
      database
        .transaction(() => {
          const runs = reader.snapshot();
          if (String(states.of(station, runs).revision) === revision) tables.put(station, zone, rows);
        })
        .immediate();
    },
  };
}
