import { NEIGHBORHOOD } from '#domain/weather/quality/neighborhood.js';
import type { Station } from '#domain/weather/station.js';
import { areComparable } from '#domain/weather/stations/demo.js';
import type { FoundStation, Position, StationSearch } from '../../ports/station-search.js';
import type { Directory } from '../../stations/station-directory.js';

/** A neighbor of a station: a station near it, with whose values its values are compared. */
export interface NearStation {
  /** `Station.number` of the neighbor. */
  readonly number: number;
  /** Distance from the station, in meters. */
  readonly distance: number;
}

/** For each station, the stations that have it as a neighbor. Keys and values are `Station.number`. */
export type Dependents = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Number of stations that a search returns. The number exceeds the maximum number of neighbors, because stations at a different
 * elevation are removed from the result.
 */
const SEARCHED = 3 * NEIGHBORHOOD.maximum;

/** Finds the neighbors of stations. The values of neighbors are compared in quality checks. */
export class Neighbors {
  readonly #search: StationSearch;
  #known: { readonly directory: Directory; readonly dependents: Dependents } | undefined;

  constructor(search: StationSearch) {
    this.#search = search;
  }

  /**
   * Finds the stations around a position, nearest first. Each found station may be a neighbor of a station at this position, and
   * a station at this position may be a neighbor of the found station.
   */
  async around({ latitude, longitude }: Position): Promise<readonly FoundStation[]> {
    const filter = { near: { latitude, longitude }, radius: NEIGHBORHOOD.radius };
    return await this.#search.search('users', filter, 0, SEARCHED + 1);
  }

  /** The neighbors of a station, nearest first. */
  async of(own: Station): Promise<readonly NearStation[]> {
    // The search also returns the station itself.
    const found = await this.around(own);
    return found
      .filter(
        ({ station }) =>
          station.number !== own.number &&
          areComparable(own, station) &&
          isLevel(own.elevation, station.elevation),
      )
      .slice(0, NEIGHBORHOOD.maximum)
      .map(({ station, distance = 0 }) => ({ number: station.number, distance: distance * 1000 }));
  }

  /**
   * For each station, finds the stations that have it as a neighbor. The result is cached until a station changes.
   *
   * @param pause called after each search
   */
  async dependents(directory: Directory, pause: () => Promise<void>): Promise<Dependents> {
    if (this.#known?.directory === directory) return this.#known.dependents;
    const dependents = new Map<number, Set<number>>();
    for (const station of directory.list) {
      for (const { number } of await this.of(station)) {
        const own = dependents.get(number) ?? new Set();
        dependents.set(number, own.add(station.number));
      }
      await pause();
    }
    this.#known = { directory, dependents };
    return dependents;
  }
}

/** Whether two elevations are close enough to compare values. A station of unknown elevation is not compared. */
function isLevel(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= NEIGHBORHOOD.height;
}
