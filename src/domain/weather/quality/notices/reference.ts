import type { NeighborHours } from './notice-check.js';
import { medianOf } from './robust.js';

/** Smallest number of neighbors with a value of an hour. */
export const MIN_NEIGHBORS = 3;

/** The median of the neighbors for each hour. NaN for an hour at which fewer than `MIN_NEIGHBORS` have a value. */
export interface Reference {
  readonly values: Float64Array;
  /** Numbers of the neighbors. */
  readonly stations: readonly number[];
}

/** @returns undefined if fewer than `MIN_NEIGHBORS` neighbors observe the variable */
export function referenceOf(
  variable: number,
  hours: number,
  neighbors: readonly NeighborHours[],
): Reference | undefined {
  const columns = neighbors.flatMap(({ number, table }) => {
    const column = table.columns.get(variable);
    return column === undefined ? [] : [{ number, column }];
  });
  if (columns.length < MIN_NEIGHBORS) return undefined;
  const values = new Float64Array(hours).fill(Number.NaN);
  const at: number[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    at.length = 0;
    for (const { column } of columns) {
      const value = column[hour] as number;
      if (!Number.isNaN(value)) at.push(value);
    }
    if (at.length >= MIN_NEIGHBORS) values[hour] = medianOf(at);
  }
  return { values, stations: columns.map(({ number }) => number) };
}
