import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { Damage } from '../damage.js';
import type { CachedState } from '../station-states.js';

/** Number of chunks that are read at once. It limits memory. */
export const CHUNKS_AT_ONCE = 128;

/** A row of the table of chunks. */
export interface CheckedChunk {
  readonly day: number;
  /** Number of its days. */
  readonly days: number;
  readonly rows: number;
  /** Bits by number of variable. */
  readonly variables: number;
  readonly data: Buffer;
}

/** A run that could be opened, with the columns beside its blob. */
export interface CheckedRun {
  /** Differs from those of all other runs. */
  readonly name: string;
  readonly run: Run;
  readonly rows: number;
  /** Times of its oldest and newest row; null where they were not noted. */
  readonly first: number | null;
  readonly last: number | null;
}

/** A row of the table of the tables of days. */
export interface CheckedTable {
  readonly start: number;
  readonly end: number;
  readonly zone: string;
  readonly data: Buffer;
  /** Whether the rows of the month were removed because of their age. */
  readonly isRemoved: boolean;
}

/** Damage that was put aside, or that was found when a run was opened. */
export interface NamedDamage {
  /** Differs from those of all other damage. */
  readonly name: string;
  readonly damage: Damage;
}

/** What is stored of the stations of a block, as one transaction sees it. */
export interface StoredBlock {
  readonly block: number;
  /** Numbers of the stations that have anything stored, rising. */
  readonly stations: readonly number[];
  readonly runs: readonly CheckedRun[];
  readonly damage: readonly NamedDamage[];
  /** The runs that may have rows of a station, oldest rows first. */
  runsOf(station: number): readonly Run[];
  /** The kept state of a station, including the runs. @throws Error if it cannot be read */
  stateOf(station: number): CachedState;
  /**
   * Reads up to `CHUNKS_AT_ONCE` chunks that begin behind a day, in their order.
   *
   * @throws DamagedBlobError if the database itself is damaged there
   */
  chunks(station: number, after: number): Promise<readonly CheckedChunk[]>;
  /** What is wrong with the list of the chunks of a station, where the store has one. */
  listFault?(station: number): string | undefined;
  /** In the order of their months. */
  dailyAggregates(station: number): Promise<readonly CheckedTable[]>;
}

/** What an import has replaced, for its undo. */
export interface CheckedJournal {
  readonly id: number;
  /** Number of the import. */
  readonly import: number;
  readonly data: Buffer;
}

/** The observations of a store, to be checked. */
export interface CheckedStore {
  /** Number of rows of all stations, as the totals have it. */
  rows(): Promise<number>;
  /** The blocks that have anything stored, rising. */
  blocks(): Promise<readonly number[]>;
  /** Calls `work` in a transaction that only reads. */
  read<T>(block: number, work: (stored: StoredBlock) => Promise<T>): Promise<T>;
  /** Ids of stations by number. A station that does not exist is missing. */
  ids(): Promise<ReadonlyMap<number, string>>;
  /** Reads the first journals behind an id. */
  journals(after: number): Promise<readonly CheckedJournal[]>;
}
