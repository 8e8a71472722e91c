import type { Series } from '#domain/weather/series.js';
import type { JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { CachedState, Runs } from './station-states.js';

/** The stored rows, within the transaction of the caller. */
export interface StoredRows {
  /**
   * Reads the rows of a station in `[from, to)`. They include rows in runs and rows in chunks. A run has the rows of one commit.
   * A chunk has the rows of whole days.
   *
   * @param runs the runs whose rows are not in a chunk yet
   * @param chunksEnd rows after this time can be read from `runs` alone, without reading chunks
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series;
  /**
   * Whether `recent` can return the rows in `[from, to)` now, because they do not have to be read from the database first. If
   * not, `RunWriter` stops. The caller then reads the ranges of rows that `RunWriter.ahead` returns, and lets the writer
   * continue.
   */
  has(station: number, from: number, to: number, chunksEnd: number): boolean;
  /** Keeps a run that was just written. A run has the rows of one commit. */
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
  /**
   * Inserts a run, which has the rows of one commit for the stations of a block (group of stations).
   *
   * @param id one more than the id of the newest run that this block ever had (`Runs.last`). So an id is never used again
   */
  insert(
    block: number,
    id: number,
    rows: number,
    range: { readonly first: number; readonly last: number },
    blob: Buffer,
  ): void;
}

/**
 * The runs that are not merged yet. A run has the rows of one commit. A merge moves these rows into chunks, which have the rows
 * of whole days. Each run that a write inserts is added here.
 */
export interface RunsOfStations {
  /** The runs (rows of single commits) of the block (group of stations) to which a station belongs. */
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
  /**
   * Returns the state of a station, which consists of its newest values and of totals. The rows of all `runs` are included; a run
   * has the rows of one commit. The caller may change the state.
   */
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
