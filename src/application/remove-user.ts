import type { CredentialStore } from './ports/credential-store.js';
import { findUser } from './find-user.js';

/** Removes a user for good. */
export class RemoveUser {
  readonly #users: CredentialStore;

  constructor(users: CredentialStore) {
    this.#users = users;
  }

  /** @throws DomainError USER_UNKNOWN */
  async execute(input: { readonly name: string }): Promise<void> {
    const user = await findUser(this.#users, input.name);
    await this.#users.remove(user.id);
  }
}
