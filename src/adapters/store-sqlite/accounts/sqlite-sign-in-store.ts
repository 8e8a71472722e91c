import type {
  BegunSignIn,
  PresentedKeys,
  SignInStore,
  SignInSuccess,
} from '#application/ports/sign-in-store.js';
import type { AttemptCounter } from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Attempts to sign in, in a SQLite data file. */
export class SqliteSignInStore implements SignInStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  begin(keys: PresentedKeys, counters: readonly AttemptCounter[], now: number): Promise<BegunSignIn> {
    return this.#database.call('beginSignIn', keys, counters, now);
  }

  finish(success: SignInSuccess, events: readonly AuditEvent[]): Promise<boolean> {
    return this.#database.call('finishSignIn', success, events);
  }

  takeBack(counters: readonly AttemptCounter[]): Promise<void> {
    return this.#database.call('takeBackSignIn', counters);
  }

  purge(now: number): Promise<void> {
    return this.#database.call('purgeAttempts', now);
  }
}
