import type { Caller } from '#domain/accounts/audit-event.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { AuditTrail } from '../audit-trail.js';
import { findUser } from './find-user.js';

/** Removes a user permanently and ends the user's sessions. */
export class RemoveUser {
  readonly #users: CredentialStore;
  readonly #audit: AuditTrail;

  constructor(users: CredentialStore, audit: AuditTrail) {
    this.#users = users;
    this.#audit = audit;
  }

  /** @throws DomainError USER_UNKNOWN */
  async execute(input: { readonly name: string }, caller: Caller): Promise<void> {
    const user = await findUser(this.#users, input.name);
    await this.#users.remove(user.id);
    await this.#audit.record(caller, 'user-remove', user.name);
  }
}
