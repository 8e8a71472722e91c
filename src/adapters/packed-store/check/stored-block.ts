import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage } from '../damage.js';
import type { CachedState } from '../station-states.js';

/** Maximum number of chunks that one query reads. The maximum limits the use of memory. */
export const CHUNKS_AT_ONCE = 128;

/** A row of the table of chunks. */
export interface CheckedChunk {
  readonly day: number;
  /** Number of days of the chunk. */
  readonly days: number;
  readonly rows: number;
  /** Bit mask of the variables, by their numbers. */
  readonly variables: number;
  readonly data: Buffer;
}

/** A run that could be opened, with the other columns of its row in the table of runs. */
export interface CheckedRun {
  /** A name that no other run has. */
  readonly name: string;
  readonly run: Run;
  readonly rows: number;
  /** Times of the oldest and the newest row; null if the columns are empty. */
  readonly first: number | null;
  readonly last: number | null;
}

/** A row of the table of daily aggregates, or of the table of expired months. */
export interface CheckedTable {
  readonly start: number;
  readonly end: number;
  readonly zone: string;
  readonly data: Buffer;
  /** Whether the rows of the month were removed because of their age. */
  readonly isRemoved: boolean;
}

/** Damage that was set aside, or that was found when a run was opened. */
export interface NamedDamage {
  /** A name that no other damage has. */
  readonly name: string;
  readonly damage: Damage;
}

/** The stored data of the stations of a block, as one transaction sees them. */
export interface StoredBlock {
  readonly block: number;
  /** Numbers of the stations that have stored data, in ascending order. */
  readonly stations: readonly number[];
  readonly runs: readonly CheckedRun[];
  readonly damage: readonly NamedDamage[];
  /** The runs that may have rows of a station, oldest rows first. */
  runsOf(station: number): readonly Run[];
  /** The stored state of a station, after all runs. @throws Error if the state cannot be read */
  stateOf(station: number): CachedState;
  /**
   * Reads up to `CHUNKS_AT_ONCE` chunks that begin after a day, in their order.
   *
   * @throws DamagedBlobError if a page of the database that contains such a chunk is damaged
   */
  chunks(station: number, after: number): Promise<readonly CheckedChunk[]>;
  /** The fault of the chunk list of a station, for a store that has chunk lists; undefined if the list is correct. */
  listFault?(station: number): string | undefined;
  /** The daily aggregates of a station, in the order of their months. */
  dailyAggregates(station: number): Promise<readonly CheckedTable[]>;
}

/** A journal entry of an import, for its undo. */
export interface CheckedJournal {
  readonly id: number;
  /** Number of the import. */
  readonly import: number;
  readonly data: Buffer;
}

/** Reads the observations of a store for a check. */
export interface CheckedStore {
  /** Number of rows of all stations, according to the totals. */
  rows(): Promise<number>;
  /** The blocks that have stored data, in ascending order. */
  blocks(): Promise<readonly number[]>;
  /** Calls `work` in a read-only transaction. */
  read<T>(block: number, work: (stored: StoredBlock) => Promise<T>): Promise<T>;
  /** Ids of stations, by number. A station that does not exist is missing. */
  ids(): Promise<ReadonlyMap<number, string>>;
  /** Reads the first journal entries with a higher id than `after`. */
  journals(after: number): Promise<readonly CheckedJournal[]>;
}
