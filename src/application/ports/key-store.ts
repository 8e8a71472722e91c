import type { KeyLife } from '../../domain/accounts/signing-key.js';

/** A signing key as it is kept. */
export interface StoredKey extends KeyLife {
  /** PKCS #8 in PEM; null once it has been retired. */
  readonly privateKey: string | null;
}

/**
 * Where signing keys are kept, for all instances that share it. What a promise has confirmed is on disk. Every method
 * may reject with SIGNING_KEY_UNAVAILABLE.
 */
export interface KeyStore {
  /**
   * What the last `list` has passed over because it cannot be read or is no key, each in a few words for people, without
   * its content and its folder.
   */
  readonly damaged: readonly string[];
  /** Every key that can be read, retired ones too, in no order. */
  list(): Promise<readonly StoredKey[]>;
  /** Stores a new key. */
  add(key: StoredKey): Promise<void>;
  /** Sets when a key ceases to verify. That there is no such key is no error. */
  setVerifiesUntil(id: string, time: number): Promise<void>;
  /** Marks a key as retired and destroys its private part. That there is no such key is no error. */
  retire(id: string, time: number): Promise<void>;
}
