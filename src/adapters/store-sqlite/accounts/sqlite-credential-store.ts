import type { CredentialStore, UserChanges } from '#application/ports/credential-store.js';
import type { User } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { UserOutcome } from './credential-operations.js';

/** Users in a SQLite data file. */
export class SqliteCredentialStore implements CredentialStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  findByName(nameKey: string): Promise<User | undefined> {
    return this.#database.call('userByName', nameKey);
  }

  list(): Promise<readonly User[]> {
    return this.#database.call('users');
  }

  async add(user: User): Promise<void> {
    assertDone(await this.#database.call('addUser', user));
  }

  async change(id: string, changes: UserChanges): Promise<void> {
    assertDone(await this.#database.call('changeUser', id, changes));
  }

  async remove(id: string): Promise<void> {
    if (!(await this.#database.call('removeUser', id))) throw userUnknownError();
  }

  takeNewReaders(): Promise<number> {
    return this.#database.call('takeNewReaders');
  }
}

function assertDone(outcome: UserOutcome): void {
  if (outcome === 'unknown') throw userUnknownError();
  if (outcome === 'taken') throw nameTakenError();
  if (outcome === 'done') return;
  throw new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(outcome.noStation)}.`);
}

function nameTakenError(): DomainError {
  return new DomainError('USER_EXISTS', 'A user with this name or email exists already.');
}

function userUnknownError(): DomainError {
  return new DomainError('USER_UNKNOWN', 'There is no such user.');
}
