import type { Throttle } from '../../../application/ports/throttle.js';
import type { AttemptCounter } from '../../../domain/accounts/attempts.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Counts of attempts in a SQLite data file. */
export class SqliteThrottle implements Throttle {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  count(counters: readonly AttemptCounter[]): Promise<number> {
    return this.#database.call('countAttempt', counters);
  }

  forget(counters: readonly AttemptCounter[]): Promise<void> {
    return this.#database.call('forgetAttempt', counters);
  }

  clear(cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): Promise<void> {
    return this.#database.call('clearAttempts', cleared, forgotten);
  }

  purge(): Promise<void> {
    return this.#database.call('purgeAttempts', Date.now());
  }
}
