import type { Series } from '#domain/weather/series.js';
import type { OldestChunks } from '#adapters/packed-store/chunks/chunk-days.js';
import type { StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage, Loss } from '#adapters/packed-store/damage.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import type { Operation } from '../operation.js';

/** A database in this thread answers at once, another one later. */
type Answer<T> = T | Promise<T>;

/** UTC days of a station, counted from 1970, both included. */
export interface DaySpan {
  readonly station: number;
  readonly first: number;
  readonly last: number;
}

/** A range of times of a station, in milliseconds since 1970-01-01T00:00:00Z, both included. */
export type TimeSpan = readonly [station: number, first: number, last: number];

/** The state of a station, with what is needed to write a run of its rows. */
export interface LockedState {
  /** Includes all runs. */
  readonly state: CachedState;
  /** What damage hides of the station. */
  readonly loss: Loss | undefined;
  /** In which the station has its runs. */
  readonly block: number;
  /** Id of the last run of the block. */
  readonly last: number;
  /**
   * Whether the state can be stored. While a merger works in the block, it may replace the stored state; the rows of the run are
   * then judged once more.
   */
  readonly isLocked: boolean;
}

/** A run that the current transaction has made. */
export interface NewRun {
  readonly block: number;
  readonly run: Run;
  readonly first: number;
  readonly last: number;
  readonly data: Buffer;
}

/** Chunks that can be read and changed. */
export interface OpenChunks extends StationChunks {
  /** The rows that chunks have of a station from one day to another, both included. */
  rowsOfDays(station: number, first: number, last: number): Series;
}

/**
 * What operations on packed observations ask for, within one transaction. A method takes all that a step needs at once, so that
 * PostgreSQL needs one statement for it.
 */
export interface ObservationTables {
  /** Whether the operation must end, so that others do not wait too long. In PostgreSQL after one step, for the order of locks. */
  mustCommit(): Answer<boolean>;
  /**
   * Keeps all others from changing rows of these stations, and merges all of their rows into chunks, because a run cannot remove
   * a value.
   *
   * @param changesStations whether the operation changes what is stored of stations too
   * @returns the rules of all stations that exist
   */
  settle(stations: readonly number[], changesStations?: boolean): Answer<Rules>;
  /**
   * Keeps the tables of days of months in `[from, to)` whose rows are going to be removed because of their age.
   *
   * @returns false, having done nothing, if a month has no table
   */
  keepMonths(station: number, from: number, to: number): Answer<boolean>;
  /** The oldest chunks with days of `[from, to)`, as many as a step may change. */
  oldestChunks(station: number, from: number, to: number): Answer<OldestChunks>;
  /** Opens the chunks with any of these days. */
  openDays(spans: readonly DaySpan[]): Answer<OpenChunks>;
  /** Stores what was changed in the chunks that were opened last, and puts aside those that were found damaged. */
  storeDays(): Answer<void>;
  /**
   * Days in the chunks from which states are computed again: in the oldest and the newest chunk of a station, the day before the
   * newest chunk, and a day in the newest chunk with each variable. Stations without rows are missing.
   *
   * @param variables their numbers, by station
   */
  stateDays(
    variables: ReadonlyMap<number, readonly number[]>,
  ): Answer<ReadonlyMap<number, readonly number[]>>;
  /** The states of stations without runs. */
  states(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  putStates(states: ReadonlyMap<number, CachedState>): Answer<void>;
  /** Makes all threads and processes read the states of these stations again. @returns their new revisions */
  newRevisions(stations: readonly number[]): Answer<ReadonlyMap<number, number>>;
  /** Days at which the chunks of a station begin, rising. */
  chunkStarts(station: number): Answer<readonly number[]>;
  /** Puts aside those of these blobs that are still there and damaged. */
  putAside(damage: readonly Damage[]): Answer<void>;
  /**
   * Deletes the damaged blobs that were put aside: those of the blocks of some stations, or of all where stations have no blocks.
   *
   * @returns the stations of which they may have had rows
   */
  discardAside(stations: readonly number[]): Answer<readonly number[]>;
  /** Makes the lists of the chunks of stations again, which only SQLite has. */
  rebuildLists(stations: readonly number[]): Answer<void>;
  /**
   * The states, including all runs, of stations of which rows may have been written since the last call, and notes the call: those
   * of the blocks of some stations, or some of all where stations have no blocks. There are none while a merger works there.
   */
  unjudged(stations: readonly number[]): Answer<ReadonlyMap<number, CachedState>>;
  /** Keeps all others from writing rows of a station. */
  lockState(station: number): Answer<LockedState>;
  insertRun(run: NewRun): Answer<void>;
  /** Drops the tables of days that have sums of rows in these ranges. */
  dropDailyAggregates(spans: readonly TimeSpan[]): Answer<void>;
}

/** Calls one of the tables. */
export type Ask = (tables: ObservationTables) => unknown;

/** A computation on packed observations. */
export type ObservationOperation<T> = Operation<T, Ask>;

type Asks = {
  readonly [K in keyof ObservationTables]: (
    ...parameters: Parameters<ObservationTables[K]>
  ) => ObservationOperation<Awaited<ReturnType<ObservationTables[K]>>>;
};

/** Asks for something: `yield* ask.states(stations)`. */
export const ask = new Proxy({} as Asks, {
  get: (_asks, name: keyof ObservationTables) =>
    function* (...parameters: readonly unknown[]): ObservationOperation<unknown> {
      return yield (tables: ObservationTables) => Reflect.apply(tables[name], tables, parameters) as unknown;
    },
});
