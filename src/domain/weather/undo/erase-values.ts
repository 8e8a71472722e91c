import { concatenate } from '../merge-series.js';
import type { StationRules } from '../quality/station-rules.js';
import { lowerBound, type Series, sliceSeries } from '../series.js';
import { type Reverted, revertCells } from './cell-changes.js';

/** A range of times and variables. */
export interface ValueRange {
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** Numbers of variables; undefined means all variables. */
  readonly variables?: readonly number[] | undefined;
  /** Whether rows are removed because of their age. Then whole rows are removed, and no other row is checked again. */
  readonly isExpiry?: boolean | undefined;
}

/**
 * Removes the values in a range of times and variables. The values are reverted as if a single write had added all of them. There
 * was no value before such a write, so none remains.
 *
 * @param stored the rows of the station from `STEP_REACH` (3 hours) before the range to `STEP_REACH` after it, or more rows
 */
export function eraseValues(
  stored: Series,
  { from, to, variables, isExpiry = false }: ValueRange,
  rules: StationRules,
): Reverted {
  if (isExpiry) return removeRows(stored, from, to);
  const first = lowerBound(stored.times, from);
  const { times, values } = sliceSeries(stored, first, Math.max(first, lowerBound(stored.times, to)));
  const erased = [...values].filter(([variable]) => variables?.includes(variable) ?? true);
  return revertCells(stored, { times, after: new Map(erased), before: new Map() }, rules);
}

function removeRows(stored: Series, from: number, to: number): Reverted {
  const { times } = stored;
  const first = lowerBound(times, from);
  const end = Math.max(first, lowerBound(times, to));
  const series = concatenate([sliceSeries(stored, 0, first), sliceSeries(stored, end, times.length)]);
  let values = 0;
  for (const column of stored.values.values())
    for (let row = first; row < end; row += 1) if (!Number.isNaN(column[row])) values += 1;
  const rows = end - first;
  return {
    series,
    touched: new Uint8Array(series.times.length),
    removed: times.slice(first, end),
    takenBack: { rows, values },
    overwritten: { rows: 0, values: 0 },
    span: rows === 0 ? undefined : [times[first] as number, times[end - 1] as number],
  };
}
