import { readSecret, SECRET_BITS, secretText } from '#domain/secret-text.js';
import type { Secrets } from '../../ports/secrets.js';

/**
 * Creates the secrets of upload keys, and the digests by which keys are found. An identity is a text by which a device names
 * itself in its uploads (PASSKEY, MAC), so other people may know it. The digest of a secret never equals the digest of an
 * identity. Otherwise an identity could be used as the secret of a key.
 */
export class KeySecrets {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  create(): { readonly secret: string; readonly digest: string } {
    const secret = secretText(this.#secrets.random(SECRET_BITS / 8));
    return { secret, digest: this.#secrets.digest(`key ${secret}`) };
  }

  /** The digest of an entered secret; undefined for a text that cannot be a secret. */
  ofSecret(typed: string): string | undefined {
    const secret = readSecret(typed);
    return secret === undefined ? undefined : this.#secrets.digest(`key ${secret}`);
  }

  /** The digest of an identity that a device sends (PASSKEY, MAC). */
  ofIdentity(identity: string): string {
    return this.#secrets.digest(`identity ${identity}`);
  }

  /** The digest of an id and a password that a person has chosen. */
  ofLogin(id: string, password: string): string {
    return this.#secrets.digest(`login ${JSON.stringify([id, password])}`);
  }

  areEqual(a: string, b: string): boolean {
    return this.#secrets.areEqual(a, b);
  }
}
