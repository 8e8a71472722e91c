import { DomainError } from '#domain/domain-error.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Clock } from '#application/ports/clock.js';
import type { Inventory, ObservationStore } from '#application/ports/observation-store.js';
import type { StationFilter, StationSearch } from '#application/ports/station-search.js';
import { unknownStation } from '#application/stations/find-station.js';
import { assertFilter } from '#application/stations/find-stations.js';
import type { StationDirectory } from '#application/stations/station-directory.js';
import { assertKnown, type StationSnapshot, snapshotVersion } from '../describe-station.js';

/** Largest number of stations in one request for their rows. */
export const MANY_STATIONS = 100;

/** Stations by their ids, or by a search. Without either all stations are meant. */
export interface AskedStations extends StationFilter {
  readonly ids?: readonly string[] | undefined;
  /** Default: everybody. */
  readonly audience?: Audience;
}

/** Finds the stations of a request for the data of many, and describes them. */
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
   * @returns in the order of the ids, or in that of the search
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for more than `MANY_STATIONS`, or for ids with a search; DATA_DAMAGED for a
   *   station with a field that cannot be read, or whose inventory is unknown
   */
  async execute(asked: AskedStations): Promise<readonly StationSnapshot[]> {
    const stations = await this.#find(asked);
    if (stations.length > MANY_STATIONS) {
      throw new DomainError(
        'REQUEST_INVALID',
        `At most ${MANY_STATIONS} stations in a request: name fewer of them, or search in a smaller radius or box.`,
      );
    }
    const numbers = stations.map(({ number }) => number);
    // Revisions are read first, so that a reply never has rows that are older than its version.
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

  async #find({ ids, audience = 'everybody', ...filter }: AskedStations): Promise<readonly Station[]> {
    if (ids !== undefined && Object.values(filter).some((value) => value !== undefined)) {
      throw new DomainError(
        'REQUEST_INVALID',
        'stations stands in place of near, radius, bbox and q: leave them out.',
      );
    }
    if (ids === undefined) {
      assertFilter(filter);
      return (await this.#search.search(audience, filter, 0, MANY_STATIONS + 1)).map(
        ({ station }) => station,
      );
    }
    const { byId } = await this.#directory.current(audience);
    return [...new Set(ids)].map((id) => {
      const station = byId.get(id);
      if (station === undefined) throw unknownStation(id);
      return station;
    });
  }
}
