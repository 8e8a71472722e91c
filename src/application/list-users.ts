import type { User } from '../domain/user.js';
import type { CredentialStore } from './ports/credential-store.js';

/** Lists the users, without their password hashes, in the order of their names. */
export class ListUsers {
  readonly #users: CredentialStore;

  constructor(users: CredentialStore) {
    this.#users = users;
  }

  async execute(): Promise<Omit<User, 'passwordHash'>[]> {
    const users = await this.#users.list();
    return users.map(({ passwordHash: _secret, ...user }) => user);
  }
}
