import { MILLISECONDS } from '../../time.js';

/** Longest interval that is taken from the distances of values. Two values in half a day do not stand for the whole of it. */
const LONGEST_USUAL = 3 * MILLISECONDS.hour;
/** A distance up to this number of intervals has no gap: reports are seconds or minutes late. */
const LATE = 1.5;
/** A value that comes earlier than this number of intervals after the one before is an additional report. */
const EARLY = 0.5;

/** How long the values of a bucket stand for its time. Milliseconds; NaN where it cannot be known. */
export interface Coverage {
  /** At most the length of the bucket. */
  readonly covered: number;
  /** The time for which one value stands. */
  readonly interval: number;
  /** Whether there is no additional report between others. */
  readonly isRegular: boolean;
}

const UNKNOWN: Coverage = { covered: Number.NaN, interval: Number.NaN, isRegular: true };

/**
 * Each value stands for the reporting interval, until the next value if that is nearer, so that two reports for the same time count
 * once. The last value stands until the time of day of the first one. Only values of the bucket count, so that
 * the result does not depend on other buckets:
 *
 *     bucket    |--------------------------------------|
 *     values       a     b     c  d  e           f
 *     time         =====>=====>==>==>=====>      ==|       "|" is the length of the bucket after a
 *
 * If less than half an interval is missing, nothing is missing. Values of intervals that are longer than the bucket
 * cover nothing of it.
 *
 * @param times of the values from `from` to `to` (not included), of which there is at least one
 * @param length of the bucket
 * @param reporting interval that was in force at the start of the bucket, in ms; null means the usual distance of the values
 */
export function coverageOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  reporting: number | null,
): Coverage {
  if (reporting === null && to - from < 2) return UNKNOWN;
  const interval = reporting ?? Math.min(usualDistance(times, from, to), LONGEST_USUAL);
  const [longest, shortest] = [LATE * interval, EARLY * interval];
  let covered = 0;
  let isRegular = true;
  for (let row = from + 1; row < to; row += 1) {
    const distance = (times[row] as number) - (times[row - 1] as number);
    if (distance < shortest) isRegular = false;
    covered += distance > longest ? interval : distance;
  }
  covered += lastSpan(times, from, to, length, interval);
  if (interval > LATE * length) covered = 0;
  else if (length - covered < EARLY * interval) covered = length;
  return { covered, interval, isRegular };
}

/** The mean of values, each weighted with the time for which it stands. Parameters as of `coverageOf`. */
export function weightedMean(
  times: Float64Array,
  values: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
): number {
  let [sum, weights] = [0, 0];
  spansOf(times, from, to, length, interval, (row, span) => {
    sum += span * (values[row] as number);
    weights += span;
  });
  return sum / weights;
}

/** Calls back with the time for which each value stands. */
export function spansOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
  take: (row: number, span: number) => void,
): void {
  for (let row = from; row < to - 1; row += 1) {
    const distance = (times[row + 1] as number) - (times[row] as number);
    take(row, distance > LATE * interval ? interval : distance);
  }
  if (from < to) take(to - 1, lastSpan(times, from, to, length, interval));
}

function lastSpan(times: Float64Array, from: number, to: number, length: number, interval: number): number {
  const span = (times[to - 1] as number) - (times[from] as number);
  return Math.min(interval, length - span);
}

/** The median of the distances of successive values; of two medians the smaller one. */
function usualDistance(times: Float64Array, from: number, to: number): number {
  const distances = new Float64Array(to - from - 1);
  for (let index = 0; index < distances.length; index += 1)
    distances[index] = (times[from + index + 1] as number) - (times[from + index] as number);
  const first = distances[0] as number;
  if (distances.every((distance) => distance === first)) return first;
  return distances.sort()[(distances.length - 1) >>> 1] as number;
}
