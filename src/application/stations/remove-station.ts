import type { Caller } from '#domain/accounts/audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from './find-station.js';
import { RECHECK_PERIOD } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** Removes a station. It can be restored within `RESTORABLE`. */
export class RemoveStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(clock: Clock, stations: StationStore, events: StationEvents) {
    this.#clock = clock;
    this.#stations = stations;
    this.#events = events;
  }

  /** @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const now = this.#clock.now();
    const events = this.#events.of(caller, 'station-remove', id);
    if (!(await this.#stations.hide(id, now, { recheckAround: now - RECHECK_PERIOD, events })))
      throw unknownStation(id);
    this.#events.announce();
  }
}
