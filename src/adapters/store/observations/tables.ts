import type { Series } from '#domain/weather/series.js';
import type { OldestChunks } from '#adapters/packed-store/chunks/chunk-days.js';
import type { StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage, Loss } from '#adapters/packed-store/damage.js';
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

/** The state of a locked station, and the block and the last id, which a new run of the station needs. */
export interface LockedState {
  /** The state of the station, including the rows of all runs. */
  readonly state: CachedState;
  /** Rows that cannot be read because of damage. */
  readonly loss: Loss | undefined;
  /** The block that stores the runs of the station. */
  readonly block: number;
  /** Id of the last run of the block. */
  readonly last: number;
  /**
   * Whether the transaction may store the state of the station. While a merger works in the block, the transaction must not store
   * the state, because the merger may replace the stored state. The rows of the run are then rechecked once more.
   */
  readonly isLocked: boolean;
}

/** A run that the current transaction writes. */
export interface NewRun {
  readonly block: number;
  readonly run: Run;
  readonly first: number;
  readonly last: number;
  readonly data: Buffer;
}

/** Chunks that can be read and changed. */
export interface OpenChunks extends StationChunks {
  /** The rows of a station in the chunks, from the day `first` to the day `last`, both included. */
  rowsOfDays(station: number, first: number, last: number): Series;
}

/**
 * Reads and writes of packed observations within one transaction. One call handles all stations or days of a step, so that
 * PostgreSQL needs only one statement for the call.
 */
export interface ObservationTables {
  /**
   * Whether the operation must commit now, so that other writers do not wait too long. In PostgreSQL the result is always true:
   * the next step would lock further blocks, but a transaction must lock all its blocks in ascending order.
   */
  mustCommit(): Answer<boolean>;
  /**
   * Locks the rows of stations against other writers, and merges all runs of the stations into chunks. The operation can then
   * remove values from the chunks. A run cannot remove a value.
   *
   * @param changesStations whether the operation also changes the stored data of stations
   * @returns the quality rules of all stations that exist
   */
  settle(stations: readonly number[], changesStations?: boolean): Answer<Rules>;
  /**
   * Moves the daily aggregates of the months in `[from, to)` to the table of expired months, because the rows of these months are
   * about to be removed due to their age.
   *
   * @returns false, without a change, if a month has no daily aggregates
   */
  keepMonths(station: number, from: number, to: number): Answer<boolean>;
  /** The oldest chunks with days of `[from, to)`, at most as many as one step may change. */
  oldestChunks(station: number, from: number, to: number): Answer<OldestChunks>;
  /** Opens all chunks that contain a day of `spans`. */
  openDays(spans: readonly DaySpan[]): Answer<OpenChunks>;
  /** Stores the changes of the chunks that were opened last. Chunks that were found damaged are set aside. */
  storeDays(): Answer<void>;
  /**
   * Returns the days whose chunks are needed to compute the state of each station: a day in the oldest chunk, a day in the newest
   * chunk, the day before the newest chunk, and, for each variable, a day in the newest chunk with this variable. Stations
   * without rows are missing in the result.
   *
   * @param variables numbers of the variables, by station
   */
  stateDays(
    variables: ReadonlyMap<number, readonly number[]>,
  ): Answer<ReadonlyMap<number, readonly number[]>>;
  /** The states of stations. All runs of these stations must have been merged, for example by `settle`. */
  states(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  putStates(states: ReadonlyMap<number, CachedState>): Answer<void>;
  /** Makes all threads and processes read the states of `stations` again. @returns the new revisions of the stations */
  newRevisions(stations: readonly number[]): Answer<ReadonlyMap<number, number>>;
  /** The first days of the chunks of a station, in ascending order. */
  chunkStarts(station: number): Answer<readonly number[]>;
  /** Sets aside the blobs of `damage` that still exist and are still damaged. */
  putAside(damage: readonly Damage[]): Answer<void>;
  /**
   * Deletes the damaged blobs that were set aside. PostgreSQL deletes the blobs of the blocks of `stations`. SQLite ignores
   * `stations` and deletes all blobs that were set aside.
   *
   * @returns the stations that may have lost rows
   */
  discardAside(stations: readonly number[]): Answer<readonly number[]>;
  /** Rebuilds the chunk lists of stations. Only SQLite has chunk lists. */
  rebuildLists(stations: readonly number[]): Answer<void>;
  /**
   * Returns the states of stations whose rows may have been written since the last call, including the rows of all runs. The call
   * also records that a recheck of these rows was requested. PostgreSQL searches only the block of the first of `stations`, and
   * returns no states if a merger works in this block. SQLite searches all stations and returns a limited number of states in
   * each call.
   */
  uncheckedStates(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  /** Locks a station against other writers of its rows. */
  lockState(station: number): Answer<LockedState>;
  insertRun(run: NewRun): Answer<void>;
  /** Drops the daily aggregates that contain rows in the ranges of `spans`. */
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

/** Calls a method of `ObservationTables`: `yield* ask.states(stations)`. */
export const ask = new Proxy({} as Asks, {
  get: (_asks, name: keyof ObservationTables) =>
    function* (...parameters: readonly unknown[]): ObservationOperation<unknown> {
      return yield (tables: ObservationTables) => Reflect.apply(tables[name], tables, parameters) as unknown;
    },
});
