import { MILLISECONDS } from '../../time.js';
import type { Series } from '../series.js';
import { V, variableNumbered } from '../variables.js';

/**
 * Longest interval between routine reports, in milliseconds. Without this limit, two values at a distance of 6 hours could have
 * an interval of 6 hours. Each would then cover 6 hours, so that two values would cover half a day.
 */
export const MAX_ROUTINE_INTERVAL = 3 * MILLISECONDS.hour;
/**
 * Two distances between consecutive values are of one kind if their ratio is below this number. Distances of one kind differ,
 * because reports may be seconds or minutes late.
 */
export const ONE_KIND = 1.5;
/**
 * The distances between routine reports fill at least this share of the time. The share must be more than 0.3: if reports are
 * lost at random, distances of twice the interval can fill up to 0.3 of the time.
 */
const ROUTINE_SHARE = 1 / 3;
/** Distances are rounded to multiples of this number of milliseconds. */
const STEP = MILLISECONDS.second;

/**
 * Finds the interval of ROUTINE reports from the distances of consecutive values, for a station whose reporting interval is
 * unknown. In this example, routine reports come each hour at minute 51:
 *
 *     time        51        51  05 12 33  51        51                  51      minutes of an hour
 *     distances        60     14  7  21 18     60             120
 *
 * Special reports (05, 12, 33) make distances shorter, and a lost report makes a distance longer. So neither the median nor the
 * largest distance is the interval. It is found as follows:
 *
 * 1. Distances of about the same length are one kind. A kind fills as much time as its distances together.
 * 2. Of the kinds that fill at least a third of all time, the kind with the longest distances is used. Its median is the routine
 *    interval. In the median, each distance is weighted with its length.
 * 3. If no kind fills a third of all time (a sensor that reports changes), the distances are added up from the shortest to the
 *    longest. The interval is the distance at which this sum reaches two thirds of all time.
 *
 * Values must be added in order of time. They may be added in any number of batches.
 */
export class RoutineDistances {
  /** Number of distances by their length in `STEP`s. */
  readonly #counts = new Map<number, number>();
  #hasLonger = false;
  #last = Number.NaN;

  /** Adds the time of the next value. */
  add(time: number): void {
    const distance = time - this.#last;
    this.#last = time;
    if (Number.isNaN(distance)) return;
    const steps = Math.max(1, Math.round(distance / STEP));
    if (steps * STEP > MAX_ROUTINE_INTERVAL) this.#hasLonger = true;
    else this.#counts.set(steps, (this.#counts.get(steps) ?? 0) + 1);
  }

  /** The time that the distances between two lengths, at most `MAX_ROUTINE_INTERVAL`, fill together. All are in milliseconds. */
  timeBetween(above: number, below: number): number {
    let time = 0;
    for (const [steps, count] of this.#counts)
      if (steps * STEP > above && steps * STEP < below) time += steps * STEP * count;
    return time;
  }

  /** ms between routine reports, at most `MAX_ROUTINE_INTERVAL`; undefined for fewer than two values. */
  interval(): number | undefined {
    const distances = [...this.#counts].sort(([a], [b]) => a - b);
    if (distances.length === 0) return this.#hasLonger ? MAX_ROUTINE_INTERVAL : undefined;
    const times = distances.map(([steps, count]) => steps * count);
    const total = sum(times, 0, times.length);
    // `end` is the index of the first distance that is at least `ONE_KIND` times as long as the distance at `from`. `time` is the
    // time that all distances from `from` to `end` (not included) fill together.
    let [end, time, routine] = [0, 0, -1];
    const lengthOf = (index: number) => (distances[index] as readonly [number, number])[0];
    for (const from of distances.keys()) {
      while (end < distances.length && lengthOf(end) < ONE_KIND * lengthOf(from)) time += times[end++] ?? 0;
      if (time >= ROUTINE_SHARE * total) routine = from;
      time -= times[from] as number;
    }
    const middle =
      routine < 0
        ? indexOfShare(times, 0, (1 - ROUTINE_SHARE) * total)
        : indexOfShare(times, routine, sum(times, routine, endOf(distances, routine)) / 2);
    return lengthOf(middle) * STEP;
  }
}

/**
 * The index of the first distance that is at least `ONE_KIND` times as long as the distance at `from`. Distances are in ascending
 * order.
 */
function endOf(distances: readonly (readonly [number, number])[], from: number): number {
  const longest = ONE_KIND * (distances[from]?.[0] ?? 0);
  let end = from;
  while (end < distances.length && (distances[end]?.[0] ?? 0) < longest) end += 1;
  return end;
}

/**
 * The first index, from `from` on, at which the sum of `times` reaches `share`; the last index if the sum stays below `share`.
 */
function indexOfShare(times: readonly number[], from: number, share: number): number {
  let [index, total] = [from, times[from] as number];
  while (total < share && index < times.length - 1) total += times[++index] as number;
  return index;
}

function sum(times: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let index = from; index < to; index += 1) total += times[index] as number;
  return total;
}

/** ms between routine reports of a month, by number of the variable. */
export type RoutineOfMonth = ReadonlyMap<number, number>;

/**
 * Finds the routine intervals of the variables of a month. All values are used, whatever their flags, so that a recheck changes no
 * interval.
 */
export class RoutineReports {
  readonly #distances = new Map<number, RoutineDistances>();

  /** Adds rows, in order of time. */
  add({ times, values }: Series): void {
    const speeds = values.get(V.windSpeed);
    for (const [variable, column] of values) {
      const distances = this.#distances.get(variable) ?? new RoutineDistances();
      this.#distances.set(variable, distances);
      // A calm without a direction is a report too.
      const calms = variableNumbered(variable).aggregation === 'direction' ? speeds : undefined;
      for (let row = 0; row < times.length; row += 1)
        if (!Number.isNaN(column[row]) || calms?.[row] === 0) distances.add(times[row] as number);
    }
  }

  intervals(): RoutineOfMonth {
    const intervals = [...this.#distances].flatMap(([variable, distances]) => {
      const interval = distances.interval();
      return interval === undefined ? [] : [[variable, interval] as const];
    });
    return new Map(intervals);
  }
}

/**
 * For each variable, returns the longer of its routine intervals in a month and in the month before. This is needed for the
 * current month: if it has few routine reports so far, the interval may be too short because of special reports.
 */
export function longerOf(month: RoutineOfMonth, before: RoutineOfMonth): RoutineOfMonth {
  const longer = [...month].map(
    ([variable, interval]) => [variable, Math.max(interval, before.get(variable) ?? 0)] as const,
  );
  return new Map([...before, ...longer]);
}
