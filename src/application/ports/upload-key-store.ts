import type { StoredUploadKey, UploadKey } from '#domain/uploads/upload-key.js';

export type UploadKeyChanges = Partial<
  Pick<
    StoredUploadKey,
    'note' | 'weak' | 'mappings' | 'settings' | 'digest' | 'rotatedAt' | 'previousDigest' | 'previousUntil'
  >
>;

/** Upload keys. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE. */
export interface UploadKeyStore {
  /** Changes whenever any instance adds, changes or removes a key. */
  version(): Promise<string>;
  /** All keys by rising number, those of hidden stations included. Those of erased stations are gone. */
  keys(): Promise<readonly StoredUploadKey[]>;
  /** Adds a key. @returns its number; undefined if a key with this digest exists, or no station has this number */
  add(key: Omit<StoredUploadKey, 'number'>): Promise<UploadKey['number'] | undefined>;
  /** @returns whether there is a key with this number */
  change(number: number, changes: UploadKeyChanges): Promise<boolean>;
  /** Removes a key and its records. @returns whether there was a key with this number */
  remove(number: number): Promise<boolean>;
}
