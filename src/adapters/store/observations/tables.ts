import type { Series } from '#domain/weather/series.js';
import type { OldestChunks } from '#adapters/packed-store/chunks/chunk-days.js';
import type { StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage, Loss } from '#adapters/packed-store/damage.js';
import type { JoinedState } from '#adapters/packed-store/days/joined-states.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import type { Operation } from '../run-operation.js';

/**
 * The result of a method of `ObservationTables`. SQLite runs in the same thread and returns the value itself. PostgreSQL returns
 * a promise.
 */
type Answer<T> = T | Promise<T>;

/** A range of UTC days of a station. Days are counted from 1970-01-01, and both ends are included. */
export interface DaySpan {
  readonly station: number;
  readonly first: number;
  readonly last: number;
}

/** A range of times of a station, in milliseconds since 1970-01-01T00:00:00Z. Both ends are included. */
export type TimeSpan = readonly [station: number, first: number, last: number];

/**
 * The data of a locked station that are needed to write a new run of this station. A run contains the packed rows of one commit.
 */
export interface LockedState {
  /**
   * The newest values and the totals of the station. They include the rows that are still in runs (packed rows of single
   * commits).
   */
  readonly states: JoinedState;
  /** Rows that cannot be read because of damage. */
  readonly loss: Loss | undefined;
  /**
   * Number of the block (group of stations) to which the station belongs. Runs (packed rows of one commit) are stored by block.
   */
  readonly block: number;
  /** Id of the newest run (packed rows of one commit) of the block (group of stations). A new run gets the next id. */
  readonly last: number;
  /**
   * Whether the transaction may store the state of the station (newest values and totals).
   *
   * This is false while another transaction merges the block (group of stations), which means that it moves the rows of single
   * commits into chunks. The other transaction may replace the stored state. This transaction then writes its rows, but not the
   * state. Because the stored state does not include these rows, they count as rows that were not rechecked yet, and are
   * rechecked once more.
   */
  readonly isLocked: boolean;
}

/** A run, which contains the packed rows of one commit, that the current transaction writes. */
export interface NewRun {
  readonly block: number;
  readonly run: Run;
  readonly first: number;
  readonly last: number;
  readonly data: Buffer;
}

/** Opened chunks, whose rows can be read and changed. A chunk contains the packed rows of 1, 8 or 64 days of a station. */
export interface OpenChunks extends StationChunks {
  /**
   * The rows of a station from the day `first` to the day `last`, both included. Only the rows in the opened chunks are returned.
   * A chunk contains the packed rows of 1, 8 or 64 days.
   */
  rowsOfDays(station: number, first: number, last: number): Series;
}

/**
 * Reads and writes of packed observations within one transaction. One call handles all stations or days of a step, so that
 * PostgreSQL needs only one statement for the call. Words in the comments of this file:
 *
 * - A run contains the packed rows of one commit. A chunk contains the packed rows of 1, 8 or 64 days of a station. To merge
 *   means to move the rows of runs into chunks.
 * - A block is a group of 64 stations. In PostgreSQL the stations of a block share their runs.
 * - The state of a station consists of its newest values and of totals, such as the number of its rows.
 * - A damaged run or chunk is set aside: it is moved into a table of its own, and other data are used without it.
 */
