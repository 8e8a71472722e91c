import type { Caller } from '#domain/accounts/audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from './find-station.js';
import { JUDGED_AROUND } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** Removes a station. */
export class RemoveStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(clock: Clock, stations: StationStore, events: StationEvents) {
    this.#clock = clock;
    this.#stations = stations;
    this.#events = events;
  }

  /** Hides the station. It can be restored within `RESTORABLE`. @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const now = this.#clock.now();
    const events = this.#events.of(caller, 'station-remove', id);
    if (!(await this.#stations.hide(id, now, { recheckAround: now - JUDGED_AROUND, events })))
      throw unknownStation(id);
    this.#events.announce();
  }
}
