import { LRUCache } from 'lru-cache';
import type { Clock } from '#application/ports/clock.js';
import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';

/** Largest number of cached sessions. */
const MAX_CACHED = 10_000;

interface Cached {
  readonly session: LiveSession;
  /** Start of the read, as `Clock.uptime` in milliseconds. */
  readonly readAt: number;
}

/**
 * Caches the sessions of another store for callers that accept a session that was read at most `maxAge` ago. If this instance
 * ends a session, the end takes effect at once. If another instance ends a session, the end takes effect within `maxAge`.
 */
export class CachedSessions implements SessionStore {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, Cached>({ max: MAX_CACHED });
  /**
   * How many times this cache was told that sessions have ended. If the number changes during a read, a session has ended
   * meanwhile.
   */
  #generation = 0;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async find(id: string, maxAge = 0): Promise<LiveSession | undefined> {
    if (maxAge === 0) return await this.#store.find(id);
    const readAt = this.#clock.uptime();
    const cached = this.#cache.get(id);
    if (cached !== undefined && readAt - cached.readAt <= maxAge) return cached.session;
    const generation = this.#generation;
    const session = await this.#store.find(id);
    // If any session ended during the read, the result is not cached, because the ended session may be the session that was read.
    if (session !== undefined && generation === this.#generation) this.#cache.set(id, { session, readAt });
    return session;
  }

  list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return this.#store.list(now, userId);
  }

  beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    return this.#store.beginElevation(id, limit);
  }

  uncountElevation(id: string): Promise<void> {
    return this.#store.uncountElevation(id);
  }

  elevate(id: string, elevation: Elevation, event: AuditEvent): Promise<boolean> {
    return this.#store.elevate(id, elevation, event);
  }

  drop(id: string): Promise<void> {
    return this.#store.drop(id);
  }

  async end(id: string, events: readonly AuditEvent[] = []): Promise<boolean> {
    try {
      return await this.#store.end(id, events);
    } finally {
      // The session is removed from the cache even if the call has failed, because the store may have ended the session before
      // the failure. The number `#generation` is raised, so that a read in progress does not put the session into the cache
      // again.
      this.#generation += 1;
      this.#cache.delete(id);
    }
  }

  async endAll(userId: string): Promise<number> {
    try {
      return await this.#store.endAll(userId);
    } finally {
      this.forget();
    }
  }

  /** Empties the cache. Call it when sessions may have ended and their ids are not known. */
  forget(): void {
    this.#generation += 1;
    this.#cache.clear();
  }

  purge(now: number): Promise<void> {
    return this.#store.purge(now);
  }
}
