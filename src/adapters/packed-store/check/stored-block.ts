import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage } from '../damage.js';
import type { CachedState } from '../station-states.js';

/**
 * Maximum number of chunks that one query reads. A chunk has the rows of a station for 1, 8 or 64 days. The maximum limits the
 * use of memory.
 */
export const CHUNKS_AT_ONCE = 128;

/** A row of the database table of chunks. A chunk has the rows of a station for 1, 8 or 64 days. */
export interface CheckedChunk {
  readonly day: number;
  /** Number of days of the chunk. */
  readonly days: number;
  readonly rows: number;
  /** Bit mask of the variables, by their numbers. */
  readonly variables: number;
  readonly data: Buffer;
}

/**
 * A run that could be read, with the other columns of its row in the database table. A run has rows of several stations that are
 * not in chunks yet.
 */
export interface CheckedRun {
  /** A name that no other run has. */
  readonly name: string;
  readonly run: Run;
  readonly rows: number;
  /** Times of the oldest and the newest row; null if the columns are empty. */
  readonly first: number | null;
  readonly last: number | null;
}

/**
 * A row of the table of daily aggregates, or of the table of expired months. A month has expired if its rows were removed because
 * of their age. Its daily aggregates are kept.
 */
export interface CheckedTable {
  readonly start: number;
  readonly end: number;
  readonly zone: string;
  readonly data: Buffer;
  /** Whether the rows of the month were removed because of their age. */
  readonly isRemoved: boolean;
}

/**
 * Damaged data that were found earlier and moved into a separate table, or that were found now, when a run was opened. A run has
 * rows of several stations that are not in chunks yet.
 */
export interface NamedDamage {
  /** A name that no other damage has. */
  readonly name: string;
  readonly damage: Damage;
}

/** The stored data of a block, which is 64 stations with successive numbers, as one transaction sees them. */
export interface StoredBlock {
  readonly block: number;
  /** Numbers of the stations that have stored data, in ascending order. */
  readonly stations: readonly number[];
  readonly runs: readonly CheckedRun[];
  readonly damage: readonly NamedDamage[];
  /** The runs (rows that are not in chunks yet) that may have rows of a station, oldest rows first. */
  runsOf(station: number): readonly Run[];
  /**
   * The stored state of a station: its newest values, and totals such as the number of its rows. The state includes all stored
   * rows.
   *
   * @throws Error if the state cannot be read
   */
  stateOf(station: number): CachedState;
  /**
   * Reads the chunks of a station that begin after a day, in their order, but at most `CHUNKS_AT_ONCE` chunks.
   *
   * @throws DamagedBlobError if the part of the database where such a chunk is stored is damaged
   */
  chunks(station: number, after: number): Promise<readonly CheckedChunk[]>;
  /**
   * The difference between the chunks of a station and the stored list of these chunks; undefined if there is none. Absent for a
   * store that has no such lists.
   */
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
  /** Number of rows of all stations, according to the stored totals of the stations. The rows themselves are not counted. */
  rows(): Promise<number>;
  /** The numbers of the blocks (groups of 64 stations) that have stored data, in ascending order. */
  blocks(): Promise<readonly number[]>;
  /** Calls `work` in a read-only transaction. */
  read<T>(block: number, work: (stored: StoredBlock) => Promise<T>): Promise<T>;
  /** Ids of stations, by number. A station that does not exist is missing. */
  ids(): Promise<ReadonlyMap<number, string>>;
  /**
   * Reads some journal entries: those with the lowest ids above `after`. A journal entry has the values that one commit of an
   * import changed.
   */
  journals(after: number): Promise<readonly CheckedJournal[]>;
}
