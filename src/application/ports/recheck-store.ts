import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import type { Position } from './station-search.js';

/** A request to check the rows of one or more stations in a range again. */
export interface RecheckRequest {
  /** `Station.number` of the station to recheck; null if the request is for all stations around the position `near`. */
  readonly station: number | null;
  readonly near?: Position;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Whether the stations around `station` are rechecked in the same range too, because values of `station` have changed. */
  readonly spreads: boolean;
}

/** A stored request. */
export interface StoredRequest extends RecheckRequest {
  readonly id: number;
}

/** Times of a station whose rows wait for a check. `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface PendingRange {
  /** `Station.number`. */
  readonly station: number;
  readonly from: number;
  readonly to: number;
}

/** A request whose rows were checked: all rows, or the rows before `from` if it is given. */
export interface FinishedRequest {
  readonly id: number;
  readonly from?: number | undefined;
}

/**
 * The requests for rechecks, and the resulting flags. Requests are stored until they are removed, so that none is lost when the
 * process ends. A second recheck of a range changes nothing, so several instances may recheck it at the same time. Every method
 * may reject with STORE_UNAVAILABLE.
 */
export interface RecheckStore {
  request(requests: readonly RecheckRequest[]): Promise<void>;
  /**
   * Creates requests for the ranges in which rows were written, changed or erased since the last creation. Then returns the oldest
   * requests, at most `limit`. Requests of hidden and unknown stations are left out.
   *
   * @param after id of a request; only later requests are returned. The default is 0.
   * @param collects `false` returns only requests that exist already. The default is `true`.
   */
  requests(limit: number, after?: number, collects?: boolean): Promise<readonly StoredRequest[]>;
  /**
   * Resolves when the writes that wait for this process have been done, so that background work can let them come first. A store in
   * which writes do not wait for each other resolves at once.
   */
  turn(): Promise<void>;
  /**
   * The number of stored requests. Requests of hidden and unknown stations are left out, as in `requests`, because they cannot be finished
   * now. Ranges for which `requests` has not created a request yet are not included.
   */
  waiting(): Promise<number>;
  /**
   * The ranges of stored requests, the oldest 10,000. Requests for the stations around a position and of hidden and unknown stations are
   * left out, and so are rows for which `requests` has not created a request yet.
   *
   * @param stations numbers of stations; undefined for all stations
   */
  pending(stations?: readonly number[]): Promise<readonly PendingRange[]>;
  /**
   * Removes requests whose rows were checked. If `from` of a request is given, the range from `from` to the end of the request is
   * requested again, behind all other requests. Unknown ids are ignored.
   */
  finish(done: readonly FinishedRequest[]): Promise<void>;
  /**
   * Stores the flags of rechecked values in one transaction, if the observations of the station have not changed since its rows
   * were read. Storing flags does not cause another recheck of the rows.
   *
   * @param revision `Newest.revision` of the station when its rows were read; it changes whenever observations change
   * @param rows the values with their new flags; the other values are absent
   * @returns undefined if the station has another revision now, or is unknown. Then nothing was changed.
   */
  recheck(station: number, revision: string, rows: Series): Promise<ObservationChanges | undefined>;
}
