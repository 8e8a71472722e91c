import type { AttemptLimit, Throttle } from '../../application/ports/throttle.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Counts of attempts in a SQLite data file. */
export class SqliteThrottle implements Throttle {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  count(key: string, limit: AttemptLimit): Promise<number> {
    return this.#database.call('countAttempt', key, limit);
  }

  forget(key: string, limit: AttemptLimit): Promise<void> {
    return this.#database.call('forgetAttempt', key, limit);
  }

  clear(key: string, limit: AttemptLimit): Promise<void> {
    return this.#database.call('clearAttempts', key, limit);
  }

  purge(): Promise<void> {
    return this.#database.call('purgeAttempts', Date.now());
  }
}
