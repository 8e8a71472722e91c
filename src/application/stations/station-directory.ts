import { DomainError } from '../../domain/domain-error.js';
import type { Station } from '../../domain/weather/station.js';
import type { Announcer } from '../ports/announcer.js';
import type { StationStore } from '../ports/station-store.js';

/** All stations at one moment. */
export interface Directory {
  /** Sorted by id. */
  readonly list: readonly Station[];
  readonly byNumber: ReadonlyMap<number, Station>;
  readonly byId: ReadonlyMap<string, Station>;
  /** As `StationStore.removedUntil`. */
  readonly removedUntil: ReadonlyMap<number, number>;
  /** `Station.stampInterval` by number, of the stations that have one. */
  readonly stampIntervals: ReadonlyMap<number, number>;
}

/**
 * The stations by number, for callers that look up thousands of them. They are read again only when a station has
 * changed.
 */
export class StationDirectory {
  readonly #stations: StationStore;
  #versionQuery: Promise<string> | undefined;
  /** The next query for the version. It is sent when the current one has ended. */
  #nextVersionQuery: Promise<string> | undefined;
  #cached: { readonly version: string; readonly directory: Promise<Directory> } | undefined;

  /** Whether the directory has been used since it was last read in advance. */
  #isUsed = false;

  /**
   * @param announcer reports changes of stations. The directory then reads them in advance, so that the next caller
   *   need not wait.
   */
  constructor(stations: StationStore, announcer: Announcer) {
    this.#stations = stations;
    announcer.subscribe(['stations'], () => this.#readAhead());
  }

  async current(): Promise<Directory> {
    this.#isUsed = true;
    return await this.#current();
  }

  /**
   * Reads the stations in advance, but not again before the directory is used: in a series of changes only the first
   * read would be useful.
   */
  async #readAhead(): Promise<void> {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    await this.#current();
  }

  async #current(): Promise<Directory> {
    const version = await this.#version();
    if (this.#cached?.version !== version) {
      const entry = { version, directory: this.#read() };
      this.#cached = entry;
      entry.directory.catch(() => {
        if (this.#cached === entry) this.#cached = undefined;
      });
    }
    return await (this.#cached as { directory: Promise<Directory> }).directory;
  }

  /** The version at a time after the call. Calls that arrive during a query share the next one. */
  #version(): Promise<string> {
    if (this.#versionQuery === undefined) {
      this.#versionQuery = this.#stations.version().finally(() => (this.#versionQuery = undefined));
      return this.#versionQuery;
    }
    this.#nextVersionQuery ??= this.#versionQuery
      .catch(() => undefined)
      .then(() => {
        this.#nextVersionQuery = undefined;
        return this.#version();
      });
    return this.#nextVersionQuery;
  }

  async #read(): Promise<Directory> {
    const [list, removedUntil] = await Promise.all([this.#stations.list(), this.#stations.removedUntil()]);
    return {
      list,
      removedUntil,
      byNumber: new Map(list.map((station) => [station.number, station])),
      stampIntervals: new Map(
        list.flatMap(({ number, stampInterval }) =>
          typeof stampInterval === 'number' ? [[number, stampInterval] as const] : [],
        ),
      ),
      byId: new Map(list.map((station) => [station.id, station])),
    };
  }
}

/** @throws DomainError STATION_UNKNOWN if a number belongs to no station */
export function assertNumbers({ byNumber }: Directory, numbers: readonly number[]): void {
  const unknown = numbers.find((number) => !byNumber.has(number));
  if (unknown !== undefined) {
    throw new DomainError('STATION_UNKNOWN', `There is no station with the number ${unknown}.`);
  }
}
