/**
 * The progress of imports of files. It is stored in the database of the observations, so that it never refers to rows
 * in another database. Every method may reject with STORE_UNAVAILABLE.
 */
export interface ImportLog {
  /** The last noted line; 0 where none is noted. @param key names one import of one file */
  lastLine(key: string): Promise<number>;
  /** Notes that the rows up to `line` are on disk. Must not be called earlier. */
  note(key: string, line: number): Promise<void>;
  /** Removes the note of an import. Idempotent. */
  forget(key: string): Promise<void>;
}
