import type { SessionStore } from '../../../application/ports/session-store.js';
import type { Elevation, LiveSession, Session } from '../../../domain/accounts/session.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Sessions in a SQLite data file. */
export class SqliteSessionStore implements SessionStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  add(session: Session, passwordHash: string): Promise<boolean> {
    return this.#database.call('addSession', session, passwordHash);
  }

  find(id: string): Promise<LiveSession | undefined> {
    return this.#database.call('session', id);
  }

  findRecent(id: string): Promise<LiveSession | undefined> {
    return this.find(id);
  }

  list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return this.#database.call('sessions', now, userId ?? null);
  }

  countElevationAttempt(id: string): Promise<number> {
    return this.#database.call('countElevationAttempt', id);
  }

  forgetElevationAttempt(id: string): Promise<void> {
    return this.#database.call('forgetElevationAttempt', id);
  }

  elevate(id: string, elevation: Elevation): Promise<boolean> {
    return this.#database.call('elevateSession', id, elevation);
  }

  drop(id: string): Promise<void> {
    return this.#database.call('dropElevation', id);
  }

  end(id: string): Promise<boolean> {
    return this.#database.call('endSession', id);
  }

  endAll(userId: string): Promise<number> {
    return this.#database.call('endSessions', userId);
  }

  purge(now: number): Promise<void> {
    return this.#database.call('purgeSessions', now);
  }
}
