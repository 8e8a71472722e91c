import type { CredentialStore } from '../../application/ports/credential-store.js';
import { DomainError } from '../../domain/domain-error.js';
import type { User } from '../../domain/user.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Users in a SQLite data file. */
export class SqliteCredentialStore implements CredentialStore {
  readonly name = 'credential store';
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  findByName(nameKey: string): Promise<User | undefined> {
    return this.#database.call('userByName', nameKey);
  }

  findByEmail(emailKey: string): Promise<User | undefined> {
    return this.#database.call('userByEmail', emailKey);
  }

  list(): Promise<readonly User[]> {
    return this.#database.call('users');
  }

  async add(user: User): Promise<void> {
    if (!(await this.#database.call('addUser', user))) {
      throw new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
    }
  }

  async setEnabled(id: string, enabled: boolean): Promise<void> {
    assertKnown(await this.#database.call('setUserEnabled', id, enabled));
  }

  async setPasswordHash(id: string, passwordHash: string): Promise<void> {
    assertKnown(await this.#database.call('setUserPasswordHash', id, passwordHash));
  }

  async remove(id: string): Promise<void> {
    assertKnown(await this.#database.call('removeUser', id));
  }

  async check(): Promise<void> {
    await this.#database.call('check');
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

function assertKnown(found: boolean): void {
  if (!found) throw new DomainError('USER_UNKNOWN', 'There is no such user.');
}
