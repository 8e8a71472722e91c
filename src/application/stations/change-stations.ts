import type { Caller } from '../../domain/accounts/audit-event.js';
import { DomainError } from '../../domain/domain-error.js';
import type { StationEdit } from '../../domain/weather/station-edit.js';
import { acceptStation, type StationDraft } from '../../domain/weather/station.js';
import type { Calendar } from '../ports/calendar.js';
import type { StationChange, StationStore } from '../ports/station-store.js';
import type { StationEvents } from './station-events.js';

/** Creates stations, or changes some of their fields. */
export class ChangeStations {
  readonly #stations: StationStore;
  readonly #calendar: Calendar;
  readonly #events: StationEvents;

  constructor(stations: StationStore, calendar: Calendar, events: StationEvents) {
    this.#stations = stations;
    this.#calendar = calendar;
    this.#events = events;
  }

  /**
   * Applies the edits in the given order, all or none.
   *
   * @throws DomainError REQUEST_INVALID for a field that breaks a rule; STATION_UNKNOWN, STATION_EXISTS,
   *   STATION_REMOVED
   */
  async execute(edits: readonly StationEdit[], caller: Caller): Promise<readonly StationChange[]> {
    const accepted = edits.map(({ id, change, identify, make }) => ({
      ...acceptStation({ id }),
      ...(change && { change: this.#accept(change) }),
      ...(identify && { identify }),
      ...(make && { make: this.#accept(make) }),
    }));
    const changes = await this.#stations.change(accepted);
    const subject = changes.length === 1 ? (changes[0]?.station.id ?? '') : `${changes.length} stations`;
    await this.#events.record(caller, 'station-put', subject);
    return changes;
  }

  #accept<T extends Partial<StationDraft>>(fields: T): T {
    const { timeZone } = fields;
    if (timeZone !== undefined && !this.#calendar.hasZone(timeZone)) {
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no time zone ${JSON.stringify(timeZone)}: an IANA name is needed, like Europe/Oslo.`,
      );
    }
    return acceptStation(fields);
  }
}
