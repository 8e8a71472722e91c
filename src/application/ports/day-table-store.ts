import type { DayTable, StoredDays } from '../../domain/weather/summaries/day-table.js';

export interface DayTableQuery {
  /** `Station.number` of each. */
  readonly stations: readonly number[];
  /** The zone of the days, as `Station.timeZone`. */
  readonly timeZone: string;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. Tables lie in it as wholes. */
  readonly from: number;
  readonly to: number;
}

/** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface MonthRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Tables of the sums of days. They are made from observations, and a store drops those of rows that change: what `find` returns
 * always has the sums of the stored rows, or of rows that were removed because of their age. Every method may reject with STORE_UNAVAILABLE.
 */
export interface DayTableStore {
  /**
   * The months of a station whose rows were removed because of their age, from the start of the first to the end of the last;
   * undefined if there are none. Only tables have their sums.
   */
  removedMonths(station: number): Promise<MonthRange | undefined>;
  /** In the order of time for each station. There may be gaps. */
  find(query: DayTableQuery): Promise<readonly StoredDays[]>;
  /**
   * Keeps tables of months that have ended. Nothing is kept if the observations of the station have changed since
   * they were read.
   *
   * @param revision of the station before the rows were read (`Newest.revision`)
   * @param tables with all variables
   */
  put(station: number, revision: string, timeZone: string, tables: readonly DayTable[]): Promise<void>;
}
