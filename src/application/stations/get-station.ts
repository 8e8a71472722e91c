import type { Station } from '../../domain/weather/station.js';
import type { Inventory, ObservationStore } from '../ports/observation-store.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from './find-station.js';

/** Returns one station with its inventory. */
export class GetStation {
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;

  constructor(stations: StationStore, observations: ObservationStore) {
    this.#stations = stations;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN */
  async execute(id: string): Promise<{ readonly station: Station; readonly inventory: Inventory }> {
    const station = await findStation(this.#stations, id);
    const [inventory] = await this.#observations.inventory([station.number]);
    return { station, inventory: inventory as Inventory };
  }
}
