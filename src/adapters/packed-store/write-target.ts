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
   * Whether `recent` can read the rows in `[from, to)` now. If not, the writer waits until the ranges of `RunWriter.ahead` have
   * been read.
   */
  has(station: number, from: number, to: number, chunksEnd: number): boolean;
  /** Adds a run that was just written. */
  remember(run: Run): void;
}

/** The journals of imports, within the transaction of the caller. */
export interface Journals {
  /** Adds changes to the journal of an import. @param number number of the import */
  add(number: number, parts: readonly JournalPart[]): void;
}

/** The daily aggregates, within the transaction of the caller. */
export interface StoredAggregates {
  /** Drops the daily aggregates of a station that contain rows from `first` to `last`. */
  drop(station: number, first: number, last: number): void;
}

/** The table of runs, within the transaction of the caller. */
export interface RunTable {
  /** Number of the block of a station. The stations of a block share their runs. */
  blockOf(station: number): number;
  /** Inserts a run. @param id one more than `Runs.last` of the block. No other run has ever had this id */
  insert(
    block: number,
    id: number,
    rows: number,
    range: { readonly first: number; readonly last: number },
    blob: Buffer,
  ): void;
}

/** The unmerged runs. New runs are added to them. */
export interface RunsOfStations {
  /** The runs of the block of a station. */
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
  /** The state of a station, after all runs. The caller may change it. */
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
