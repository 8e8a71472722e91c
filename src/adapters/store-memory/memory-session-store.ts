import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';
import type { MemoryDatabase, StoredSession } from './memory-database.js';

/** Sessions in memory. */
export class MemorySessionStore implements SessionStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async find(id: string): Promise<LiveSession | undefined> {
    const session = this.#database.sessions.get(id);
    return session === undefined ? undefined : this.#database.live(session);
  }

  async list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return [...this.#database.sessions.values()]
      .filter((session) => session.validTo > now && (userId === undefined || session.userId === userId))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
      .map((session) => this.#database.live(session));
  }

  async beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    const session = this.#database.sessions.get(id);
    if (session === undefined) return undefined;
    const attempts = session.elevationAttempts + 1;
    if (attempts <= limit) this.#update(id, () => ({ elevationAttempts: attempts }));
    return { attempts, passwordHash: this.#database.users.get(session.userId)?.passwordHash ?? '' };
  }

  async takeBackElevation(id: string): Promise<void> {
    this.#update(id, ({ elevationAttempts: count }) => ({ elevationAttempts: Math.max(count - 1, 0) }));
  }

  async elevate(id: string, { tokenId, validTo }: Elevation, event: AuditEvent): Promise<boolean> {
    const elevation = { tokenId, validTo };
    const elevated = this.#update(id, () => ({ elevation, elevationAttempts: 0 }));
    if (elevated) this.#database.appendEvents([event]);
    return elevated;
  }

  async drop(id: string): Promise<void> {
    this.#update(id, () => ({ elevation: null }));
  }

  async end(id: string, events: readonly AuditEvent[] = []): Promise<boolean> {
    this.#database.appendEvents(events);
    return this.#database.sessions.delete(id);
  }

  async endAll(userId: string): Promise<number> {
    return this.#database.endSessions(userId);
  }

  async purge(now: number): Promise<void> {
    for (const { id, validTo } of this.#database.sessions.values()) {
      if (validTo < now) this.#database.sessions.delete(id);
    }
  }

  #update(id: string, change: (session: StoredSession) => Partial<StoredSession>): boolean {
    const session = this.#database.sessions.get(id);
    if (session === undefined) return false;
    this.#database.sessions.set(id, { ...session, ...change(session) });
    return true;
  }
}
