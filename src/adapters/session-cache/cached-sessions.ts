import { LRUCache } from 'lru-cache';
import type { Clock } from '#application/ports/clock.js';
import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';

/** Milliseconds for which a session is cached. */
const MAX_AGE = 5000;
/** Largest number of cached sessions. */
const MAX_CACHED = 10_000;

/**
 * Caches the sessions of another store for a short time. An end of a session by this instance takes effect at once, by
 * another instance within `MAX_AGE`.
 */
export class CachedSessions implements SessionStore {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #cache: LRUCache<string, LiveSession>;
  /** Number of sessions that were ended here. */
  #generation = 0;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const perf = { now: () => clock.uptime() };
    this.#cache = new LRUCache({ max: MAX_CACHED, ttl: MAX_AGE, ttlResolution: 0, perf });
  }

  async find(id: string): Promise<LiveSession | undefined> {
    return await this.#store.find(id);
  }

  async findRecent(id: string): Promise<LiveSession | undefined> {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const start = this.#clock.uptime(); // The age counts from the start of the read.
    const generation = this.#generation;
    const session = await this.#store.find(id);
    // A session that ended during the read must not be cached.
    if (session !== undefined && generation === this.#generation) this.#cache.set(id, session, { start });
    return session;
  }

  list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    return this.#store.list(now, userId);
  }

  beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    return this.#store.beginElevation(id, limit);
  }

  takeBackElevation(id: string): Promise<void> {
    return this.#store.takeBackElevation(id);
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
      // Done after a failure too, because the store may have ended the session.
      this.#generation += 1;
      this.#cache.delete(id);
    }
  }

  async endAll(userId: string): Promise<number> {
    try {
      return await this.#store.endAll(userId);
    } finally {
      this.#generation += 1;
      this.#cache.clear();
    }
  }

  purge(now: number): Promise<void> {
    return this.#store.purge(now);
  }
}
