import { DomainError } from '#domain/domain-error.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { describeStationDamage } from '#domain/weather/stations/stored-station.js';
import type { Announcer } from '../ports/announcer.js';
import type { Check } from '../ports/check.js';
import type { StationStore } from '../ports/station-store.js';

/** Largest number of further damaged stations in the message of the check. */
const MAX_NAMED = 10;

/** All stations at one moment. */
export interface Directory {
  /** Sorted by id. */
  readonly list: readonly Station[];
  readonly byNumber: ReadonlyMap<number, Station>;
  readonly byId: ReadonlyMap<string, Station>;
  /** `StationStore.expiredUntil`. */
  readonly expiredUntil: ReadonlyMap<number, number>;
  /** `Station.stampInterval` by number of the station. Stations without a value are absent. */
  readonly stampIntervals: ReadonlyMap<number, number>;
}

/** A directory for each audience. They are the same object if no station is restricted. */
type Directories = Readonly<Record<Audience, Directory>>;

/**
 * A cache of all stations, for callers that look up thousands of them. They are read again only when a station has
 * changed.
 */
export class StationDirectory {
  readonly #stations: StationStore;
  #versionQuery: Promise<string> | undefined;
  /** The next query for the version. It is sent when the current one has ended. */
  #nextVersionQuery: Promise<string> | undefined;
  #cached: { readonly version: string; readonly directories: Promise<Directories> } | undefined;

  /** The damaged stations at the last read. */
  #damaged: readonly Station[] = [];

  /** Reports damaged stations, without a read. */
  readonly check: Check = { name: 'stations', check: async () => describeDamaged(this.#damaged) };

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

  /** @param audience the audience whose view of the stations is returned */
  async current(audience: Audience = 'users'): Promise<Directory> {
    this.#isUsed = true;
    return (await this.#current())[audience];
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

  async #current(): Promise<Directories> {
    const version = await this.#version();
    if (this.#cached?.version !== version) {
      const entry = { version, directories: this.#read() };
      this.#cached = entry;
      entry.directories.catch(() => {
        if (this.#cached === entry) this.#cached = undefined;
      });
    }
    return await (this.#cached as { directories: Promise<Directories> }).directories;
  }

  /** The version of the stations, read after the call. Calls that arrive during a query share the next query. */
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

  async #read(): Promise<Directories> {
    const [list, expiredUntil] = await Promise.all([this.#stations.list(), this.#stations.expiredUntil()]);
    this.#damaged = list.filter(({ damaged }) => damaged !== undefined);
    const users = directoryOf(list, expiredUntil);
    const views = list.map((station) => stationFor('everybody', station));
    const isUnrestricted = views.every((station, index) => station === list[index]);
    if (isUnrestricted) return { users, everybody: users };
    const visible = views.filter((station) => station !== undefined);
    return { users, everybody: directoryOf(visible, expiredUntil) };
  }
}

function directoryOf(list: readonly Station[], expiredUntil: Directory['expiredUntil']): Directory {
  return {
    list,
    expiredUntil,
    byNumber: new Map(list.map((station) => [station.number, station])),
    stampIntervals: new Map(
      list.flatMap(({ number, stampInterval }) =>
        typeof stampInterval === 'number' ? [[number, stampInterval] as const] : [],
      ),
    ),
    byId: new Map(list.map((station) => [station.id, station])),
  };
}

/** The message about damaged stations; undefined if there are none. */
function describeDamaged([first, ...others]: readonly Station[]): string | undefined {
  if (first === undefined) return undefined;
  const ids = others.map(({ id }) => JSON.stringify(id)).slice(0, MAX_NAMED);
  const more = others.length > ids.length ? ` and ${others.length - ids.length} more` : '';
  const also =
    ids.length === 0
      ? ''
      : ` These stations are damaged too: ${ids.join(', ')}${more}. "weatherd check" describes the damage.`;
  return describeStationDamage(first) + also;
}

/** @throws DomainError STATION_UNKNOWN if a number belongs to no station */
export function assertNumbers({ byNumber }: Directory, numbers: readonly number[]): void {
  const unknown = numbers.find((number) => !byNumber.has(number));
  if (unknown !== undefined) {
    throw new DomainError('STATION_UNKNOWN', `There is no station with the number ${unknown}.`);
  }
}
