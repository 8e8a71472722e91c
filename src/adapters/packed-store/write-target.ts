import type { Series } from '#domain/weather/series.js';
import type { JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { CachedState, Runs } from './station-states.js';

/** The stored rows, within the transaction of the caller. */
export interface StoredRows {
  /**
   * Reads the rows of a station in `[from, to)`.
   *
   * @param chunksEnd see `CachedState.chunksEnd`
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series;
  /**
   * Whether `recent` can return the rows in `[from, to)` now. If not, `RunWriter` stops. The caller must then read the ranges of
   * rows that `RunWriter.ahead` returns, and continue.
   */
  has(station: number, from: number, to: number, chunksEnd: number): boolean;
  /** Adds a run (the rows of one commit) that was just written. */
  remember(run: Run): void;
}

/**
 * The journals of imports, within the transaction of the caller. The journal of an import has the values that the import has
 * changed, so that it can be undone.
 */
export interface Journals {
  /** Adds changes to the journal of an import. @param number number of the import */
  add(number: number, parts: readonly JournalPart[]): void;
}

/** The daily aggregates, within the transaction of the caller. */
export interface StoredAggregates {
  /** Drops the daily aggregates (stored sums of days) of a station that contain rows from `first` to `last`. */
  drop(station: number, first: number, last: number): void;
}

/** The database table of runs, within the transaction of the caller. A run has the rows of one commit. */
export interface RunTable {
  /** Number of the block of a station. A block is the group of stations whose rows of a commit are stored together as one run. */
  blockOf(station: number): number;
  /** Inserts a run. @param id one more than `Runs.last` of the block. No other run of the block has ever had this id */
  insert(
    block: number,
    id: number,
    rows: number,
    range: { readonly first: number; readonly last: number },
    blob: Buffer,
  ): void;
}

/** The runs (rows of single commits) that are not merged yet. A write adds its new runs. */
export interface RunsOfStations {
  /** The runs of the block (group of stations) to which a station belongs. */
  of(station: number): Runs;
}

/** Rows of a station in `[from, to)`. */
export interface StationSpan {
  readonly station: number;
  readonly from: number;
  readonly to: number;
}

/** The states of stations. */
export interface WrittenStates {
  /** The state of a station, which has its newest values. The state includes the rows of all runs. The caller may change it. */
  of(station: number, runs: Runs): CachedState;
}

/** The parts of a store that a write reads and writes, within the transaction of the caller. */
export interface WriteTarget {
  readonly states: WrittenStates;
  readonly stored: StoredRows;
  readonly runs: RunTable;
  readonly journals: Journals;
  readonly dailyAggregates: StoredAggregates;
}
