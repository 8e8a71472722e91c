import type { KeyLife } from '../../domain/accounts/signing-key.js';

/** A public key for whoever verifies tokens (RFC 7517, RFC 7518 section 6.2). */
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
  /** Every key, in the order of the times from which they sign. */
  list(): Promise<readonly KeyLife[]>;
  /** The public keys of those that verify now, those that do not sign yet among them. */
  publicKeys(): Promise<readonly PublicKey[]>;
  /**
   * Makes a key that signs from `signsFrom` on, and lets those before it verify until `verifiesUntil`. Both in
   * milliseconds since 1970-01-01T00:00:00Z.
   */
  rotate(signsFrom: number, verifiesUntil: number): Promise<KeyLife>;
  /** Withdraws a key at once. Rejects with KEY_UNKNOWN; with REQUEST_INVALID when no other key could sign. */
  retire(id: string): Promise<void>;
}
