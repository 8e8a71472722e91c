import { variableNumbered } from '../../../domain/weather/variables.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';

/** Lists the variables of which a station has values. */
export class ListStationVariables {
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;

  constructor(stations: StationStore, observations: ObservationStore) {
    this.#stations = stations;
    this.#observations = observations;
  }

  /** @returns their names, in the order of their numbers. @throws DomainError STATION_UNKNOWN */
  async execute(id: string): Promise<string[]> {
    const { number } = await findStation(this.#stations, id);
    const [inventory] = await this.#observations.inventory([number]);
    return (inventory as Inventory).variables.map((variable) => variableNumbered(variable).name);
  }
}
