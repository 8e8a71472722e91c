import { NEIGHBOURHOOD } from '../../../domain/weather/quality/neighbourhood.js';
import type { Station } from '../../../domain/weather/station.js';
import type { StationSearch } from '../../ports/station-search.js';
import type { Directory } from '../../stations/station-directory.js';

/** A neighbour of a station. */
export interface NearStation {
  /** `Station.number`. */
  readonly number: number;
  /** Metres. */
  readonly distance: number;
}

/** The neighbours of all stations. */
export interface NeighbourGraph {
  /** The neighbours of a station, nearest first. */
  readonly near: ReadonlyMap<number, readonly NearStation[]>;
  /** Numbers of the stations that have a station as neighbour. */
  readonly dependents: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Number of stations that are searched, of which those at other elevations are left out. */
const SEARCHED = 3 * NEIGHBOURHOOD.most;

/** Finds the neighbours of all stations again when a station has changed. */
export class FindNeighbours {
  readonly #search: StationSearch;
  #known: { readonly directory: Directory; readonly graph: NeighbourGraph } | undefined;

  constructor(search: StationSearch) {
    this.#search = search;
  }

  /** @param pause is called after each search */
  async execute(directory: Directory, pause: () => Promise<void>): Promise<NeighbourGraph> {
    if (this.#known?.directory === directory) return this.#known.graph;
    const near = new Map<number, readonly NearStation[]>();
    const dependents = new Map<number, Set<number>>();
    for (const station of directory.list) {
      const found = await this.#near(station);
      near.set(station.number, found);
      for (const { number } of found) {
        const own = dependents.get(number) ?? new Set();
        dependents.set(number, own.add(station.number));
      }
      await pause();
    }
    const graph = { near, dependents };
    this.#known = { directory, graph };
    return graph;
  }

  async #near({ number, latitude, longitude, elevation }: Station): Promise<readonly NearStation[]> {
    const filter = { near: { latitude, longitude }, radius: NEIGHBOURHOOD.radius };
    // The station itself is among the results.
    const found = await this.#search.search(filter, 0, SEARCHED + 1);
    return found
      .filter(({ station }) => station.number !== number && isLevel(elevation, station.elevation))
      .slice(0, NEIGHBOURHOOD.most)
      .map(({ station, distance = 0 }) => ({ number: station.number, distance: distance * 1000 }));
  }
}

function isLevel(a: number | null, b: number | null): boolean {
  return a === null || b === null || Math.abs(a - b) <= NEIGHBOURHOOD.height;
}
