import type { BoundingBox } from '#application/ports/station-search.js';
import type { Town, TownSearch } from '#application/ports/town-search.js';
import { readOnce, readPackedFile } from './packed-file.js';

/** Columns of towns, the largest town first. Positions are whole numbers of `1 / steps` degrees. */
export interface TownColumns {
  readonly steps: number;
  /** Names, separated by line feeds. */
  readonly names: string;
  /** ISO 3166 codes of two letters. */
  readonly countries: string;
  readonly populations: ArrayLike<number>;
  readonly latitudes: ArrayLike<number>;
  readonly longitudes: ArrayLike<number>;
}

/**
 * Finds towns by going through all of them, beginning with the largest: 50,000 comparisons take 0.1 ms, so the towns need no
 * index.
 */
export class PackedTowns implements TownSearch {
  readonly #read: () => Promise<TownColumns & { readonly split: readonly string[] }>;

  constructor(file: URL) {
    this.#read = readOnce(async () => {
      const columns = (await readPackedFile(file)) as TownColumns;
      return {
        ...columns,
        split: columns.names.split('\n'),
        populations: Int32Array.from(columns.populations),
        latitudes: Int32Array.from(columns.latitudes),
        longitudes: Int32Array.from(columns.longitudes),
      };
    });
  }

  async findLargest({ west, south, east, north }: BoundingBox, limit: number): Promise<readonly Town[]> {
    const { steps, split, countries, populations, latitudes, longitudes } = await this.#read();
    const found: Town[] = [];
    for (let index = 0; index < split.length && found.length < limit; index++) {
      const latitude = (latitudes[index] ?? NaN) / steps;
      const longitude = (longitudes[index] ?? NaN) / steps;
      const isBetween =
        west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
      if (!isBetween || latitude < south || latitude > north) continue;
      found.push({
        name: split[index] ?? '',
        latitude,
        longitude,
        population: populations[index] ?? 0,
        country: countries.slice(2 * index, 2 * index + 2),
      });
    }
    return found;
  }
}
