import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';

export interface DailyAggregateQuery {
  /** `Station.number` of each station. */
  readonly stations: readonly number[];
  /** The time zone of the days, in the form of `Station.timeZone`. */
  readonly timeZone: string;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. Only months that are completely in the range are returned. */
  readonly from: number;
  readonly to: number;
}

/** The aggregates of a station that were computed by other rules than the current rules. */
export interface OutdatedAggregates extends MonthRange {
  /** `Station.number` of the station. */
  readonly station: number;
  readonly count: number;
}

/** A range of whole months: `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface MonthRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Daily aggregates, one record for each month. They are computed from observations, and the store drops the aggregates of rows
 * that change. So the aggregates from `find` are always the sums of the stored rows or, in expired months, of the removed rows.
 * Every method may reject with STORE_UNAVAILABLE.
 */
export interface DailyAggregateStore {
  /**
   * The expired months of a station, whose rows were removed because of their age: from the start of the first to the end of the last
   * month; undefined if there are none. The sums of these months exist only as aggregates.
   */
  expiredMonths(station: number): Promise<MonthRange | undefined>;
  /**
   * The stations with aggregates that were computed by other rules than `rules`, by number. Expired months are left out, because their
   * aggregates cannot be computed again.
   */
  outdated(rules: number): Promise<readonly OutdatedAggregates[]>;
  /** The aggregates of each station in order of time. There may be gaps. */
  find(query: DailyAggregateQuery): Promise<readonly StoredDays[]>;
  /**
   * Stores the aggregates of past months. The revision of a station changes whenever its observations change. Nothing is stored
   * if the station has another revision than `revision`, because the aggregates may then be wrong.
   *
   * @param revision `Newest.revision` of the station before its rows were read
   * @param aggregates aggregates of all variables
   */
  put(
    station: number,
    revision: string,
    timeZone: string,
    aggregates: readonly DailyAggregates[],
  ): Promise<void>;
}
