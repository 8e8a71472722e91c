import { damagedData } from '../../../domain/weather/damaged-data.js';
import type { Newest } from '../../../domain/weather/station-state.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';

export interface Latest {
  readonly newest: Newest;
  readonly of: Station;
  /** Distance from the place that was searched, in kilometres; undefined in other searches. */
  readonly distance: number | undefined;
  /** The time to which ages refer, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly asOf: number;
}

/** Shows the newest value of each variable of a station. */
export class GetLatest {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, stations: StationStore, observations: ObservationStore) {
    this.#clock = clock;
    this.#stations = stations;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN; DATA_DAMAGED if the newest row may be damaged */
  async execute(id: string): Promise<Latest> {
    const station = await findStation(this.#stations, id);
    const [found] = await this.#observations.newest([station.number]);
    const newest = found as Newest;
    if (newest.hiddenSince !== undefined) throw damagedData(station.id, newest.hiddenSince);
    return { newest, of: station, distance: undefined, asOf: this.#clock.now() };
  }
}
