import { readSecret, SECRET_BITS, secretText } from '#domain/uploads/upload-key.js';
import type { Secrets } from '../../ports/secrets.js';

/**
 * Makes the secrets of upload keys and their digests. The digest of a secret and that of an identity never agree, so that
 * nobody can use what a sender shows to everybody as a key.
 */
export class KeySecrets {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  make(): { readonly secret: string; readonly digest: string } {
    const secret = secretText(this.#secrets.random(SECRET_BITS / 8));
    return { secret, digest: this.#secrets.digest(`key ${secret}`) };
  }

  /** The digest of a typed secret; undefined for a text that cannot be one. */
  ofSecret(typed: string): string | undefined {
    const secret = readSecret(typed);
    return secret === undefined ? undefined : this.#secrets.digest(`key ${secret}`);
  }

  /** The digest of what a device sends by itself (PASSKEY, MAC). */
  ofIdentity(identity: string): string {
    return this.#secrets.digest(`identity ${identity}`);
  }

  /** The digest of an id and a password that somebody has chosen. */
  ofLogin(id: string, password: string): string {
    return this.#secrets.digest(`login ${JSON.stringify([id, password])}`);
  }

  areEqual(a: string, b: string): boolean {
    return this.#secrets.areEqual(a, b);
  }
}