export interface ObservationTables {
  /**
   * Whether the operation must commit after this step.
   *
   * - SQLite: true if a time limit has passed, so that other writers do not wait too long.
   * - PostgreSQL: always true. A transaction must lock its blocks (groups of 64 stations) in ascending order. The next step could
   *   need a block with a lower number, so it needs a new transaction.
   */
  mustCommit(): Answer<boolean>;
  /**
   * Locks the rows of stations against other writers, and merges all runs of the stations into chunks; see `ObservationTables`.
   * The operation can then remove values, because a value can be removed only from a chunk.
   *
   * @param changesStations whether the operation also changes the stored data of stations
   * @returns the quality rules of all stations that exist
   */
  settle(stations: readonly number[], changesStations?: boolean): Answer<Rules>;
  /**
   * Moves the daily aggregates (stored sums of the days) of the months in `[from, to)` to a table of their own, because the rows
   * of these months are about to be removed due to their age.
   *
   * @returns false, without a change, if a month has no daily aggregates
   */
  keepMonths(station: number, from: number, to: number): Answer<boolean>;
  /**
   * The oldest chunks (packed rows of 1, 8 or 64 days) that contain a day of `[from, to)`, at most as many as one step may
   * change.
   */
  oldestChunks(station: number, from: number, to: number): Answer<OldestChunks>;
  /**
   * Opens all chunks that contain a day of `spans`, so that the rows of these days can be read and changed. A chunk contains the
   * packed rows of 1, 8 or 64 days.
   */
  openDays(spans: readonly DaySpan[]): Answer<OpenChunks>;
  /**
   * Stores the changes of the chunks (packed rows of 1, 8 or 64 days) that the last call of `openDays` has opened. If one of
   * these chunks is damaged, it is moved into the table of damaged data.
   */
  storeDays(): Answer<void>;
  /**
   * Returns for each station the days whose chunks (packed rows of 1, 8 or 64 days) are enough to compute its state (newest
   * values and totals). A station without rows is missing in the result. The days of a station are:
   *
   * - a day in its oldest chunk
   * - a day in its newest chunk, and the day before this chunk
   * - for each variable, a day in the newest chunk that has values of this variable
   *
   * @param variables numbers of the variables, by station
   */
  stateDays(
    variables: ReadonlyMap<number, readonly number[]>,
  ): Answer<ReadonlyMap<number, readonly number[]>>;
  /**
   * The states (newest values and totals) of stations. Before this call, all rows of these stations that are in runs (packed rows
   * of single commits) must have been moved into chunks (packed rows of whole days), for example by `settle`.
   */
  states(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  putStates(states: ReadonlyMap<number, CachedState>): Answer<void>;
  /**
   * Gives the stations new revisions. All threads and processes cache the states of stations, and read the state of a station
   * again when its revision has changed.
   *
   * @returns the new revisions of the stations
   */
  newRevisions(stations: readonly number[]): Answer<ReadonlyMap<number, number>>;
  /** The first day of each chunk of a station, in ascending order. A chunk contains the packed rows of 1, 8 or 64 days. */
  chunkStarts(station: number): Answer<readonly number[]>;
  /**
   * Moves damaged runs (packed rows of one commit) and damaged chunks (packed rows of whole days) into the table of damaged data.
   * Those that do not exist any more, or are intact now, are not moved.
   */
  putAside(damage: readonly Damage[]): Answer<void>;
  /**
   * Deletes damaged data permanently: the runs (packed rows of one commit) and the chunks (packed rows of whole days) that
   * `putAside` has moved into the table of damaged data. PostgreSQL deletes only those in the blocks (groups of 64 stations) of
   * `stations`. SQLite ignores `stations` and deletes all of them.
   *
   * @returns the stations that may have lost rows
   */
  discardAside(stations: readonly number[]): Answer<readonly number[]>;
  /**
   * Builds the chunk lists of stations again. A chunk contains the packed rows of 1, 8 or 64 days. Only SQLite has chunk lists,
   * which say which chunks of a station must exist.
   */
  rebuildLists(stations: readonly number[]): Answer<void>;
  /**
   * Returns the states (newest values and totals) of the stations that may have rows for which no recheck was requested yet. A
   * recheck applies quality control to stored rows once more. The caller must request it, because this method already records
   * that it was requested.
   *
   * One call may return only a part of these states:
   *
   * - PostgreSQL searches only the block (group of 64 stations) of the first of `stations`. It returns nothing while another
   *   transaction merges the rows of single commits of this block into chunks.
   * - SQLite searches all stations, but returns a limited number of states.
   */
  uncheckedStates(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  /** Locks a station against other writers of its rows. */
  lockState(station: number): Answer<LockedState>;
  insertRun(run: NewRun): Answer<void>;
  /** Drops daily aggregates, which are stored sums of rows, if they contain rows in the ranges of `spans`. */
  dropDailyAggregates(spans: readonly TimeSpan[]): Answer<void>;
}

/** A call of a method of `ObservationTables`. */
export type Ask = (tables: ObservationTables) => unknown;

/** A computation on packed observations. */
export type ObservationOperation<T> = Operation<T, Ask>;

type Asks = {
  readonly [K in keyof ObservationTables]: (
    ...parameters: Parameters<ObservationTables[K]>
  ) => ObservationOperation<Awaited<ReturnType<ObservationTables[K]>>>;
};

/**
 * Calls a method of `ObservationTables` from an operation, which is a generator. For example, an operation calls the method
 * `states` by `yield* ask.states(stations)`, and gets its result.
 */
export const ask = new Proxy({} as Asks, {
  get: (_asks, name: keyof ObservationTables) =>
    function* (...parameters: readonly unknown[]): ObservationOperation<unknown> {
      return yield (tables: ObservationTables) => Reflect.apply(tables[name], tables, parameters) as unknown;
    },
});
