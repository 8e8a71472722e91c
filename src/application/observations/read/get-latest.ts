import { damagedData } from '#domain/weather/damaged-data.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Newest } from '#domain/weather/station-state.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import type { Recent, ReadRecent } from './current/read-recent.js';
import type { RainSums, SumRain } from './current/sum-rain.js';
import { type Permit, UNLIMITED } from './gate/permit.js';

export interface Latest {
  readonly newest: Newest;
  readonly station: Station;
  /** Distance from the searched position, in kilometers; undefined if the search has no position. */
  readonly distance: number | undefined;
  /** Time to which ages refer, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly asOf: number;
  /** Totals of the day and trends of the last hours; present if the request includes them. */
  readonly recent?: Recent | undefined;
  /** Sums of precipitation; present if the request includes them. */
  readonly rain?: RainSums | undefined;
}

/** The data that a request can include in addition to the newest values. */
export interface Included {
  readonly recent: boolean;
  readonly rain: boolean;
}

/** Reads the newest value of each variable of a station. */
export class GetLatest {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;
  readonly #recent: ReadRecent;
  readonly #rain: SumRain;

  constructor(
    clock: Clock,
    stations: StationStore,
    observations: ObservationStore,
    { recent, rain }: { readonly recent: ReadRecent; readonly rain: SumRain },
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#observations = observations;
    this.#recent = recent;
    this.#rain = rain;
  }

  /**
   * @param permit limits the reads of the included data; see `Permit`
   * @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; DATA_DAMAGED if the newest row, a row of
   *   the included data or a field of the station may be damaged; RATE_LIMITED or SERVICE_UNAVAILABLE if there are too many reads
   *   (`Permit.acquire`)
   */
  async execute(
    id: string,
    included?: Included,
    permit: Permit = UNLIMITED,
    audience: Audience = 'everybody',
  ): Promise<Latest> {
    const station = stationFor(audience, await findStation(this.#stations, id));
    if (station === undefined) throw unknownStation(id);
    assertReadable(station);
    const [found] = await this.#observations.newest([station.number]);
    const newest = found as Newest;
    if (newest.hiddenSince !== undefined) throw damagedData(station.id, newest.hiddenSince);
    const latest = { newest, station, distance: undefined, asOf: this.#clock.now() };
    const recent = included?.recent === true ? await this.#readRecent(latest, permit) : undefined;
    const rain = included?.rain === true ? await this.#rain.execute(id, latest.asOf, permit) : undefined;
    return { ...latest, recent, rain };
  }

  async #readRecent({ station, asOf }: Latest, permit: Permit): Promise<Recent | undefined> {
    await permit.acquire(this.#recent.cellsOf([station]));
    return (await this.#recent.execute([station], asOf, permit)).get(station.number);
  }
}
