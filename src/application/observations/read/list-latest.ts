import { DomainError } from '#domain/domain-error.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationFilter, StationSearch } from '../../ports/station-search.js';
import { searchStations } from '../../stations/find-stations.js';
import type { Included, Latest } from './get-latest.js';
import type { ReadRecent } from './current/read-recent.js';
import { type Permit, UNLIMITED } from './gate/permit.js';

export interface LatestPage {
  readonly stations: readonly Latest[];
  readonly next: number | null;
}

/** Maximum number of stations of a page that includes totals and trends (`recent`). */
export const RECENT_STATIONS = 500;
/**
 * Estimated memory of the newest values of a station while the reply is created, in cells of 8 bytes, as `Permit` counts them.
 */
const CELLS_OF_STATION = 150;
/** Number of stations whose newest values are read in one turn of the event loop. */
const STATIONS_OF_TURN = 500;

/** Reads the newest value of each variable of many stations. */
export class ListLatest {
  readonly #clock: Clock;
  readonly #search: StationSearch;
  readonly #observations: ObservationStore;
  readonly #recent: ReadRecent;

  constructor(clock: Clock, search: StationSearch, observations: ObservationStore, recent: ReadRecent) {
    this.#clock = clock;
    this.#search = search;
    this.#observations = observations;
    this.#recent = recent;
  }

  /**
   * Reads a page of stations. The page includes stations without observations, but not stations whose newest row may be damaged.
   *
   * @param permit limits the reads of the request; see `Permit`
   * @throws DomainError REQUEST_INVALID; RATE_LIMITED or SERVICE_UNAVAILABLE if there are too many reads (`Permit.acquire`)
   */
  async execute(
    filter: StationFilter,
    offset: number,
    limit: number,
    permit: Permit = UNLIMITED,
    { recent = false, audience = 'everybody' }: Partial<Included> & { readonly audience?: Audience } = {},
  ): Promise<LatestPage> {
    if (recent && limit > RECENT_STATIONS) {
      throw new DomainError(
        'REQUEST_INVALID',
        `With include, limit can be at most ${RECENT_STATIONS} stations: use next to read the others.`,
      );
    }
    const found = await searchStations(this.#search, audience, filter, offset, limit + 1);
    const page = found.slice(0, limit);
    const cells = recent ? this.#recent.cellsOf(page.map(({ station }) => station)) : 0;
    await permit.acquire(page.length * CELLS_OF_STATION + cells);
    const stations: Latest[] = [];
    for (let from = 0; from < page.length; from += STATIONS_OF_TURN) {
      if (from > 0) await permit.turn();
      permit.signal?.throwIfAborted();
      const part = page.slice(from, from + STATIONS_OF_TURN);
      const newest = await this.#observations.newest(part.map(({ station }) => station.number));
      // The clock is read after the values. If it were read before, a value could be newer than `asOf` and have a negative age.
      const asOf = this.#clock.now();
      for (const [index, { station, distance }] of part.entries()) {
        const one = newest[index] as Newest;
        // If the number of the station is damaged, the values may belong to another station, so the station is left out.
        const isOwn = station.damaged?.some(({ field }) => field === 'number') !== true;
        if (isOwn && one.hiddenSince === undefined) stations.push({ newest: one, station, distance, asOf });
      }
    }
    const shown = recent ? await this.#withRecent(stations, permit) : stations;
    return { stations: shown, next: found.length > limit ? offset + limit : null };
  }

  /** Adds the totals and trends of the last hours to the stations, except to stations with damaged rows in these hours. */
  async #withRecent(stations: readonly Latest[], permit: Permit): Promise<readonly Latest[]> {
    const asked = stations.map(({ station }) => station);
    const recent = await this.#recent.readable(asked, this.#clock.now(), permit);
    return stations.map((latest) => ({ ...latest, recent: recent.get(latest.station.number) }));
  }
}
