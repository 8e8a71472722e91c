import type { AuditStore } from './ports/audit-store.js';
import type { Clock } from './ports/clock.js';
import type { SessionStore } from './ports/session-store.js';
import type { Throttle } from './ports/throttle.js';

/** Milliseconds between two rounds. */
export const HOUSEKEEPING_INTERVAL = 3_600_000;

/** Removes what no longer matters: expired sessions and counts, and events beyond the time they are kept. */
export class Housekeep {
  readonly #auditRetention: number;
  readonly #clock: Clock;
  readonly #sessions: SessionStore;
  readonly #throttle: Throttle;
  readonly #audit: AuditStore;

  /** @param auditRetention seconds */
  constructor(
    auditRetention: number,
    clock: Clock,
    sessions: SessionStore,
    throttle: Throttle,
    audit: AuditStore,
  ) {
    this.#auditRetention = auditRetention;
    this.#clock = clock;
    this.#sessions = sessions;
    this.#throttle = throttle;
    this.#audit = audit;
  }

  async execute(): Promise<void> {
    const now = this.#clock.now();
    await this.#sessions.purge(now / 1000);
    await this.#throttle.purge();
    await this.#audit.purge(now - this.#auditRetention * 1000);
  }
}
