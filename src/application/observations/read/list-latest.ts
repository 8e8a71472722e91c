import type { Newest } from '../../../domain/weather/station-state.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationFilter, StationSearch } from '../../ports/station-search.js';
import { assertFilter } from '../../stations/find-stations.js';
import type { Latest } from './get-latest.js';
import { type Place, type Reader, type ReadGate, UNLIMITED } from './read-gate.js';

export interface LatestPage {
  readonly stations: readonly Latest[];
  readonly next: number | null;
  /** The place at the read gate. The caller must leave it when the page has been sent. */
  readonly place: Place;
}

/** Memory of the newest values of a station as objects, in cells of the read gate. */
const CELLS_OF_STATION = 150;
/** Number of stations that are described in one turn of the event loop. */
const STATIONS_OF_TURN = 500;

/** Shows the newest value of each variable of many stations. */
export class ListLatest {
  readonly #clock: Clock;
  readonly #search: StationSearch;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(clock: Clock, search: StationSearch, observations: ObservationStore, gate: ReadGate) {
    this.#clock = clock;
    this.#search = search;
    this.#observations = observations;
    this.#gate = gate;
  }

  /**
   * Includes stations without observations. Omits those whose newest row may be damaged.
   *
   * @param reader the caller, as the read gate counts it; without it the read has no limit
   * @throws DomainError REQUEST_INVALID; RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(filter: StationFilter, offset: number, limit: number, reader?: Reader): Promise<LatestPage> {
    assertFilter(filter);
    const found = await this.#search.search(filter, offset, limit + 1);
    const page = found.slice(0, limit);
    const place = reader ? await this.#gate.enter(reader, page.length * CELLS_OF_STATION) : UNLIMITED;
    try {
      const stations: Latest[] = [];
      for (let from = 0; from < page.length; from += STATIONS_OF_TURN) {
        if (from > 0) await place.turn();
        reader?.signal.throwIfAborted();
        const part = page.slice(from, from + STATIONS_OF_TURN);
        const newest = await this.#observations.newest(part.map(({ station }) => station.number));
        // Taken after the read, so that no age is negative.
        const asOf = this.#clock.now();
        for (const [index, { station, distance }] of part.entries()) {
          const one = newest[index] as Newest;
          if (one.hiddenSince === undefined) stations.push({ newest: one, of: station, distance, asOf });
        }
      }
      return { stations, next: found.length > limit ? offset + limit : null, place };
    } catch (error) {
      place.leave();
      throw error;
    }
  }
}
