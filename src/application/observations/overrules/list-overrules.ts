import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { OverruleStore } from '../../ports/overrule-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';

/** Lists the overrules of a station. */
export class ListOverrules {
  readonly #stations: StationStore;
  readonly #overrules: OverruleStore;

  constructor(stations: StationStore, overrules: OverruleStore) {
    this.#stations = stations;
    this.#overrules = overrules;
  }

  /** In the order in which they were made. @throws DomainError STATION_UNKNOWN */
  async execute(id: string): Promise<readonly Overrule[]> {
    const { number } = await findStation(this.#stations, id);
    return await this.#overrules.list(number);
  }
}
