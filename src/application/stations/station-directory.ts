import { DomainError } from '#domain/domain-error.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { describeStationDamage } from '#domain/weather/stations/stored-station.js';
import type { Announcer } from '../ports/announcer.js';
import type { Check } from '../ports/check.js';
import type { StationStore } from '../ports/station-store.js';

/**
 * Largest number of ids in the list of further damaged stations. The message of the check describes the first damaged station
 * before this list.
 */
const MAX_NAMED = 10;

/** All stations at one moment. */
export interface Directory {
  /** Sorted by id. */
  readonly list: readonly Station[];
  readonly byNumber: ReadonlyMap<number, Station>;
  readonly byId: ReadonlyMap<string, Station>;
  /** For each station number, the time up to which rows were removed because of their age; see `StationStore.expiredUntil`. */
  readonly expiredUntil: ReadonlyMap<number, number>;
  /**
   * For stations that send the start of an interval as the time of a row: the length of the interval in seconds, by number of the
   * station. Other stations are absent. See `Station.stampInterval`.
   */
  readonly stampIntervals: ReadonlyMap<number, number>;
}

/**
 * One directory for each audience: everybody, and signed-in users. If everybody may see all stations exactly as signed-in users
 * see them, both audiences have the same directory object.
 */
type Directories = Readonly<Record<Audience, Directory>>;

/**
 * Caches all stations, for callers that look up thousands of them. The stations are read again only when a station has changed.
 */
export class StationDirectory {
  readonly #stations: StationStore;
  #versionQuery: Promise<string> | undefined;
  /** The next query for the version of the stations. It is sent when `#versionQuery` has ended; see `#version`. */
  #nextVersionQuery: Promise<string> | undefined;
  #cached: { readonly version: string; readonly directories: Promise<Directories> } | undefined;

  /** The damaged stations that the last read has found. */
  #damaged: readonly Station[] = [];

  /** Reports the damaged stations that the last read has found, without a new read. */
  readonly check: Check = { name: 'stations', check: async () => describeDamaged(this.#damaged) };

  /** Whether a caller has used the directory since `#readAhead` last read the stations. */
  #isUsed = false;

  /**
   * @param announcer announces changes of stations. After a change, the stations are read in advance, so that the next caller
   *   need not wait.
   */
  constructor(stations: StationStore, announcer: Announcer) {
    this.#stations = stations;
    announcer.subscribe(['stations'], () => this.#readAhead());
  }

  /** @param audience everybody or signed-in users, whose view of the stations is returned */
  async current(audience: Audience = 'users'): Promise<Directory> {
    this.#isUsed = true;
    return (await this.#current())[audience];
  }

  /**
   * Reads the stations after a change, before a caller needs them. Does nothing if no caller has used the directory since this
   * method last read the stations. So a series of changes causes only one read.
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

  /**
   * Returns the version of the stations at the time of this call or later. If another query for the version is running, its
   * result may be older than this call. So this call waits until the running query has ended, and then a new query is sent. All
   * calls that wait share the result of the new query.
   */
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
