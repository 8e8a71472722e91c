import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Sessions in a SQLite data file. */
export class SqliteSessionStore implements SessionStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  find(id: string): Promise<LiveSession | undefined> {
    return this.#database.lookUp('session', id);
  }

  findRecent(id: string): Promise<LiveSession | undefined> {
    return this.find(id);
  }

  list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return this.#database.call('sessions', now, userId ?? null);
  }

  beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    return this.#database.call('beginElevation', id, limit);
  }

  takeBackElevation(id: string): Promise<void> {
    return this.#database.call('takeBackElevation', id);
  }

  elevate(id: string, elevation: Elevation, event: AuditEvent): Promise<boolean> {
    return this.#database.call('elevateSession', id, elevation, event);
  }

  drop(id: string): Promise<void> {
    return this.#database.call('dropElevation', id);
  }

  end(id: string, events: readonly AuditEvent[] = []): Promise<boolean> {
    return this.#database.call('endSession', id, events);
  }

  endAll(userId: string): Promise<number> {
    return this.#database.call('endSessions', userId);
  }

  purge(now: number): Promise<void> {
    return this.#database.call('purgeSessions', now);
  }
}
