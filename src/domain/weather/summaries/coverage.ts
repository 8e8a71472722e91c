import type { Bucket } from './bucket.js';
import { RoutineDistances } from './routine-interval.js';

/**
 * Two consecutive reports have no gap between them if their distance is at most this multiple of the interval. The distance can
 * be longer than the interval, because reports may be seconds or minutes late.
 */
export const LATE = 1.5;
/**
 * Smallest distance of two routine reports, as a multiple of the interval. A report at a smaller distance is an additional report.
 */
const EARLY = 0.5;
/**
 * The interval of the routine reports of a bucket can be found from the bucket alone if:
 *
 * - the bucket has more than `OWN_DISTANCES` values;
 * - the distances between values that are about as long as the interval add up to at least this share of the bucket: distances of
 *   about 10 minutes, for example, add up to 0.8 of a day.
 */
const OWN_SHARE = 0.8;
const OWN_DISTANCES = 6;

/** The time that the values of a bucket cover. Times are in milliseconds; NaN if unknown. */
export interface Coverage {
  /** The covered time, at most the length of the bucket. */
  readonly covered: number;
  /** The time that one value covers. */
  readonly interval: number;
  /**
   * False if two consecutive reports are less than `EARLY` times the interval apart. One of them is then an additional report
   * between routine reports.
   */
  readonly isRegular: boolean;
}

const UNKNOWN: Coverage = { covered: Number.NaN, interval: Number.NaN, isRegular: true };

/** The longest time that one value covers. */
export interface ValueCoverage {
  readonly milliseconds: number;
  /**
   * Whether `milliseconds` was estimated from other reports (routine-interval.ts). If so, a longer interval that is found from
   * the reports of the bucket may replace the estimate.
   */
  readonly isEstimate: boolean;
}

/**
 * Computes the time that the values of a bucket (an interval such as a day) cover:
 *
 * - A value covers the time until the next value. If two reports have the same time, the first of them covers no time.
 * - If the next value is later than `LATE` times the reporting interval, the value covers one reporting interval (e below).
 * - The last value (f below) covers one reporting interval, but at most until the mark "|" after f. The mark is one length of
 *   the bucket after the first value (a below).
 *
 * Only values of the bucket are used, so that the result does not depend on other buckets:
 *
 *     bucket    |--------------------------------------|
 *     values       a     b     c  d  e           f
 *     time         =====>=====>==>==>=====>      ==|
 *
 * Special cases:
 *
 * - If less than half a reporting interval is not covered, the bucket counts as covered.
 * - If the reporting interval is longer than `LATE` times the length of the bucket, the values cover nothing of the bucket.
 * - A value that describes the interval BEFORE its time covers the time since the previous value. The covered time of the
 *   bucket is the same as for other values.
 *
 * @param times times of the values from `from` to `to` (not included). There is at least one value.
 * @param length length of the bucket in ms
 * @param reporting the reporting interval at the start of the bucket; undefined if it is unknown
 */
export function coverageOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  reporting: ValueCoverage | undefined,
): Coverage {
  if (reporting === undefined) return UNKNOWN;
  const coverage = coverageWith(times, from, to, length, reporting.milliseconds);
  if (!reporting.isEstimate || coverage.covered >= OWN_SHARE * length || to - from <= OWN_DISTANCES)
    return coverage;
  // A station can change to a shorter reporting interval within a month. The estimate for the month is then the shorter interval,
  // but the buckets before the change have the longer interval.
  const own = ownInterval(times, from, to, length);
  return own > reporting.milliseconds ? coverageWith(times, from, to, length, own) : coverage;
}

