import type { Caller } from '../../domain/accounts/audit-event.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from './find-station.js';

/** Removes a station. */
export class RemoveStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, stations: StationStore, audit: AuditTrail) {
    this.#clock = clock;
    this.#stations = stations;
    this.#audit = audit;
  }

  /** Hides it; for as long as `RESTORABLE` it can be restored. @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    if (!(await this.#stations.hide(id, this.#clock.now()))) throw unknownStation(id);
    await this.#audit.record(caller, 'station-remove', id);
  }
}
