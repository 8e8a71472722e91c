import { LRUCache } from 'lru-cache';
import type { Clock } from '../../application/ports/clock.js';
import type { BegunElevation, SessionStore } from '../../application/ports/session-store.js';
import type { AuditEvent } from '../../domain/accounts/audit-event.js';
import type { Elevation, LiveSession } from '../../domain/accounts/session.js';

/** Milliseconds for which what was true of a session counts as recent. */
const RECENT = 5000;
/** Sessions that are remembered. */
const REMEMBERED = 10_000;

/**
 * Sessions of another store, remembered for a moment. What this instance itself ends is over at once; what another one
 * ends, within `RECENT`.
 */
export class CachedSessions implements SessionStore {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #recent: LRUCache<string, LiveSession>;
  /** How often sessions have been ended here. */
  #generation = 0;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const perf = { now: () => clock.uptime() };
    this.#recent = new LRUCache({ max: REMEMBERED, ttl: RECENT, ttlResolution: 0, perf });
  }

  async find(id: string): Promise<LiveSession | undefined> {
    return await this.#store.find(id);
  }

  async findRecent(id: string): Promise<LiveSession | undefined> {
    const known = this.#recent.get(id);
    if (known !== undefined) return known;
    const start = this.#clock.uptime(); // What is read may be as old as the question.
    const generation = this.#generation;
    const session = await this.#store.find(id);
    // A session that ended while the store answered must not be remembered.
    if (session !== undefined && generation === this.#generation) this.#recent.set(id, session, { start });
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
      // Also where the store has not answered in time: it may have ended the session.
      this.#generation += 1;
      this.#recent.delete(id);
    }
  }

  async endAll(userId: string): Promise<number> {
    try {
      return await this.#store.endAll(userId);
    } finally {
      this.#generation += 1;
      this.#recent.clear();
    }
  }

  purge(now: number): Promise<void> {
    return this.#store.purge(now);
  }
}
