import type { Inventory, ObservationStore } from '../ports/observation-store.js';
import type { RemovedStation, StationStore } from '../ports/station-store.js';

export interface ListedRemoval extends RemovedStation {
  readonly inventory: Inventory;
}

/**
 * Lists the removed stations that can be restored, with their inventories (times of the first and the last row, number of rows,
 * and variables), sorted by id.
 */
export class ListRemovedStations {
  readonly #stations: StationStore;

  readonly #observations: ObservationStore;

  constructor(stations: StationStore, observations: ObservationStore) {
    this.#stations = stations;
    this.#observations = observations;
  }

  async execute(): Promise<readonly ListedRemoval[]> {
    const removed = await this.#stations.hidden();
    const inventories = await this.#observations.inventory(removed.map(({ station }) => station.number));
    return removed.map((one, index) => ({ ...one, inventory: inventories[index] as Inventory }));
  }
}
