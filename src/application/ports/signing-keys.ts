import type { KeyLife } from '#domain/accounts/signing-key.js';

/** A public key with which other programs verify tokens (RFC 7517, RFC 7518 section 6.2). */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}

/** The keys that sign and verify tokens. Every method may reject with SIGNING_KEY_UNAVAILABLE. */
export interface SigningKeys {
  /** All keys, in the order of their `signsFrom`. */
  list(): Promise<readonly KeyLife[]>;
  /** The public keys that verify now, including keys that do not sign yet. */
  publicKeys(): Promise<readonly PublicKey[]>;
  /**
   * Creates a key that signs from `signsFrom` on. Earlier keys verify until `verifiesUntil`. The parameters are in milliseconds
   * since 1970-01-01T00:00:00Z.
   */
  rotate(signsFrom: number, verifiesUntil: number): Promise<KeyLife>;
  /**
   * Withdraws a key at once. Rejects with KEY_UNKNOWN if no key has this id, and with REQUEST_INVALID if no other key could sign.
   */
  retire(id: string): Promise<void>;
}
