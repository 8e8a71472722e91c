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

/** Removes what no longer matters: expired sessions and counts, old events, stations that can no longer be restored. */
export class Housekeep {
  readonly #auditRetention: number;
  readonly #clock: Clock;
  readonly #sessions: SessionStore;
  readonly #throttle: Throttle;
  readonly #audit: AuditStore;
  readonly #stations: StationStore;
  readonly #trail: AuditTrail;

  /** @param auditRetention seconds */
  constructor(
    auditRetention: number,
    clock: Clock,
    sessions: SessionStore,
    throttle: Throttle,
    audit: AuditStore,
    stations: StationStore,
    trail: AuditTrail,
  ) {
    this.#auditRetention = auditRetention;
    this.#clock = clock;
    this.#sessions = sessions;
    this.#throttle = throttle;
    this.#audit = audit;
    this.#stations = stations;
    this.#trail = trail;
  }

  async execute(): Promise<void> {
    const now = this.#clock.now();
    await this.#sessions.purge(now / 1000);
    await this.#throttle.purge();
    await this.#audit.purge(now - this.#auditRetention * 1000);
    for (const id of await this.#stations.purge(now - RESTORABLE)) {
      await this.#trail.record(HOUSEKEEPING, 'station-erase', id);
    }
  }
}
