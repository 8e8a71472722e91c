import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';

/** An import of a file. All times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface ImportRecord {
  /** Number of the import. Numbers increase in the order in which imports begin, and are never used again. */
  readonly number: number;
  /** The name of the file, as shown to people. */
  readonly file: string;
  readonly startedAt: number;
  /** Time of the end; null while the import runs, and after an interruption. An interrupted import may be continued. */
  readonly endedAt: number | null;
  /** Numbers of the stations whose rows, or whose flags of the source, the import changed, in ascending order. */
  readonly stations: readonly number[];
  /** Number of inserted or changed rows. */
  readonly rows: number;
  /** Size in bytes of the recorded changes, from which the import can be undone. */
  readonly bytes: number;
  /** Whether the recorded changes were deleted, so that the import can no longer be undone. */
  readonly isForgotten: boolean;
  /** The undo of the import; null if no undo has begun. */
  readonly undo: ImportUndo | null;
}

export interface ImportUndo {
  readonly startedAt: number;
  /** Time of the end; null while the undo runs, and after an interruption. */
  readonly endedAt: number | null;
  readonly counts: UndoCounts;
}

/** The rules by which the recorded changes of imports are deleted ("forgotten"). */
export interface ImportRetention {
  /** Imports that began before this time are forgotten. In milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /**
   * An import is forgotten if the recorded changes of newer imports take at least this many bytes. So this rule never applies to
   * the newest import.
   */
  readonly bytes: number;
  /** Largest number of records. Older records are deleted if their import is forgotten or undone. */
  readonly records: number;
}

/**
 * The imports of files: their numbers, their progress, and their recorded changes for an undo. They are stored in the database of
 * the observations, so that they never refer to rows in another database. Every method may reject with STORE_UNAVAILABLE.
 */
export interface ImportLog {
  /** The last line that `note` has stored for an import; 0 if there is none. @param key identifies one import of one file */
  lastLine(key: string): Promise<number>;
  /** Notes that the rows up to `line` are on disk. Must not be called before these rows are on disk. */
  note(key: string, line: number): Promise<void>;
  /** Removes the noted line of an import. A second call does nothing. */
  forget(key: string): Promise<void>;

  /**
   * Opens an import. An import with the same key is continued and keeps its number, if it has not ended and none of its changes
   * was forgotten or undone.
   *
   * @param key as in `lastLine`; undefined for an import that cannot be continued
   * @returns the number of the import
   */
  begin(key: string | undefined, file: string, time: number): Promise<number>;
  /** Adds stations to the stations of an import. */
  addStations(number: number, stations: readonly number[]): Promise<void>;
  /** Ends an import. Then it is no longer open, and no more rows are written with its number. */
  end(number: number, time: number): Promise<void>;
  /** The record of an import. @returns undefined for an unknown number */
  find(number: number): Promise<ImportRecord | undefined>;
  /** The newest records, newest first. */
  list(limit: number): Promise<readonly ImportRecord[]>;
  /**
   * Begins the undo of an import, unless it has begun before.
   *
   * - No more rows are written with the number of the import.
   * - The stored progress of the import is removed, so that the file can be imported again from its first line.
   * - If the import is still running, its later calls of `note` have no effect. Otherwise they would store the progress again.
   *
   * After a call of `begin` or `forget` with the same key, for example when the file is imported again, `note` has an effect
   * again.
   */
  beginUndo(number: number, time: number): Promise<void>;
  /** Notes that `ObservationStore.undo` has reverted all changes. */
  endUndo(number: number, time: number): Promise<void>;
  /**
   * Deletes some recorded changes of old imports.
   *
   * @returns whether more changes must be deleted, so that `prune` must be called again
   */
  prune(retention: ImportRetention): Promise<boolean>;
}
