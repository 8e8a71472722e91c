import type { StationRules } from '../quality-control.js';
import { lowerBound, type Series, sliceSeries } from '../series.js';
import { type Reverted, revertCells } from './cell-changes.js';

/** A range of times and some variables, or all where they are undefined. */
export interface ValueRange {
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables. */
  readonly variables?: readonly number[] | undefined;
}

/**
 * Erases values: takes them back as if one write had stored them and there had been none before.
 *
 * @param stored the rows of the station from `STEP_REACH` before the range to `STEP_REACH` after it, or more
 */
export function eraseValues(
  stored: Series,
  { from, to, variables }: ValueRange,
  rules: StationRules,
): Reverted {
  const first = lowerBound(stored.times, from);
  const { times, values } = sliceSeries(stored, first, Math.max(first, lowerBound(stored.times, to)));
  const erased = [...values].filter(([variable]) => variables?.includes(variable) ?? true);
  return revertCells(stored, { times, after: new Map(erased), before: new Map() }, rules);
}
