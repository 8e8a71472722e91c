import type { RemovedStation, StationStore } from './ports/station-store.js';

/** Lists the stations that can be restored, in the order of their ids. */
export class ListRemovedStations {
  readonly #stations: StationStore;

  constructor(stations: StationStore) {
    this.#stations = stations;
  }

  async execute(): Promise<readonly RemovedStation[]> {
    return await this.#stations.hidden();
  }
}
