import type { Caller } from '#domain/accounts/audit-event.js';
import type { Station } from '#domain/weather/station.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from './find-station.js';
import { RECHECK_PERIOD } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** Restores a removed station with its number, its observations and its grants, which permit users to write its observations. */
export class RestoreStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(clock: Clock, stations: StationStore, events: StationEvents) {
    this.#clock = clock;
    this.#stations = stations;
    this.#events = events;
  }

  /** Does nothing if the station is not removed. @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<Station> {
    const events = this.#events.of(caller, 'station-restore', id);
    const recheckAround = this.#clock.now() - RECHECK_PERIOD;
    if (await this.#stations.restore(id, { recheckAround, events })) this.#events.announce();
    return await findStation(this.#stations, id);
  }
}
