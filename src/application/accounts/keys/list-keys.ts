import { isVerifying, type KeyLife, signerAt } from '#domain/accounts/signing-key.js';
import type { Clock } from '../../ports/clock.js';
import type { SigningKeys } from '../../ports/signing-keys.js';

/**
 * The state of a signing key. `published`: the key does not sign yet. `signing`: the key signs new tokens. `verifying`: the key
 * was replaced, and tokens that it has signed are still valid. `expired`: all tokens that the key has signed have expired.
 * `retired`: the key was withdrawn.
 */
export type KeyState = 'published' | 'signing' | 'verifying' | 'expired' | 'retired';

/** Lists the signing keys with their states. */
export class ListKeys {
  readonly #clock: Clock;
  readonly #keys: SigningKeys;

  constructor(clock: Clock, keys: SigningKeys) {
    this.#clock = clock;
    this.#keys = keys;
  }

  async execute(): Promise<(KeyLife & { readonly state: KeyState })[]> {
    const keys = await this.#keys.list();
    const now = this.#clock.now();
    const signer = signerAt(keys, now);
    return keys.map((key) => ({ ...key, state: stateOf(key, key.id === signer?.id, now) }));
  }
}

function stateOf(key: KeyLife, isSigner: boolean, now: number): KeyState {
  if (key.retiredAt !== null) return 'retired';
  if (!isVerifying(key, now)) return 'expired';
  if (isSigner) return 'signing';
  return key.signsFrom > now ? 'published' : 'verifying';
}
