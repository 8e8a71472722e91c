/**
 * A small text with a name: the rain counters of a device, the status of an upload key, the list of pending senders (senders
 * without an upload key), a setting, or the notices of a station. A record is written only if its stored revision is still the
 * revision that the writer has read. So a writer never overwrites a change that it has not read.
 */
export interface StoredRecord {
  readonly name: string;
  /** Number of the upload key of the record. Removing the key removes the record. Null if the record belongs to no key. */
  readonly key: number | null;
  /** When read: the current revision. When written: the revision to replace, or 0 for a record that does not exist yet. */
  readonly revision: number;
  readonly text: string;
  /** Time of the record in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
}

/**
 * Small texts by name. `ObservationStore.write` can write records too, in the transaction of rows. When a promise resolves,
 * the data are on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface RecordStore {
  /** The records whose names begin with `prefix`, sorted by name. */
  records(prefix: string): Promise<readonly StoredRecord[]>;
  /** The record with this name. */
  record(name: string): Promise<StoredRecord | undefined>;
  /**
   * Writes records in one transaction. The stored revision becomes `revision` + 1.
   *
   * @returns the names of the records that were not written, because the stored revision differs or the key does not exist
   */
  put(records: readonly StoredRecord[]): Promise<readonly string[]>;
  /** Removes the records older than `time` (ms since 1970-01-01T00:00:00Z) whose names begin with `prefix`. */
  purge(prefix: string, time: number): Promise<void>;
}
