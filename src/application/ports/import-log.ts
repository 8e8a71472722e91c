import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';

/** An import of a file. All times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface ImportRecord {
  /** Numbers rise with the begin of imports and are never used again. */
  readonly number: number;
  /** The name of the file, as shown to people. */
  readonly file: string;
  readonly startedAt: number;
  /** Null while the import runs, and after it was interrupted. It may then be continued. */
  readonly endedAt: number | null;
  /** Numbers of the stations of which the import has changed rows, in rising order. */
  readonly stations: readonly number[];
  /** Number of rows that it has inserted or changed. */
  readonly rows: number;
  /** Size, in bytes, of what is kept so that the import can be undone. */
  readonly bytes: number;
  /** Whether it has been forgotten what the import has changed, so that it can no longer be undone. */
  readonly isForgotten: boolean;
  /** Null if no undo has begun. */
  readonly undo: ImportUndo | null;
}

export interface ImportUndo {
  readonly startedAt: number;
  /** Null while the undo runs, and after it was interrupted. */
  readonly endedAt: number | null;
  readonly counts: UndoCounts;
}

/** Which imports stay undoable. */
export interface ImportRetention {
  /** Imports that began earlier are forgotten. Milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /** If newer imports take this many bytes or more, an import is forgotten. So the newest one never is. */
  readonly bytes: number;
  /** Number of records that are kept. Older ones are deleted once they are forgotten or undone. */
  readonly records: number;
}

/**
 * The imports of files: their progress, their numbers, and what is kept so that they can be undone. It is stored in the
 * database of the observations, so that it never refers to rows in another database. Every method may reject with
 * STORE_UNAVAILABLE.
 */
export interface ImportLog {
  /** The last noted line; 0 where none is noted. @param key names one import of one file */
  lastLine(key: string): Promise<number>;
  /** Notes that the rows up to `line` are on disk. Must not be called earlier. */
  note(key: string, line: number): Promise<void>;
  /** Removes the note of an import. Idempotent. */
  forget(key: string): Promise<void>;

  /**
   * Opens an import. An import with the same key that has not ended, and of which nothing has been forgotten or undone,
   * is continued and keeps its number.
   *
   * @param key as in `lastLine`; undefined for an import that cannot be continued
   * @returns the number
   */
  begin(key: string | undefined, file: string, time: number): Promise<number>;
  /** Ends an import. It is no longer open, so nothing more is written with its number. */
  end(number: number, time: number): Promise<void>;
  /** @returns undefined for an unknown number */
  find(number: number): Promise<ImportRecord | undefined>;
  /** The newest records, newest first. */
  list(limit: number): Promise<readonly ImportRecord[]>;
  /**
   * Begins the undo of an import, unless it has begun before. The import is no longer open, and its progress is
   * removed, so that the file can be imported again from its first line. If the import still runs, it cannot note
   * progress any more; `begin` and `forget` end that.
   */
  beginUndo(number: number, time: number): Promise<void>;
  /** Notes that `ObservationStore.undo` has nothing left to take back. */
  endUndo(number: number, time: number): Promise<void>;
  /** Forgets some of what old imports have changed. @returns whether there is more, so that it must be called again */
  prune(retention: ImportRetention): Promise<boolean>;
}
