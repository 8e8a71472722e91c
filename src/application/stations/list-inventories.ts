import type { Station } from '#domain/weather/station.js';
import type { Inventory, ObservationStore } from '../ports/observation-store.js';
import type { StationDirectory } from './station-directory.js';

export interface StationInventory {
  readonly station: Station;
  readonly inventory: Inventory;
}

/** Number of stations whose inventory is read in one batch. */
const PAGE = 1000;

/**
 * Lists stations with their inventories (times of the first and the last row, number of rows, and variables), in the order of the
 * station numbers.
 */
export class ListInventories {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  constructor(directory: StationDirectory, observations: ObservationStore) {
    this.#directory = directory;
    this.#observations = observations;
  }

  /** Yields the stations in batches. No batch is empty. */
  async *execute(): AsyncGenerator<readonly StationInventory[]> {
    const { byNumber } = await this.#directory.current();
    const stations = [...byNumber.values()].sort((a, b) => a.number - b.number);
    for (let at = 0; at < stations.length; at += PAGE)
      yield await this.inventoriesOf(stations.slice(at, at + PAGE));
  }

  /** Returns the inventories of the given stations, in the given order. */
  async inventoriesOf(stations: readonly Station[]): Promise<readonly StationInventory[]> {
    const inventories = await this.#observations.inventory(stations.map(({ number }) => number));
    return stations.map((station, index) => ({ station, inventory: inventories[index] as Inventory }));
  }
}
