import type { Check } from '#application/ports/check.js';
import type { BegunElevation, SessionStore } from '#application/ports/session-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Elevation, LiveSession } from '#domain/accounts/session.js';

/** Milliseconds between two attempts to write the ended sessions to the store. */
const RETRY_INTERVAL = 1000;
/** Maximum number of ended sessions that wait in memory to be written. */
const MAX_PENDING = 10_000;

/**
 * The end of a session with its audit events. `elevation` means that the session continues, and only its elevation has ended: the
 * user must enter the password again before an action that needs an elevated token.
 */
type End = { readonly events: readonly AuditEvent[] } | 'elevation';

/**
 * Remembers in memory which sessions have ended, while another store cannot write this, for example because the disk is full.
 * These sessions are refused at once, and the store is written as soon as it can be written. Use this class only for a store that
 * no other instance uses, because another instance would still accept these sessions.
 */
export class EndedSessions implements SessionStore, Check {
  readonly name = 'ended sessions';
  readonly #store: SessionStore;
  readonly #pending = new Map<string, End>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  async check(): Promise<string | undefined> {
    const { size } = this.#pending;
    return size === 0
      ? undefined
      : `${size} ended sessions are refused, but the store cannot write their ends yet.`;
  }

  async find(id: string, maxAge?: number): Promise<LiveSession | undefined> {
    return this.#withPending(await this.#store.find(id, maxAge));
  }

  async list(now: number, userId?: string): Promise<readonly LiveSession[]> {
    const sessions = await this.#store.list(now, userId);
    return sessions.map((session) => this.#withPending(session)).filter((session) => session !== undefined);
  }

  async beginElevation(id: string, limit: number): Promise<BegunElevation | undefined> {
    return this.#hasEnded(id) ? undefined : this.#store.beginElevation(id, limit);
  }

  uncountElevation(id: string): Promise<void> {
    return this.#store.uncountElevation(id);
  }

  async elevate(id: string, elevation: Elevation, event: AuditEvent): Promise<boolean> {
    if (this.#hasEnded(id)) return false;
    const isElevated = await this.#store.elevate(id, elevation, event);
    // The old elevation may have ended when the store could not write this. The store has now replaced the old elevation by the
    // new one, so the end of the old elevation need not be written any more.
    if (this.#pending.get(id) === 'elevation') this.#pending.delete(id);
    return isElevated;
  }

  async drop(id: string): Promise<void> {
    await this.#store.drop(id).catch((error: unknown) => {
      if (!this.#hasEnded(id)) this.#keep(id, 'elevation', error);
    });
  }

  async end(id: string, events: readonly AuditEvent[] = []): Promise<boolean> {
    if (this.#hasEnded(id)) return false;
    try {
      return await this.#store.end(id, events);
    } catch (error) {
      if ((await this.#store.find(id)) === undefined) throw error;
      this.#keep(id, { events }, error);
      return true;
    }
  }

  async endAll(userId: string): Promise<number> {
    try {
      return await this.#store.endAll(userId);
    } catch (error) {
      const sessions = await this.list(-Infinity, userId);
      for (const { id } of sessions) this.#keep(id, { events: [] }, error);
      return sessions.length;
    }
  }

  purge(now: number): Promise<void> {
    return this.#store.purge(now);
  }

  /**
   * Tries once more to write to the store which sessions have ended.
   *
   * @throws Error if the store cannot write this. These sessions are then valid again
   */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#write();
    } catch (cause) {
      const message = `the ends of ${this.#pending.size} sessions could not be stored; these sessions are valid again:`;
      throw new Error(message, { cause });
    }
  }

  #hasEnded(id: string): boolean {
    return typeof this.#pending.get(id) === 'object';
  }

  /**
   * Corrects a session that was read from the store, which may not know yet what has ended. Returns undefined if the session has
   * ended. Returns the session without its elevation if only the elevation has ended.
   */
  #withPending(session: LiveSession | undefined): LiveSession | undefined {
    if (session === undefined || this.#hasEnded(session.id)) return undefined;
    return this.#pending.has(session.id) ? { ...session, elevation: null } : session;
  }

  /**
   * Remembers that a session or its elevation has ended, if `error` means that the store is read-only. This is written to the
   * store later.
   *
   * @throws `error` for other reasons, or if too many ended sessions already wait to be written
   */
  #keep(id: string, end: End, error: unknown): void {
    if (!isDomainError(error, 'STORE_UNAVAILABLE') || !error.readOnly) throw error;
    if (this.#pending.size >= MAX_PENDING) throw error;
    this.#pending.set(id, end);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#write().catch(() => this.#schedule());
    }, RETRY_INTERVAL).unref();
  }

  async #write(): Promise<void> {
    for (const [id, end] of this.#pending) {
      if (end === 'elevation') await this.#store.drop(id);
      else await this.#store.end(id, end.events);
      if (this.#pending.get(id) === end) this.#pending.delete(id);
    }
  }
}
