import type { Caller } from '../../domain/accounts/audit-event.js';
import type { StationStore } from '../ports/station-store.js';
import { eraseRows } from './erase-rows.js';
import { unknownStation } from './find-station.js';
import type { StationEvents } from './station-events.js';

/** Removes a station for good, with its observations; one that has been removed already, too. */
export class EraseStation {
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(stations: StationStore, events: StationEvents) {
    this.#stations = stations;
    this.#events = events;
  }

  /**
   * The station is gone and written down before its rows are deleted, which may take minutes. Where deleting fails,
   * housekeeping goes on with it.
   *
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string, caller: Caller): Promise<void> {
    if (!(await this.#stations.remove(id))) throw unknownStation(id);
    await this.#events.record(caller, 'station-erase', id);
    await eraseRows(this.#stations);
  }
}
