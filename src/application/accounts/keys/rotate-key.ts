import type { Caller } from '#domain/accounts/audit-event.js';
import type { KeyLife } from '#domain/accounts/signing-key.js';
import type { Clock } from '../../ports/clock.js';
import type { SigningKeys } from '../../ports/signing-keys.js';
import type { AuditTrail } from '../audit-trail.js';

/** Creates a signing key that replaces the current one. */
export class RotateKey {
  readonly #tokenDuration: number;
  readonly #clock: Clock;
  readonly #keys: SigningKeys;
  readonly #audit: AuditTrail;

  /** @param tokenDuration lifetime of a token in seconds */
  constructor(tokenDuration: number, clock: Clock, keys: SigningKeys, audit: AuditTrail) {
    this.#tokenDuration = tokenDuration;
    this.#clock = clock;
    this.#keys = keys;
    this.#audit = audit;
  }

  /** @param input.lead seconds between the publication of the key and its first signature */
  async execute(input: { readonly lead: number }, caller: Caller): Promise<KeyLife> {
    const signsFrom = this.#clock.now() + input.lead * 1000;
    const key = await this.#keys.rotate(signsFrom, signsFrom + this.#tokenDuration * 1000);
    await this.#audit.record(caller, 'key-rotate', key.id);
    return key;
  }
}
