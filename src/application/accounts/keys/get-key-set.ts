import type { PublicKey, SigningKeys } from '../../ports/signing-keys.js';

/** Returns the public keys with which other programs can verify tokens. */
export class GetKeySet {
  readonly #keys: SigningKeys;

  constructor(keys: SigningKeys) {
    this.#keys = keys;
  }

  async execute(): Promise<{ readonly keys: readonly PublicKey[] }> {
    return { keys: await this.#keys.publicKeys() };
  }
}
