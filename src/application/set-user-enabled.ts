import type { CredentialStore } from './ports/credential-store.js';
import { findUser } from './find-user.js';

/** Lets a user sign in, or no longer. */
export class SetUserEnabled {
  readonly #users: CredentialStore;

  constructor(users: CredentialStore) {
    this.#users = users;
  }

  /** @throws DomainError USER_UNKNOWN */
  async execute(input: { readonly name: string; readonly enabled: boolean }): Promise<void> {
    const user = await findUser(this.#users, input.name);
    await this.#users.setEnabled(user.id, input.enabled);
  }
}
