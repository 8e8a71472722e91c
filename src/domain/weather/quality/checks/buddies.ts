import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import type { Variable } from '../../variables.js';
import { numbersOf } from './check-numbers.js';
import { limitsOf } from './gross-limits.js';
import type { Neighbor } from '../neighbor.js';
import type { QcSeries } from './qc-series.js';

/**
 * The parameters of the buddy check of titanlib (MET Norway). The check converts the values of nearby stations to the height of
 * the checked station. A value of the checked station is wrong if it differs from the mean of the converted values by more than
 * `threshold` standard deviations of the converted values.
 */
export const BUDDIES = {
  /** Largest distance of a neighbor, meters. */
  radius: 100_000,
  /** Largest difference of the elevations, meters. */
  heightDifference: 200,
  /** Smallest number of neighbors. */
  minimum: 3,
  threshold: 5,
  /** Largest difference between the times of two compared values, milliseconds. */
  timeDifference: 30 * MILLISECONDS.minute,
  /**
   * If at least this number of neighbors have a value, the highest and the lowest value are left out, because a neighbor may be
   * wrong too.
   */
  trimmedFrom: 5,
} as const;

/**
 * A cold front, or other weather that causes a change at a station, reaches the nearby stations within this number of
 * milliseconds before or after the change.
 */
export const PASSING_TIME = MILLISECONDS.hour;
/**
 * Smallest size of a change at a nearby station that confirms a change at the checked station, as a share of the confirmed
 * change.
 */
const CONFIRMING_SHARE = 0.6;

/** The values of a variable at a neighbor. */
interface BuddyColumn {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly min: number;
  readonly max: number;
  /** The value at the height of the checked station is `value * scale + offset`. */
  readonly scale: number;
  readonly offset: number;
}

/** The columns of the neighbors within `BUDDIES.radius` and `BUDDIES.heightDifference`. */
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

/** The result of the comparison of a value with its neighbors. */
export type BuddyVerdict = 'different' | 'similar';

/**
 * Compares values of a station with the mean of the values of its neighbors at the same time. A value is:
 *
 * - similar if it differs from the mean by at most the smallest assumed deviation (`BuddyNumbers.minimumDeviation`);
 * - different if it differs from the mean by more than `BUDDIES.threshold` deviations. A deviation is the standard deviation of
 *   the values of the neighbors, but at least the smallest assumed deviation;
 * - otherwise not reported.
 *
 * @param report called for each different and each similar value, with its index in `values`
 */
export function compareWithBuddies(
  variable: number,
  { times, values }: QcSeries,
  columns: readonly BuddyColumn[],
  { from, to }: { readonly from: number; readonly to: number },
  report: (index: number, verdict: BuddyVerdict) => void,
): void {
  const minimum = numbersOf(variable).buddies?.minimumDeviation;
  if (minimum === undefined || columns.length < BUDDIES.minimum) return;
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
      // Differences from the checked value are summed instead of the values, because squares of pressures would lose digits.
      const difference = value - (values[index] as number);
      sum += difference;
      squares += difference * difference;
      if (difference < lowest) lowest = difference;
      if (difference > highest) highest = difference;
    }
    if (count < BUDDIES.minimum) continue;
    if (count >= BUDDIES.trimmedFrom) {
      count -= 2;
      sum -= lowest + highest;
      squares -= lowest * lowest + highest * highest;
    }
    const mean = sum / count;
    const variance = Math.max(0, squares / count - mean * mean);
    const deviation = Math.max(minimum, Math.sqrt(variance + variance / count));
    if (Math.abs(mean) > BUDDIES.threshold * deviation) report(index, 'different');
    else if (Math.abs(mean) <= minimum) report(index, 'similar');
  }
}

/** The row nearest to a time; the earlier of two equally near rows. @param start a row at or before the result */
function nearestRow(times: Float64Array, time: number, start: number): number {
  let row = start;
  while (
    row + 1 < times.length &&
    Math.abs((times[row + 1] as number) - time) < Math.abs((times[row] as number) - time)
  )
    row += 1;
  return row;
}

/**
 * The value of a row of a neighbor, converted to the height of the checked station. NaN if the row is too far from `time`, or if
 * the value is outside of its gross limits.
 */
function valueAt({ times, values, min, max, scale, offset }: BuddyColumn, row: number, time: number): number {
  if (!(Math.abs((times[row] as number) - time) <= BUDDIES.timeDifference)) return Number.NaN;
  const value = values[row] as number;
  return value >= min && value <= max ? value * scale + offset : Number.NaN;
}

/**
 * Whether at least half of the neighbors confirm a change. A neighbor confirms the change if it had a change in the same
 * direction and of at least `CONFIRMING_SHARE` of the size, within `PASSING_TIME` before or after the change. Neighbors with
 * fewer than two values in this time are not counted.
 */
export function isConfirmed(
  columns: readonly BuddyColumn[],
  from: number,
  to: number,
  change: number,
): boolean {
  let [count, agreeing] = [0, 0];
  for (const column of columns) {
    const largest = largestChange(column, from - PASSING_TIME, to + PASSING_TIME, Math.sign(change));
    if (largest === undefined) continue;
    count += 1;
    if (largest >= CONFIRMING_SHARE * Math.abs(change)) agreeing += 1;
  }
  return agreeing > 0 && 2 * agreeing >= count;
}

/** The largest change of a column in one direction; undefined if the column has fewer than two values between `from` and `to`. */
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
