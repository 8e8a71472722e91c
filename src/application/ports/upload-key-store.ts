import type { StoredUploadKey, UploadKey } from '#domain/uploads/upload-key.js';

export type UploadKeyChanges = Partial<
  Pick<
    StoredUploadKey,
    'note' | 'weak' | 'mappings' | 'settings' | 'digest' | 'rotatedAt' | 'previousDigest' | 'previousUntil'
  >
>;

/**
 * The upload keys. With an upload key a sender may write the observations of one station. The mappings of the key may assign some
 * fields of the sender to other stations, whose observations the sender may then write too. When a promise resolves, the data are
 * on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface UploadKeyStore {
  /** Changes whenever any instance adds, changes or removes a key. */
  version(): Promise<string>;
  /**
   * All keys in order of their numbers, including keys of hidden stations, which are removed but restorable. Erasing a station
   * deletes its keys.
   */
  keys(): Promise<readonly StoredUploadKey[]>;
  /** Adds a key. @returns its number; undefined if a key with this digest exists, or if no station has this number */
  add(key: Omit<StoredUploadKey, 'number'>): Promise<UploadKey['number'] | undefined>;
  /**
   * Changes a key.
   *
   * @param expected text of the mappings and settings that are replaced (see `uploadFieldsText`); undefined for any
   * @returns whether a key has this number and is as expected
   */
  change(number: number, changes: UploadKeyChanges, expected?: string): Promise<boolean>;
  /** Removes a key and its records. @returns whether a key had this number */
  remove(number: number): Promise<boolean>;
}
