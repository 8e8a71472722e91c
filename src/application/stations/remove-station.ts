import type { Caller } from '../../domain/accounts/audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from './find-station.js';
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
    if (!(await this.#stations.hide(id, this.#clock.now()))) throw unknownStation(id);
    await this.#events.record(caller, 'station-remove', id);
  }
}
