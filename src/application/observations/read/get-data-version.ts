import type { Station } from '../../../domain/weather/station.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';

export interface DataVersion {
  /** Differs after every change of the station or of its observations. */
  readonly version: string;
  /** Seconds until the next report of the station is due; 0 where that time is unknown or has passed. */
  readonly freshFor: number;
}

/** Tells which version of a station's data is current, so that a client's copy can be compared with it. */
export class GetDataVersion {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, stations: StationStore, observations: ObservationStore) {
    this.#clock = clock;
    this.#stations = stations;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN */
  async execute(id: string): Promise<DataVersion> {
    const station = await findStation(this.#stations, id);
    const [newest] = await this.#observations.newest([station.number]);
    return {
      version: `${JSON.stringify(station)} ${newest?.revision}`,
      freshFor: freshFor(station, newest?.lastSeen ?? null, this.#clock.now()),
    };
  }
}

function freshFor({ reportingInterval }: Station, lastSeen: number | null, now: number): number {
  if (reportingInterval === null || lastSeen === null) return 0;
  return Math.max(0, Math.floor((lastSeen - now) / 1000 + reportingInterval));
}
