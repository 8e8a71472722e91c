import { DomainError } from '../../domain/domain-error.js';
import type { Station } from '../../domain/weather/station.js';
import type { Announcer } from '../ports/announcer.js';
import type { StationStore } from '../ports/station-store.js';

/** All stations as they were at one moment. */
export interface Directory {
  /** In the order of ids. */
  readonly list: readonly Station[];
  readonly byNumber: ReadonlyMap<number, Station>;
  readonly byId: ReadonlyMap<string, Station>;
}

/** The stations by number, for whoever has to look up thousands: read anew only when something of them has changed. */
export class StationDirectory {
  readonly #stations: StationStore;
  #asking: Promise<string> | undefined;
  /** The next question for the version; it is sent when the current one has been answered. */
  #asked: Promise<string> | undefined;
  #known: { readonly version: string; readonly directory: Promise<Directory> } | undefined;

  /** Whether the directory has been used since it was last read ahead. */
  #isUsed = false;

  /** @param announcer after a change of stations they are read ahead, so that the next caller need not wait */
  constructor(stations: StationStore, announcer: Announcer) {
    this.#stations = stations;
    announcer.subscribe(['stations'], () => this.#readAhead());
  }

  async current(): Promise<Directory> {
    this.#isUsed = true;
    return await this.#current();
  }

  /** Not again before the directory is used: of many changes in a row only the first would have a use for it. */
  async #readAhead(): Promise<void> {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    await this.#current();
  }

  async #current(): Promise<Directory> {
    const version = await this.#version();
    if (this.#known?.version !== version) {
      const known = { version, directory: this.#read() };
      this.#known = known;
      known.directory.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return await (this.#known as { directory: Promise<Directory> }).directory;
  }

  /** The version at some time after the call. Calls that arrive while the store is asked share the next question. */
  #version(): Promise<string> {
    if (this.#asking === undefined) {
      this.#asking = this.#stations.version().finally(() => (this.#asking = undefined));
      return this.#asking;
    }
    this.#asked ??= this.#asking
      .catch(() => undefined)
      .then(() => {
        this.#asked = undefined;
        return this.#version();
      });
    return this.#asked;
  }

  async #read(): Promise<Directory> {
    const list = await this.#stations.list();
    return {
      list,
      byNumber: new Map(list.map((station) => [station.number, station])),
      byId: new Map(list.map((station) => [station.id, station])),
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
