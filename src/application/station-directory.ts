import { DomainError } from '../domain/domain-error.js';
import type { StationRules } from '../domain/quality-control.js';
import type { Station } from '../domain/station.js';
import { variableNamed } from '../domain/variables.js';
import type { StationStore } from './ports/station-store.js';

/** All stations as they were at one moment. */
export interface Directory {
  /** In the order of ids. */
  readonly list: readonly Station[];
  readonly byNumber: ReadonlyMap<number, Station>;
  /** By number; the same object for as long as nothing has changed. */
  readonly rules: ReadonlyMap<number, StationRules>;
}

/** The stations by number, for whoever has to look up thousands: read anew only when something of them has changed. */
export class StationDirectory {
  readonly #stations: StationStore;
  #known: { readonly version: string; readonly directory: Promise<Directory> } | undefined;

  constructor(stations: StationStore) {
    this.#stations = stations;
  }

  async current(): Promise<Directory> {
    const version = await this.#stations.version();
    if (this.#known?.version !== version) {
      const known = { version, directory: this.#read() };
      this.#known = known;
      known.directory.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return await (this.#known as { directory: Promise<Directory> }).directory;
  }

  async #read(): Promise<Directory> {
    const stations = await this.#stations.list();
    return {
      list: stations,
      byNumber: new Map(stations.map((station) => [station.number, station])),
      rules: new Map(stations.map((station) => [station.number, rulesOf(station)])),
    };
  }
}

/** @throws DomainError STATION_UNKNOWN for a number that no station has */
export function assertNumbers({ byNumber }: Directory, numbers: readonly number[]): void {
  const unknown = numbers.find((number) => !byNumber.has(number));
  if (unknown !== undefined) {
    throw new DomainError('STATION_UNKNOWN', `There is no station with the number ${unknown}.`);
  }
}

/** What of a station its values are judged by. */
export function rulesOf({ limits, reportingInterval }: Station): StationRules {
  const own = Object.entries(limits).flatMap(([name, range]) => {
    const variable = variableNamed(name);
    return variable === undefined ? [] : [[variable.number, range] as const];
  });
  return { limits: new Map(own), reportingInterval };
}
