import { type PublicUser, userText, withoutSecret } from '#domain/accounts/user.js';
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

  /** All fields of a user as text, for comparisons; see `userText`. @throws DomainError USER_UNKNOWN */
  async text(input: { readonly name: string }): Promise<string> {
    return userText(await findUser(this.#users, input.name));
  }
}
