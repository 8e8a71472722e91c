import type { Station } from '#domain/weather/station.js';
import type { StationStore } from '../ports/station-store.js';

/** Lists all stations, sorted by id. */
export class ListStations {
  readonly #stations: StationStore;

  constructor(stations: StationStore) {
    this.#stations = stations;
  }

  async execute(): Promise<readonly Station[]> {
    return await this.#stations.list();
  }
}
