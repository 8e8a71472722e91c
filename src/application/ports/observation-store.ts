import type { WriteCounts } from '../../domain/merge-series.js';
import type { ObservationBatch } from '../../domain/observations.js';
import type { StationRules } from '../../domain/quality-control.js';
import type { Newest } from '../../domain/station-state.js';

export interface ObservationQuery {
  /** `Station.number`s, or undefined for all, hidden ones included. */
  readonly stations?: readonly number[];
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables, or undefined for all. */
  readonly variables?: readonly number[];
}

/** What there is of a station. */
export interface Inventory {
  readonly first: number | null;
  readonly last: number | null;
  /** Rows. */
  readonly count: number;
  /** Numbers of the variables that have a value, rising. */
  readonly variables: readonly number[];
}

export interface ObservationWrite {
  readonly batch: ObservationBatch;
  /** By station number; a station without has no rules of its own. */
  readonly rules: ReadonlyMap<number, StationRules>;
}

export interface WriteOutcome extends WriteCounts {
  /** Numbers in the batch that no station has: their rows were left out. */
  readonly unknown: readonly number[];
}

/** The observations. What a promise has confirmed is on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface ObservationStore {
  /**
   * Writes rows in any order and judges their values. Idempotent: values that are given replace, values that are absent
   * stay. All that is written by one call is one commit, all or nothing, and what comes later is laid over what comes before.
   * Its rows may be judged together, each against what lies before it in time, whichever write has it. Calls that overlap in
   * time are not in any order. The arrays of the batches belong to the store from then on.
   *
   * @returns an outcome for each, in the same order
   */
  write(writes: readonly ObservationWrite[]): Promise<readonly WriteOutcome[]>;
  /** Rows by (station, time), in batches of bounded size. Rows in which no variable of the query has a value are left out. */
  read(query: ObservationQuery): AsyncIterable<ObservationBatch>;
  /** In the order of `stations`. It never contradicts `read`. */
  newest(stations: readonly number[]): Promise<readonly Newest[]>;
  /** In the order of `stations`. */
  inventory(stations: readonly number[]): Promise<readonly Inventory[]>;
}
