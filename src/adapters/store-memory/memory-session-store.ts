import type { SessionStore } from '../../application/ports/session-store.js';
import type { Elevation, LiveSession, Session } from '../../domain/accounts/session.js';
import type { MemoryDatabase, StoredSession } from './memory-database.js';

/** Sessions in memory. */
export class MemorySessionStore implements SessionStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async add(session: Session, passwordHash: string): Promise<boolean> {
    const user = this.#database.users.get(session.userId);
    if (user === undefined || !user.enabled || user.passwordHash !== passwordHash) return false;
    this.#database.sessions.set(session.id, { ...session, elevationAttempts: 0 });
    return true;
  }

  async find(id: string): Promise<LiveSession | undefined> {
    const session = this.#database.sessions.get(id);
    return session === undefined ? undefined : this.#database.live(session);
  }

  findRecent(id: string): Promise<LiveSession | undefined> {
    return this.find(id);
  }

  async list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return [...this.#database.sessions.values()]
      .filter((session) => session.validTo > now && (userId === undefined || session.userId === userId))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
      .map((session) => this.#database.live(session));
  }

  async countElevationAttempt(id: string): Promise<number> {
    this.#update(id, ({ elevationAttempts: count }) => ({ elevationAttempts: count + 1 }));
    return this.#database.sessions.get(id)?.elevationAttempts ?? 0;
  }

  async forgetElevationAttempt(id: string): Promise<void> {
    this.#update(id, ({ elevationAttempts: count }) => ({ elevationAttempts: Math.max(count - 1, 0) }));
  }

  async elevate(id: string, elevation: Elevation): Promise<boolean> {
    return this.#update(id, () => ({ elevation, elevationAttempts: 0 }));
  }

  async drop(id: string): Promise<void> {
    this.#update(id, () => ({ elevation: null }));
  }

  async end(id: string): Promise<boolean> {
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
