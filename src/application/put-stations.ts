import type { Caller } from '../domain/audit-event.js';
import { DomainError } from '../domain/domain-error.js';
import { acceptStation, type StationDraft } from '../domain/station.js';
import type { AuditTrail } from './audit-trail.js';
import type { Calendar } from './ports/calendar.js';
import type { StationChange, StationStore } from './ports/station-store.js';

/** Makes stations, or changes what is said of them. */
export class PutStations {
  readonly #stations: StationStore;
  readonly #calendar: Calendar;
  readonly #audit: AuditTrail;

  constructor(stations: StationStore, calendar: Calendar, audit: AuditTrail) {
    this.#stations = stations;
    this.#calendar = calendar;
    this.#audit = audit;
  }

  /** All or none. @throws DomainError REQUEST_INVALID for a draft that breaks a rule */
  async execute(drafts: readonly StationDraft[], caller: Caller): Promise<readonly StationChange[]> {
    const accepted = drafts.map((draft) => {
      if (!this.#calendar.hasZone(draft.timeZone)) {
        throw new DomainError(
          'REQUEST_INVALID',
          `There is no time zone ${JSON.stringify(draft.timeZone)}: an IANA name is needed, like Europe/Oslo.`,
        );
      }
      return acceptStation(draft);
    });
    const changes = await this.#stations.put(accepted);
    const subject = changes.length === 1 ? (changes[0]?.station.id ?? '') : `${changes.length} stations`;
    await this.#audit.record(caller, 'station-put', subject);
    return changes;
  }
}
