import type { QualityOverride } from '#domain/weather/quality/override.js';
import type { OverrideStore } from '../../ports/override-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';

/** Lists the overrides of a station. */
export class ListOverrides {
  readonly #stations: StationStore;
  readonly #overrides: OverrideStore;

  constructor(stations: StationStore, overrides: OverrideStore) {
    this.#stations = stations;
    this.#overrides = overrides;
  }

  /**
   * Lists the decisions of administrators that values of the station are good or bad (overrides).
   *
   * @returns the overrides in the order in which they were added
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string): Promise<readonly QualityOverride[]> {
    const { number } = await findStation(this.#stations, id);
    return await this.#overrides.list(number);
  }
}
