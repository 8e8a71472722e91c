import type { StoredUploadKey, UploadKey } from '#domain/uploads/upload-key.js';

/**
 * A text about uploads or hooks that changes often: the rain counters of a source, the status of a key, the list of pending
 * senders, the positions of a hook.
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

export type UploadKeyChanges = Partial<
  Pick<
    StoredUploadKey,
    'note' | 'weak' | 'mappings' | 'settings' | 'digest' | 'rotatedAt' | 'previousDigest' | 'previousUntil'
  >
>;

/**
 * Upload keys, and records about uploads. `ObservationStore.write` can write records too, in the transaction of rows. When a
 * promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface UploadStore {
  /** Changes whenever any instance adds, changes or removes a key. */
  version(): Promise<string>;
  /** All keys by rising number, those of hidden stations included. Those of erased stations are gone. */
  keys(): Promise<readonly StoredUploadKey[]>;
  /** Adds a key. @returns its number; undefined if a key with this digest exists, or no station has this number */
  addKey(key: Omit<StoredUploadKey, 'number'>): Promise<UploadKey['number'] | undefined>;
  /** @returns whether there is a key with this number */
  changeKey(number: number, changes: UploadKeyChanges): Promise<boolean>;
  /** Removes a key and its records. @returns whether there was a key with this number */
  removeKey(number: number): Promise<boolean>;
  /** The records whose names begin with `prefix`, by name. */
  records(prefix: string): Promise<readonly UploadRecord[]>;
  /** The record with this name. */
  record(name: string): Promise<UploadRecord | undefined>;
  /**
   * As `record`, for a record that is read regularly, also while nobody uses the service: it starts no thread, but may have
   * to wait for a write.
   */
  presentRecord(name: string): Promise<UploadRecord | undefined>;
  /**
   * Writes records, each as revision + 1, in one transaction.
   *
   * @returns the names of those that were left out, because the stored revision is another one or there is no such key
   */
  put(records: readonly UploadRecord[]): Promise<readonly string[]>;
  /** Removes the records whose names begin with `prefix` and that are older than `time` (milliseconds since 1970-01-01T00:00:00Z). */
  purge(prefix: string, time: number): Promise<void>;
}
