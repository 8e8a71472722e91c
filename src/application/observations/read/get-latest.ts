import { damagedData } from '../../../domain/weather/damaged-data.js';
import type { ObservationBatch } from '../../../domain/weather/series.js';
import type { Newest } from '../../../domain/weather/station-state.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationFilter, StationSearch } from '../../ports/station-search.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { assertFilter } from '../../stations/find-stations.js';
import { assertNumbers, type StationDirectory } from '../../stations/station-directory.js';
import { type Place, type Reader, type ReadGate, UNLIMITED } from './read-gate.js';

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
  /** Held until the page has been sent: whoever gets the page leaves it. */
  readonly place: Place;
}

/** Cells that the newest values of a station take as objects. */
const CELLS_OF_STATION = 150;
/** Stations that are described in one turn of the event loop. */
const STATIONS_OF_TURN = 500;

/** Shows the newest value of each variable, of one station or of many. */
export class GetLatest {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #search: StationSearch;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(
    clock: Clock,
    stations: StationStore,
    search: StationSearch,
    directory: StationDirectory,
    observations: ObservationStore,
    gate: ReadGate,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#directory = directory;
    this.#search = search;
    this.#observations = observations;
    this.#gate = gate;
  }

  /** @throws DomainError STATION_UNKNOWN; DATA_DAMAGED where the newest row may be damaged */
  async execute(id: string): Promise<Latest> {
    const station = await findStation(this.#stations, id);
    const [found] = await this.#observations.newest([station.number]);
    const newest = found as Newest;
    if (newest.hiddenSince !== undefined) throw damagedData(station.id, newest.hiddenSince);
    return this.#describe(station, newest, undefined);
  }

  /**
   * Stations that have never been seen are among them; those whose newest row may be damaged are not.
   *
   * @param reader who waits at the gate; without one the read is neither counted nor bounded
   * @throws DomainError REQUEST_INVALID; RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async ofMany(filter: StationFilter, offset: number, limit: number, reader?: Reader): Promise<LatestPage> {
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
        for (const [index, { station, distance }] of part.entries()) {
          const one = newest[index] as Newest;
          if (one.hiddenSince === undefined) stations.push(this.#describe(station, one, distance));
        }
      }
      return { stations, next: found.length > limit ? offset + limit : null, place };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /**
   * The newest row of each of these stations (all when undefined), by number. Those that have never been seen have none, nor
   * have those whose newest row may be damaged.
   *
   * @throws DomainError STATION_UNKNOWN for a number that no station has; DATA_DAMAGED where a single station is asked for and
   *   its newest row may be damaged
   */
  async rows(numbers: readonly number[] | undefined): Promise<ObservationBatch> {
    const directory = await this.#directory.current();
    if (numbers !== undefined) assertNumbers(directory, numbers);
    const asked = [...new Set(numbers ?? directory.byNumber.keys())].sort((a, b) => a - b);
    const newest = await this.#observations.newest(asked);
    const [one] = newest;
    if (numbers !== undefined && asked.length === 1 && one?.hiddenSince !== undefined) {
      throw damagedData(directory.byNumber.get(one.station)?.id ?? '', one.hiddenSince);
    }
    return toRows(newest.filter(({ lastSeen }) => lastSeen !== null));
  }

  #describe(station: Station, newest: Newest, distance: number | undefined): Latest {
    return { ...newest, of: station, distance, asOf: this.#clock.now() };
  }
}

/** Of the newest values those that stand in the newest row. */
function toRows(newest: readonly Newest[]): ObservationBatch {
  const rows = newest.length;
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  for (const [row, { lastSeen, values: found }] of newest.entries()) {
    for (const [variable, { time, value, flags: flag }] of found) {
      if (time !== lastSeen) continue;
      if (!values.has(variable)) values.set(variable, new Float64Array(rows).fill(Number.NaN));
      (values.get(variable) as Float64Array)[row] = value;
      if (flag === 0) continue;
      if (!flags.has(variable)) flags.set(variable, new Uint8Array(rows));
      (flags.get(variable) as Uint8Array)[row] = flag;
    }
  }
  return {
    stations: Uint32Array.from(newest, ({ station }) => station),
    times: Float64Array.from(newest, ({ lastSeen }) => lastSeen as number),
    values,
    flags,
  };
}
