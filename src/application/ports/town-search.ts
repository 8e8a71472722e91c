import type { BoundingBox } from './station-search.js';

export interface Town {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
  /** ISO 3166 code of two letters. */
  readonly country: string;
}

/** Finds the towns of the world that have more than 5,000 people. */
export interface TownSearch {
  /** Returns at most `limit` towns in a box, the largest first. */
  findLargest(box: BoundingBox, limit: number): Promise<readonly Town[]>;
}
