import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import type { Position } from './station-search.js';

/** A range of one or more stations whose rows are to be judged again. */
export interface RecheckRequest {
  /** `Station.number`; null for the stations around `near`. */
  readonly station: number | null;
  readonly near?: Position;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Whether the same range of the stations around it is judged too, because values of this station have changed. */
  readonly spreads: boolean;
}

/** A request as it is stored. */
export interface StoredRequest extends RecheckRequest {
  readonly id: number;
}

/** A request that was judged, up to `from` if that is given. */
export interface FinishedRequest {
  readonly id: number;
  readonly from?: number | undefined;
}

/**
 * What is to be judged again, and the flags that result. Requests are kept until they are removed, so that nothing is left
 * out when the process ends. Judging the same range twice changes nothing, so several instances may do it at the same time.
 * Every method may reject with STORE_UNAVAILABLE.
 */
export interface RecheckStore {
  /** Adds requests. */
  request(requests: readonly RecheckRequest[]): Promise<void>;
  /**
   * Makes requests of the ranges in which rows were written, changed or erased since the last call, and returns the oldest
   * requests, at most `limit`. Those of hidden and of unknown stations are left out.
   *
   * @param after id of a request; only those made after it are returned
   */
  requests(limit: number, after?: number): Promise<readonly StoredRequest[]>;
  /** The number of stored requests. Ranges that were written since the last call of `requests` are not among them. */
  waiting(): Promise<number>;
  /**
   * Removes requests. Where `from` is given, the rest of the range from there on is requested anew, behind all others. Unknown
   * ids are ignored.
   */
  finish(done: readonly FinishedRequest[]): Promise<void>;
  /**
   * Stores the flags of judged values in one transaction. It is no reason to judge the rows again.
   *
   * @param revision `Newest.revision` of the station when its rows were read
   * @param rows the values with their new flags; the other values are absent
   * @returns undefined, having changed nothing, if the station has another revision now or is unknown
   */
  recheck(station: number, revision: string, rows: Series): Promise<ObservationChanges | undefined>;
}
