import { type PublicUser, withoutSecret } from '#domain/accounts/user.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import { findUser } from './find-user.js';

/** Returns one user. */
export class GetUser {
  readonly #users: CredentialStore;

  constructor(users: CredentialStore) {
    this.#users = users;
  }

  /** @throws DomainError USER_UNKNOWN */
  async execute(input: { readonly name: string }): Promise<PublicUser> {
    return withoutSecret(await findUser(this.#users, input.name));
  }
}
