import type { BoundingBox } from '../ports/station-search.js';
import type { Town, TownSearch } from '../ports/town-search.js';
import { assertFilter } from './find-stations.js';

/** Number of towns in a reply: the default and the maximum. */
export const TOWN_LIMITS = { default: 100, max: 500 } as const;

/** Finds the largest towns in a box, for the names on a map. */
export class FindTowns {
  readonly #towns: TownSearch;

  constructor(towns: TownSearch) {
    this.#towns = towns;
  }

  /** @throws DomainError REQUEST_INVALID for an invalid box */
  async execute(bbox: BoundingBox, limit: number): Promise<readonly Town[]> {
    assertFilter({ bbox });
    return this.#towns.findLargest(bbox, limit);
  }
}
