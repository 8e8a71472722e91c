import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { NearbyRows } from '#domain/weather/quality/check-part.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { Directory } from '../../stations/station-directory.js';
import type { Neighbors } from './neighbors.js';

const BYTES_OF_NUMBER = 8;
/** Maximum number of neighbor values in the cache: 32 MB. */
const MAX_CACHED_VALUES = 2 ** 22;

/** Reads rows of neighbors and caches them, because nearby stations share neighbors. */
export class NeighborReads {
  readonly #observations: ObservationStore;
  readonly #directory: Directory;
  readonly #neighbors: Neighbors;
  readonly #kept = new Map<string, Series>();
  #values = 0;

  constructor(observations: ObservationStore, directory: Directory, neighbors: Neighbors) {
    this.#observations = observations;
    this.#directory = directory;
    this.#neighbors = neighbors;
  }

  /** Returns each neighbor of the station that has rows in the range, with these rows. */
  async of(
    station: Station,
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly NearbyRows[]> {
    const found: NearbyRows[] = [];
    for (const nearStation of await this.#neighbors.of(station)) {
      const neighbor = this.#directory.byNumber.get(nearStation.number);
      if (neighbor === undefined || !isCheckable(neighbor)) continue;
      const series = await this.#read(nearStation.number, range);
      if (series.times.length > 0) found.push({ station: neighbor, distance: nearStation.distance, series });
    }
    return found;
  }

  /** The inventories of all neighbors of the station. */
  async inventories(station: Station): Promise<readonly Inventory[]> {
    const near = await this.#neighbors.of(station);
    return near.length === 0 ? [] : await this.#observations.inventory(near.map(({ number }) => number));
  }

  async #read(number: number, { from, to }: { readonly from: number; readonly to: number }): Promise<Series> {
    // The range is extended to whole hours, so that the ranges of different stations are often the same.
    const range = {
      from: Math.floor(from / MILLISECONDS.hour) * MILLISECONDS.hour,
      to: Math.ceil(to / MILLISECONDS.hour) * MILLISECONDS.hour,
    };
    const key = `${number} ${range.from} ${range.to}`;
    let series = this.#kept.get(key);
    if (series !== undefined) return series;
    try {
      series = concatenate((await readParts(this.#observations, number, range)) ?? []);
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
      series = EMPTY_SERIES;
    }
    this.#values += series.times.length * (series.values.size + 1);
    if (this.#values > MAX_CACHED_VALUES) {
      this.#kept.clear();
      this.#values = 0;
    }
    this.#kept.set(key, series);
    return series;
  }
}

/**
 * Reads the rows of a station in a range, and the rows up to `CHECK_REACH` before and after it, which the check of the range
 * needs.
 *
 * @returns undefined if the rows take more than `maxBytes`
 */
export async function readParts(
  observations: ObservationStore,
  station: number,
  { from, to }: { readonly from: number; readonly to: number },
  maxBytes = Infinity,
): Promise<readonly Series[] | undefined> {
  const parts: Series[] = [];
  let bytes = 0;
  const reach = { from: from - CHECK_REACH, to: to + CHECK_REACH };
  for await (const part of observations.read({ stations: [station], ...reach })) {
    parts.push(part);
    bytes += part.times.length * bytesOfRow(part.values.size);
    if (bytes > maxBytes) return undefined;
  }
  return parts;
}

/** Bytes of a row with its flags. */
export function bytesOfRow(variables: number): number {
  return BYTES_OF_NUMBER + variables * (BYTES_OF_NUMBER + 1);
}
