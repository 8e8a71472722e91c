/**
 * A text about uploads that changes often: the rain counters of a source, the status of a key, the list of pending senders.
 * It is written only if it still has the revision that the writer has read, so that no two writers lose a change.
 */
export interface UploadRecord {
  readonly name: string;
  /** Number of the key to which it belongs, and with which it is removed; null if it belongs to none. */
  readonly key: number | null;
  /** The revision that is replaced; 0 for a record that does not exist yet. A reader gets the present revision. */
  readonly revision: number;
  readonly text: string;
  /** Milliseconds since 1970-01-01T00:00:00Z at which it was made. */
  readonly time: number;
}

/**
 * Records about uploads. `ObservationStore.write` can write records too, in the transaction of rows. When a promise resolves,
 * the data are on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface UploadRecordStore {
  /** The records whose names begin with `prefix`, by name. */
  records(prefix: string): Promise<readonly UploadRecord[]>;
  /** The record with this name. */
  record(name: string): Promise<UploadRecord | undefined>;
  /**
   * Writes records, each as revision + 1, in one transaction.
   *
   * @returns the names of those that were left out, because the stored revision is another one or there is no such key
   */
  put(records: readonly UploadRecord[]): Promise<readonly string[]>;
  /** Removes the records whose names begin with `prefix` and that are older than `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(prefix: string, time: number): Promise<void>;
}
