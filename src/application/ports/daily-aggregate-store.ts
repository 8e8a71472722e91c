import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';

export interface DailyAggregateQuery {
  /** `Station.number` of each. */
  readonly stations: readonly number[];
  /** The zone of the days, as `Station.timeZone`. */
  readonly timeZone: string;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. Tables lie in it as wholes. */
  readonly from: number;
  readonly to: number;
}

/** The tables of a station that were made by other computation rules. */
export interface OutdatedTables extends MonthRange {
  /** `Station.number`. */
  readonly station: number;
  readonly count: number;
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
export interface DailyAggregateStore {
  /**
   * The months of a station whose rows were removed because of their age, from the start of the first to the end of the last;
   * undefined if there are none. Only tables have their sums.
   */
  expiredMonths(station: number): Promise<MonthRange | undefined>;
  /**
   * The stations with tables that were made by other rules than `rules`, by number. Months whose rows were removed because of their age
   * are left out: no other table can be made of them.
   */
  outdated(rules: number): Promise<readonly OutdatedTables[]>;
  /** In the order of time for each station. There may be gaps. */
  find(query: DailyAggregateQuery): Promise<readonly StoredDays[]>;
  /**
   * Keeps tables of months that have ended. Nothing is kept if the observations of the station have changed since
   * they were read.
   *
   * @param revision of the station before the rows were read (`Newest.revision`)
   * @param tables with all variables
   */
  put(station: number, revision: string, timeZone: string, tables: readonly DailyAggregates[]): Promise<void>;
}
