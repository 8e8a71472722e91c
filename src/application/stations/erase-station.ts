import type { Caller } from '#domain/accounts/audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { eraseRows } from './erase-rows.js';
import { unknownStation } from './find-station.js';
import { RECHECK_PERIOD } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** Permanently removes a station and its observations. The station may already be removed but still restorable. */
export class EraseStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(clock: Clock, stations: StationStore, events: StationEvents) {
    this.#clock = clock;
    this.#stations = stations;
    this.#events = events;
  }

  /**
   * Removes the station in a commit with its audit event, and then deletes the rows, which may take minutes. If deleting fails,
   * housekeeping deletes the remaining rows later.
   *
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string, caller: Caller): Promise<void> {
    const recheckAround = this.#clock.now() - RECHECK_PERIOD;
    const events = this.#events.of(caller, 'station-erase', id);
    if (!(await this.#stations.remove(id, { recheckAround, events }))) throw unknownStation(id);
    this.#events.announce();
    await eraseRows(this.#stations);
  }
}
