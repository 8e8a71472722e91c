import type { AuditTrail } from './audit-trail.js';
import type { AuditStore } from './ports/audit-store.js';
import type { Clock } from './ports/clock.js';
import type { SessionStore } from './ports/session-store.js';
import type { Throttle } from './ports/throttle.js';

/** Milliseconds between two rounds. */
export const HOUSEKEEPING_INTERVAL = 3_600_000;

export interface HousekeepDependencies {
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly throttle: Throttle;
  readonly audit: AuditStore;
  readonly trail: AuditTrail;
}

/** Removes what no longer matters: expired sessions and counts, and events beyond the time they are kept. */
export class Housekeep {
  readonly #auditRetention: number;
  readonly #with: HousekeepDependencies;

  /** @param auditRetention seconds */
  constructor(auditRetention: number, dependencies: HousekeepDependencies) {
    this.#auditRetention = auditRetention;
    this.#with = dependencies;
  }

  async execute(): Promise<void> {
    const { clock, sessions, throttle, audit, trail } = this.#with;
    const now = clock.now();
    await sessions.purge(now / 1000);
    await throttle.purge();
    await trail.flush();
    await audit.purge(now - this.#auditRetention * 1000);
  }
}
