import { acceptNewPassword } from '../domain/password.js';
import { acceptEmail, acceptUserName, type User } from '../domain/user.js';
import type { Clock } from './ports/clock.js';
import type { CredentialStore } from './ports/credential-store.js';
import type { IdSource } from './ports/id-source.js';
import type { PasswordHasher } from './ports/password-hasher.js';

export interface NewUser {
  readonly name: string;
  readonly email: string | null;
  readonly password: string;
}

/** Makes a user who may sign in at once. */
export class AddUser {
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #users: CredentialStore;
  readonly #passwords: PasswordHasher;

  constructor(clock: Clock, ids: IdSource, users: CredentialStore, passwords: PasswordHasher) {
    this.#clock = clock;
    this.#ids = ids;
    this.#users = users;
    this.#passwords = passwords;
  }

  /** @throws DomainError REQUEST_INVALID for a name, email or password that breaks a rule; USER_EXISTS */
  async execute(input: NewUser): Promise<User> {
    const name = acceptUserName(input.name);
    const email = input.email === null ? null : acceptEmail(input.email);
    const passwordHash = await this.#passwords.hash(acceptNewPassword(input.password));
    const user = {
      id: this.#ids.next(),
      name,
      email,
      passwordHash,
      enabled: true,
      createdAt: this.#clock.now(),
    };
    await this.#users.add(user);
    return user;
  }
}
