import { DomainError } from '#domain/domain-error.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Clock } from '#application/ports/clock.js';
import type { Inventory, ObservationStore } from '#application/ports/observation-store.js';
import type { StationFilter, StationSearch } from '#application/ports/station-search.js';
import { unknownStation } from '#application/stations/find-station.js';
import { searchStations } from '#application/stations/find-stations.js';
import type { StationDirectory } from '#application/stations/station-directory.js';
import { assertKnown, type StationSnapshot, snapshotVersion } from '../describe-station.js';

/** Maximum number of stations in one request for rows. */
export const MANY_STATIONS = 100;

/** Selects stations by ids or by a search. Without ids and search, all stations are selected. */
export interface StationsRequest extends StationFilter {
  readonly ids?: readonly string[] | undefined;
  /** Whose view of the stations is returned: that of everybody (the default) or that of signed-in users. */
  readonly audience?: Audience;
}

/** Finds and describes the stations of a request for the data of several stations. */
export class FindMany {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #search: StationSearch;
  readonly #observations: ObservationStore;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    search: StationSearch,
    observations: ObservationStore,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#search = search;
    this.#observations = observations;
  }

  /**
   * @returns the stations in the order of the ids, or in the order of the search
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for more than `MANY_STATIONS`, or for ids together with a search;
   *   DATA_DAMAGED for a station with a field that cannot be read, or whose inventory is unknown
   */
  async execute(asked: StationsRequest): Promise<readonly StationSnapshot[]> {
    const stations = await this.#find(asked);
    if (stations.length > MANY_STATIONS) {
      throw new DomainError(
        'REQUEST_INVALID',
        `A request can have at most ${MANY_STATIONS} stations: name fewer stations, or search in a smaller radius or box.`,
      );
    }
    const numbers = stations.map(({ number }) => number);
    // The version of the reply is computed from the revisions of the stations, which change whenever observations change. The
    // revisions are read before the rows, so that the version is never newer than the rows. If it were, a client would keep old
    // rows under the new version.
    const newest = await this.#observations.newest(numbers);
    const inventories = await this.#observations.inventory(numbers);
    const asOf = this.#clock.now();
    return stations.map((station, index) => {
      const inventory = inventories[index] as Inventory;
      assertReadable(station);
      assertKnown(station, inventory);
      const { revision } = newest[index] as Newest;
      return { station, inventory, version: snapshotVersion(station, revision), asOf };
    });
  }

  async #find({ ids, audience = 'everybody', ...filter }: StationsRequest): Promise<readonly Station[]> {
    if (ids !== undefined && Object.values(filter).some((value) => value !== undefined)) {
      throw new DomainError(
        'REQUEST_INVALID',
        'stations cannot be combined with near, radius, bbox or q: use one of them.',
      );
    }
    if (ids === undefined) {
      const found = await searchStations(this.#search, audience, filter, 0, MANY_STATIONS + 1);
      return found.map(({ station }) => station);
    }
    const { byId } = await this.#directory.current(audience);
    return [...new Set(ids)].map((id) => {
      const station = byId.get(id);
      if (station === undefined) throw unknownStation(id);
      return station;
    });
  }
}
