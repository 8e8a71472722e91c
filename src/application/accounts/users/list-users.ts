import type { PublicUser } from '#domain/accounts/user.js';
import { withoutSecret } from '#domain/accounts/user.js';
import type { CredentialStore } from '../../ports/credential-store.js';

/** Lists the users in the order of their names. */
export class ListUsers {
  readonly #users: CredentialStore;

  constructor(users: CredentialStore) {
    this.#users = users;
  }

  async execute(): Promise<PublicUser[]> {
    return (await this.#users.list()).map(withoutSecret);
  }
}