function coverageWith(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
): Coverage {
  const longest = LATE * interval;
  const shortest = EARLY * interval;
  let covered = 0;
  let isRegular = true;
  for (let row = from + 1; row < to; row += 1) {
    const distance = (times[row] as number) - (times[row - 1] as number);
    if (distance < shortest) isRegular = false;
    covered += distance > longest ? interval : distance;
  }
  covered += lastSpan(times, from, to, length, interval);
  if (interval > LATE * length) covered = 0;
  else covered = orWhole(covered, length, interval);
  return { covered, interval, isRegular };
}

/** The covered time of a bucket; the length of the bucket if less than half a reporting interval is not covered. */
export function orWhole(covered: number, length: number, interval: number): number {
  return length - covered < EARLY * interval ? length : covered;
}

/** The mean of values, each weighted with the time that it covers. For the parameters see `spansOf`. */
export function weightedMean(
  times: Float64Array,
  values: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
  delay: 0 | 1,
): number {
  let [sum, weights] = [0, 0];
  spansOf(times, from, to, length, interval, delay, (row, span) => {
    sum += span * (values[row] as number);
    weights += span;
  });
  return sum / weights;
}

/**
 * Calls `visit` with the time that each value covers: until the next value, or since the previous value.
 *
 * @param delay 1 for values of the interval before their time (cell-methods.ts), otherwise 0
 */
export function spansOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
  delay: 0 | 1,
  visit: (row: number, span: number) => void,
): void {
  if (from >= to) return;
  const outer = lastSpan(times, from, to, length, interval);
  if (delay === 1) visit(from, outer);
  for (let row = from; row < to - 1; row += 1) {
    const distance = (times[row + 1] as number) - (times[row] as number);
    visit(row + delay, distance > LATE * interval ? interval : distance);
  }
  if (delay === 0) visit(to - 1, outer);
}

/**
 * Calls `visit` with the bounds of each gap. A gap is a time of a bucket that no value covers (see `spansOf`). The spans of the
 * values and the gaps together are as long as the bucket: if the first or the last value covers some time outside of the bucket,
 * the same time at the other end of the bucket is not a gap, as on a clock face.
 *
 * @param interval the time that one value covers, in ms; the bucket must be at least `1 / LATE` times as long
 */
export function gapsOf(
  times: Float64Array,
  from: number,
  to: number,
  { start, end }: Bucket,
  interval: number,
  delay: 0 | 1,
  visit: (from: number, to: number) => void,
): void {
  for (let row = from + 1; row < to; row += 1) {
    const [before, after] = [times[row - 1] as number, times[row] as number];
    if (after - before <= LATE * interval) continue;
    if (delay === 1) visit(before, after - interval);
    else visit(before + interval, after);
  }
  const [first, last, length] = [times[from] as number, times[to - 1] as number, end - start];
  const outer = lastSpan(times, from, to, length, interval);
  // The gap from the last value to the first value of the next turn of the clock.
  const [begin, close] = delay === 1 ? [last, first + length - outer] : [last + outer, first + length];
  if (begin < Math.min(end, close)) visit(begin, Math.min(end, close));
  const next = Math.max(start, begin - length);
  if (next < close - length) visit(next, close - length);
}

function lastSpan(times: Float64Array, from: number, to: number, length: number, interval: number): number {
  const span = (times[to - 1] as number) - (times[from] as number);
  return Math.min(interval, length - span);
}

/**
 * Finds the interval of the routine reports of a bucket from the distances between its values.
 *
 * @returns NaN if the distances that are about as long as the found interval add up to less than `OWN_SHARE` of the bucket
 */
function ownInterval(times: Float64Array, from: number, to: number, length: number): number {
  const distances = new RoutineDistances();
  for (let row = from; row < to; row += 1) distances.add(times[row] as number);
  const interval = distances.interval() ?? Number.NaN;
  let regular = 0;
  for (let row = from + 1; row < to; row += 1) {
    const distance = (times[row] as number) - (times[row - 1] as number);
    if (distance >= interval / LATE && distance <= LATE * interval) regular += distance;
  }
  return regular >= OWN_SHARE * length ? interval : Number.NaN;
}
