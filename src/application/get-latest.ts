import type { Station } from '../domain/station.js';
import type { Newest } from '../domain/station-state.js';
import { findStation } from './find-station.js';
import { assertFilter } from './find-stations.js';
import type { Clock } from './ports/clock.js';
import type { ObservationStore } from './ports/observation-store.js';
import type { StationFilter, StationSearch } from './ports/station-search.js';
import type { StationStore } from './ports/station-store.js';

export interface Latest extends Newest {
  readonly of: Station;
  /** Kilometres, in a search by place. */
  readonly distance: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z: what ages are counted from. */
  readonly asOf: number;
}

export interface LatestPage {
  readonly stations: readonly Latest[];
  readonly next: number | null;
}

/** Shows the newest value of each variable, of one station or of many. */
export class GetLatest {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #search: StationSearch;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, stations: StationStore, search: StationSearch, observations: ObservationStore) {
    this.#clock = clock;
    this.#stations = stations;
    this.#search = search;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN */
  async execute(id: string): Promise<Latest> {
    const station = await findStation(this.#stations, id);
    const [newest] = await this.#observations.newest([station.number]);
    return this.#describe(station, newest as Newest, undefined);
  }

  /** Stations that have never been seen are among them. @throws DomainError REQUEST_INVALID */
  async ofMany(filter: StationFilter, offset: number, limit: number): Promise<LatestPage> {
    assertFilter(filter);
    const found = await this.#search.search(filter, offset, limit + 1);
    const page = found.slice(0, limit);
    const newest = await this.#observations.newest(page.map(({ station }) => station.number));
    const stations = page.map(({ station, distance }, index) =>
      this.#describe(station, newest[index] as Newest, distance),
    );
    return { stations, next: found.length > limit ? offset + limit : null };
  }

  #describe(station: Station, newest: Newest, distance: number | undefined): Latest {
    return { ...newest, of: station, distance, asOf: this.#clock.now() };
  }
}
