import type { KeyLife } from '#domain/accounts/signing-key.js';

/** A signing key in the store. */
export interface StoredKey extends KeyLife {
  /** The private key, as PKCS #8 in PEM; null for a retired key. */
  readonly privateKey: string | null;
}

/**
 * Stores the signing keys for all instances that share the keys. When a promise resolves, the data are on disk. Every method may
 * reject with SIGNING_KEY_UNAVAILABLE.
 */
export interface KeyStore {
  /**
   * The keys that the last `list` skipped because they cannot be read or are not keys. Each entry is a short text for the
   * operator, without the content and the folder of the key.
   */
  readonly damaged: readonly string[];
  /** All readable keys, including retired keys, in any order. */
  list(): Promise<readonly StoredKey[]>;
  add(key: StoredKey): Promise<void>;
  /** Sets the time until which tokens that the key has signed are accepted. Does nothing if the key does not exist. */
  setVerifiesUntil(id: string, time: number): Promise<void>;
  /** Marks a key as retired and destroys its private part. Does nothing if the key does not exist. */
  retire(id: string, time: number): Promise<void>;
}
