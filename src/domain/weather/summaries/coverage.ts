import { RoutineDistances } from './routine-interval.js';

/** A distance up to this number of intervals has no gap: reports are seconds or minutes late. */
const LATE = 1.5;
/** A value that comes earlier than this number of intervals after the one before is an additional report. */
const EARLY = 0.5;
/** A bucket has an interval of its own if so much of its time has distances of that length, and so many of them. */
const OWN_SHARE = 0.8;
const OWN_DISTANCES = 6;

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

/** The time for which a value stands at most. */
export interface StandingTime {
  readonly milliseconds: number;
  /** Whether it was estimated from other reports: then a bucket whose reports are regular may have a longer one. */
  readonly isEstimate: boolean;
}

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
 * cover nothing of it. A value of the interval BEFORE its time stands for the time since the value before, which makes the same time.
 *
 * @param times of the values from `from` to `to` (not included), of which there is at least one
 * @param length of the bucket
 * @param reporting interval that was in force at the start of the bucket; undefined if it is unknown
 */
export function coverageOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  reporting: StandingTime | undefined,
): Coverage {
  if (reporting === undefined) return UNKNOWN;
  const found = coverageWith(times, from, to, length, reporting.milliseconds);
  if (!reporting.isEstimate || found.covered >= OWN_SHARE * length || to - from <= OWN_DISTANCES)
    return found;
  // In the month in which a station changes to shorter intervals, most of the time has the shorter ones.
  const own = ownInterval(times, from, to, length);
  return own > reporting.milliseconds ? coverageWith(times, from, to, length, own) : found;
}

function coverageWith(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
): Coverage {
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

/** The mean of values, each weighted with the time for which it stands. Parameters as of `spansOf`. */
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
 * Calls back with the time for which each value stands: until the next one, or since the one before.
 *
 * @param delay 1 for values of the interval before their time (cell-methods.ts)
 */
export function spansOf(
  times: Float64Array,
  from: number,
  to: number,
  length: number,
  interval: number,
  delay: 0 | 1,
  take: (row: number, span: number) => void,
): void {
  if (from >= to) return;
  const outer = lastSpan(times, from, to, length, interval);
  if (delay === 1) take(from, outer);
  for (let row = from; row < to - 1; row += 1) {
    const distance = (times[row + 1] as number) - (times[row] as number);
    take(row + delay, distance > LATE * interval ? interval : distance);
  }
  if (delay === 0) take(to - 1, outer);
}

function lastSpan(times: Float64Array, from: number, to: number, length: number, interval: number): number {
  const span = (times[to - 1] as number) - (times[from] as number);
  return Math.min(interval, length - span);
}

/** The interval of the routine reports of a bucket that has hardly anything else; NaN if it has none. */
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
