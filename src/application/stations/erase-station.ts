import type { Caller } from '../../domain/accounts/audit-event.js';
import type { StationStore } from '../ports/station-store.js';
import { eraseRows } from './erase-rows.js';
import { unknownStation } from './find-station.js';
import type { StationEvents } from './station-events.js';

/** Permanently removes a station and its observations, whether or not it was removed before. */
export class EraseStation {
  readonly #stations: StationStore;
  readonly #events: StationEvents;

  constructor(stations: StationStore, events: StationEvents) {
    this.#stations = stations;
    this.#events = events;
  }

  /**
   * The removal is committed and recorded before the rows are deleted, because deleting may take minutes. If deleting
   * fails, housekeeping continues it.
   *
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string, caller: Caller): Promise<void> {
    if (!(await this.#stations.remove(id))) throw unknownStation(id);
    await this.#events.record(caller, 'station-erase', id);
    await eraseRows(this.#stations);
  }
}
