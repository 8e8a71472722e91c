import type { Caller } from '../domain/audit-event.js';
import type { AuditTrail } from './audit-trail.js';
import { findStation } from './find-station.js';
import type { StationStore } from './ports/station-store.js';

/** Removes a station for good, with its observations. */
export class RemoveStation {
  readonly #stations: StationStore;
  readonly #audit: AuditTrail;

  constructor(stations: StationStore, audit: AuditTrail) {
    this.#stations = stations;
    this.#audit = audit;
  }

  /** @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const station = await findStation(this.#stations, id);
    await this.#stations.remove(station.id);
    await this.#audit.record(caller, 'station-remove', station.id);
  }
}
