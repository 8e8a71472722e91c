import type { CredentialStore, UserChanges } from '../../application/ports/credential-store.js';
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

  findById(id: string): Promise<User | undefined> {
    return this.#database.call('userById', id);
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
    if (!(await this.#database.call('addUser', user))) throw taken();
  }

  async change(id: string, changes: UserChanges): Promise<void> {
    const outcome = await this.#database.call('changeUser', id, changes);
    if (outcome === 'unknown') throw unknown();
    if (outcome === 'taken') throw taken();
  }

  async remove(id: string): Promise<void> {
    if (!(await this.#database.call('removeUser', id))) throw unknown();
  }

  async check(): Promise<undefined> {
    await this.#database.check();
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

function taken(): DomainError {
  return new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
}

function unknown(): DomainError {
  return new DomainError('USER_UNKNOWN', 'There is no such user.');
}
