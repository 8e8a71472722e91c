import type { ObservationChanges } from '../../domain/weather/changed-rows.js';
import type { Span } from '../../domain/weather/damaged-data.js';
import type { WriteCounts } from '../../domain/weather/merge-series.js';
import type { ObservationBatch, Series } from '../../domain/weather/series.js';
import type { Newest } from '../../domain/weather/station-state.js';
import type { Station } from '../../domain/weather/station.js';

export interface ObservationQuery {
  /** `Station.number`s, or undefined for all, hidden ones included. */
  readonly stations?: readonly number[];
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables, or undefined for all. */
  readonly variables?: readonly number[];
  /** The reader takes so many rows at most: a store need not look further than these. Undefined for all. */
  readonly rows?: number;
}

/** What there is of a station, as far as it can be read. */
export interface Inventory {
  readonly first: number | null;
  readonly last: number | null;
  /** Rows. */
  readonly count: number;
  /** Numbers of the variables that have a value, rising. */
  readonly variables: readonly number[];
  /** Times of damaged observations that are not counted here. Some of the times between them may not be damaged. */
  readonly damaged?: Span;
}

/** A range of one station with few rows. */
export interface ShortRange {
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables, or undefined for all. */
  readonly variables: readonly number[] | undefined;
  /** Largest number of rows. */
  readonly most: number;
}

/** One station; everything in it is of the same moment. */
export interface StationDescription extends Pick<Newest, 'lastSeen' | 'revision'> {
  readonly station: Station;
  readonly inventory: Inventory;
  /** The rows of the range, as `read` gives them; undefined where there was no range or the store has left them out. */
  readonly rows: Series | undefined;
}

export interface ObservationWrite {
  readonly batch: ObservationBatch;
}

export interface WriteOutcome extends WriteCounts {
  /** Numbers in the batch that no station has: their rows were left out. */
  readonly unknown: readonly number[];
}

export interface WriteResult {
  /** One for each write, in the same order. */
  readonly outcomes: readonly WriteOutcome[];
  readonly changes: ObservationChanges;
}

/** The observations. What a promise has confirmed is on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface ObservationStore {
  /**
   * Writes rows in any order, and judges their values by the limits and the reporting interval that their station has at
   * that moment. Idempotent: values that are given replace, values that are absent stay. If two rows have the same station and
   * time, the later row wins. Calls that overlap in time are not in any order.
   *
   * One call is one transaction, all or nothing, unless it has so many late rows that others would wait too long: then it is
   * several, and what was committed stays when a later one fails. Sending it again is safe. The rows of one transaction may
   * be judged as one batch sorted by time. The arrays of the batches belong to the store from then on.
   *
   * Rejects with a DomainError whose `callOnly` is true where the store works and one of these writes is what it could not
   * do: nothing has been written, the batches are as they were, and the others may be written without it. After any other
   * failure (no connection, no answer in time, a full disk) the store may have written all of it or nothing, and has perhaps
   * taken the arrays.
   */
  write(writes: readonly ObservationWrite[]): Promise<WriteResult>;
  /**
   * Rows by (station, time), in batches of bounded size. Rows in which no variable of the query has a value are left out. May
   * reject with DATA_DAMAGED, which names station and day. The arrays of the batches belong to the caller.
   */
  read(query: ObservationQuery): AsyncIterable<ObservationBatch>;
  /**
   * Describes the station with this id in one step, and gives its rows in a short range. A store may leave out the rows. It
   * must do so where there are more than `most`, and where some of them are damaged.
   *
   * @returns undefined for an id that no station has
   */
  describe(id: string, range?: ShortRange): Promise<StationDescription | undefined>;
  /**
   * In the order of `stations`. It never contradicts `read`. Damaged observations fail nothing here: what they may hide is
   * left out, for the stations that they concern.
   */
  newest(stations: readonly number[]): Promise<readonly Newest[]>;
  /** In the order of `stations`. Kept beside the newest values, so that nothing is counted. */
  inventory(stations: readonly number[]): Promise<readonly Inventory[]>;
}
