import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import type { Variable } from '../../variables.js';
import { numbersOf } from './check-numbers.js';
import { limitsOf } from './limits.js';
import type { Neighbor } from '../neighbor.js';
import type { QcSeries } from './qc-series.js';

/**
 * The numbers of the buddy check, which titanlib of MET Norway describes: a value is compared with the mean of its neighbors,
 * brought to its height. It is wrong if it differs by more than `threshold` standard deviations of the neighbors.
 */
export const BUDDIES = {
  /** Meters. */
  radius: 100_000,
  /** Meters. */
  heightDifference: 200,
  fewest: 3,
  threshold: 5,
  /** Milliseconds between the times of two values that are compared. */
  apart: 30 * MILLISECONDS.minute,
  /** From this number of neighbors on, the highest and the lowest value are left out, because a neighbor may be wrong too. */
  trimmedFrom: 5,
} as const;

/** Milliseconds before and after a change in which stations nearby must have it too. A front needs this time to pass them. */
export const PASSING = MILLISECONDS.hour;
/** Share of a change that a station nearby must have. */
const CONFIRMING_SHARE = 0.6;

/** A column of a neighbor. */
interface BuddyColumn {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly min: number;
  readonly max: number;
  /** The value at the height of the station is `value * scale + offset`. */
  readonly scale: number;
  readonly offset: number;
}

/** The columns of the neighbors that are near enough, at a similar height. */
export function buddyColumns(variable: Variable, neighbors: readonly Neighbor[]): BuddyColumn[] {
  const { buddies } = numbersOf(variable.number);
  if (buddies === undefined) return [];
  return neighbors.flatMap(({ distance, higher, series, rules }) => {
    const values = series.values.get(variable.number);
    if (values === undefined || higher === null) return [];
    if (distance > BUDDIES.radius || Math.abs(higher) > BUDDIES.heightDifference) return [];
    const { min, max } = limitsOf(variable, rules);
    const scale = buddies.scaleHeight === undefined ? 1 : Math.exp(higher / buddies.scaleHeight);
    const offset = buddies.perMeter === undefined ? 0 : -buddies.perMeter * higher;
    return [{ times: series.times, values, min, max, scale, offset }];
  });
}

/** What the neighbors say of a value. */
export type BuddyVerdict = 'strange' | 'alike';

/**
 * Compares values with those of the neighbors at the same time. A value is alike if it differs from their mean by at most the
 * smallest deviation that is assumed.
 *
 * @param found called for each strange value and each one that is alike, by its index in the trace
 */
export function compareWithBuddies(
  variable: number,
  { times, values }: QcSeries,
  columns: readonly BuddyColumn[],
  { from, to }: { readonly from: number; readonly to: number },
  found: (index: number, verdict: BuddyVerdict) => void,
): void {
  const least = numbersOf(variable).buddies?.minimumDeviation;
  if (least === undefined || columns.length < BUDDIES.fewest) return;
  const rows = new Int32Array(columns.length);
  const last = lowerBound(times, to);
  for (let index = lowerBound(times, from); index < last; index += 1) {
    const time = times[index] as number;
    let [count, sum, squares, lowest, highest] = [0, 0, 0, Infinity, -Infinity];
    for (let which = 0; which < columns.length; which += 1) {
      const column = columns[which] as BuddyColumn;
      const row = (rows[which] = nearestRow(column.times, time, rows[which] as number));
      const value = valueAt(column, row, time);
      if (Number.isNaN(value)) continue;
      count += 1;
      // Differences, because squares of pressures would lose digits.
      const difference = value - (values[index] as number);
      sum += difference;
      squares += difference * difference;
      if (difference < lowest) lowest = difference;
      if (difference > highest) highest = difference;
    }
    if (count < BUDDIES.fewest) continue;
    if (count >= BUDDIES.trimmedFrom) {
      count -= 2;
      sum -= lowest + highest;
      squares -= lowest * lowest + highest * highest;
    }
    const mean = sum / count;
    const variance = Math.max(0, squares / count - mean * mean);
    const deviation = Math.max(least, Math.sqrt(variance + variance / count));
    if (Math.abs(mean) > BUDDIES.threshold * deviation) found(index, 'strange');
    else if (Math.abs(mean) <= least) found(index, 'alike');
  }
}

/** The row nearest to a time; the earlier one of two. @param start a row at or before it */
function nearestRow(times: Float64Array, time: number, start: number): number {
  let row = start;
  while (
    row + 1 < times.length &&
    Math.abs((times[row + 1] as number) - time) < Math.abs((times[row] as number) - time)
  )
    row += 1;
  return row;
}

/** The value of a row at the height of the station; NaN if there is none that can be right. */
function valueAt({ times, values, min, max, scale, offset }: BuddyColumn, row: number, time: number): number {
  if (!(Math.abs((times[row] as number) - time) <= BUDDIES.apart)) return Number.NaN;
  const value = values[row] as number;
  return value >= min && value <= max ? value * scale + offset : Number.NaN;
}

/** Whether at least half of the neighbors had a change too, in the same direction, at about the same time. */
export function isConfirmed(
  columns: readonly BuddyColumn[],
  from: number,
  to: number,
  change: number,
): boolean {
  let [count, agreeing] = [0, 0];
  for (const column of columns) {
    const most = largestChange(column, from - PASSING, to + PASSING, Math.sign(change));
    if (most === undefined) continue;
    count += 1;
    if (most >= CONFIRMING_SHARE * Math.abs(change)) agreeing += 1;
  }
  return agreeing > 0 && 2 * agreeing >= count;
}

/** The largest change of a column in one direction; undefined if it has fewer than two values. */
function largestChange(
  { times, values, min, max }: BuddyColumn,
  from: number,
  to: number,
  sign: number,
): number | undefined {
  let count = 0;
  let least = Infinity;
  let most = 0;
  for (let row = lowerBound(times, from); row < times.length && (times[row] as number) <= to; row += 1) {
    const value = values[row] as number;
    if (!(value >= min && value <= max)) continue;
    count += 1;
    least = Math.min(least, sign * value);
    most = Math.max(most, sign * value - least);
  }
  return count < 2 ? undefined : most;
}
