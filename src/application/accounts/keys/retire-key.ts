import type { Caller } from '#domain/accounts/audit-event.js';
import type { SigningKeys } from '../../ports/signing-keys.js';
import type { AuditTrail } from '../audit-trail.js';

/** Withdraws a signing key. All tokens that it has signed become invalid. */
export class RetireKey {
  readonly #keys: SigningKeys;
  readonly #audit: AuditTrail;

  constructor(keys: SigningKeys, audit: AuditTrail) {
    this.#keys = keys;
    this.#audit = audit;
  }

  /** @throws DomainError KEY_UNKNOWN; REQUEST_INVALID if no other key could sign */
  async execute(input: { readonly id: string }, caller: Caller): Promise<void> {
    await this.#keys.retire(input.id);
    await this.#audit.record(caller, 'key-retire', input.id);
  }
}
