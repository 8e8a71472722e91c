/**
 * How far imports of files have come. It is kept where the observations are, so that it never tells of rows in another
 * database. Every method may reject with STORE_UNAVAILABLE.
 */
export interface ImportLog {
  /** The last line whose rows have been written, as noted; 0 where nothing is noted. @param key names one import of one file */
  lastLine(key: string): Promise<number>;
  /** To be called when the rows up to `line` are on disk, and not before. */
  note(key: string, line: number): Promise<void>;
  /** Removes what is noted. Idempotent. */
  forget(key: string): Promise<void>;
}
