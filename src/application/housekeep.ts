import { HOUSEKEEPING } from '../domain/audit-event.js';
import { RESTORABLE } from '../domain/station.js';
import type { AuditTrail } from './audit-trail.js';
import type { AuditStore } from './ports/audit-store.js';
import type { Clock } from './ports/clock.js';
import type { SessionStore } from './ports/session-store.js';
import type { StationStore } from './ports/station-store.js';
import type { Throttle } from './ports/throttle.js';

/** Milliseconds between two rounds. */
export const HOUSEKEEPING_INTERVAL = 3_600_000;

export interface HousekeepDependencies {
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly throttle: Throttle;
  readonly audit: AuditStore;
  readonly stations: StationStore;
  readonly trail: AuditTrail;
}

/** Removes what no longer matters: expired sessions and counts, old events, stations that can no longer be restored. */
export class Housekeep {
  readonly #auditRetention: number;
  readonly #with: HousekeepDependencies;

  /** @param auditRetention seconds */
  constructor(auditRetention: number, dependencies: HousekeepDependencies) {
    this.#auditRetention = auditRetention;
    this.#with = dependencies;
  }

  async execute(): Promise<void> {
    const { clock, sessions, throttle, audit, stations, trail } = this.#with;
    const now = clock.now();
    await sessions.purge(now / 1000);
    await throttle.purge();
    await trail.flush();
    await audit.purge(now - this.#auditRetention * 1000);
    for (const id of await stations.purge(now - RESTORABLE)) {
      await trail.record(HOUSEKEEPING, 'station-erase', id);
    }
  }
}
