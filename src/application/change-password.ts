import { acceptNewPassword } from '../domain/password.js';
import type { CredentialStore } from './ports/credential-store.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import { findUser } from './find-user.js';

/** Gives a user a new password. */
export class ChangePassword {
  readonly #users: CredentialStore;
  readonly #passwords: PasswordHasher;

  constructor(users: CredentialStore, passwords: PasswordHasher) {
    this.#users = users;
    this.#passwords = passwords;
  }

  /** @throws DomainError USER_UNKNOWN; REQUEST_INVALID when the password breaks a rule */
  async execute(input: { readonly name: string; readonly password: string }): Promise<void> {
    const password = acceptNewPassword(input.password);
    const user = await findUser(this.#users, input.name);
    await this.#users.setPasswordHash(user.id, await this.#passwords.hash(password));
  }
}
