import { MILLISECONDS } from '../../time.js';
import type { Series } from '../series.js';
import { V, variableNumbered } from '../variables.js';

/** Longest interval between routine reports. Two values in half a day do not stand for the whole of it. */
export const MAX_ROUTINE_INTERVAL = 3 * MILLISECONDS.hour;
/** Distances up to this ratio are of one kind: reports are seconds or minutes late. */
const ONE_KIND = 1.5;
/**
 * Share of the time that distances of one kind must have to be those of routine reports. It is above 0.3, the largest share that
 * distances of twice the interval have where any share of the reports is lost at random.
 */
const ROUTINE_SHARE = 1 / 3;
/** Distances are counted by seconds. */
const STEP = MILLISECONDS.second;

/**
 * The distances of successive values, by which the interval of ROUTINE reports is found where a station does not say it. Special reports
 * divide distances, and lost ones join them, so that neither a median nor a largest distance tells the interval:
 *
 *     time        51        51  05 12 33  51        51                  51      minutes of an hour
 *     distances        60     14  7  21 18     60             120
 *
 * Each distance has the weight of its time, and the routine interval is the longest kind of distance that takes a third of all time.
 * Reports without any such kind (a sensor that reports changes) have the distance that a third of the time exceeds. The order in which
 * values are added within a month has no effect, except that they are in order of time.
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

  /** ms between routine reports, at most `LONGEST_ROUTINE`; undefined for fewer than two values. */
  interval(): number | undefined {
    const distances = [...this.#counts].sort(([a], [b]) => a - b);
    if (distances.length === 0) return this.#hasLonger ? MAX_ROUTINE_INTERVAL : undefined;
    const times = distances.map(([steps, count]) => steps * count);
    const total = sum(times, 0, times.length);
    // `end` is the first distance of another kind, and `time` that of the distances of one kind from `from` on.
    let [end, time, found] = [0, 0, -1];
    const lengthOf = (index: number) => (distances[index] as readonly [number, number])[0];
    for (const from of distances.keys()) {
      while (end < distances.length && lengthOf(end) < ONE_KIND * lengthOf(from)) time += times[end++] ?? 0;
      if (time >= ROUTINE_SHARE * total) found = from;
      time -= times[from] as number;
    }
    const middle =
      found < 0
        ? upTo(times, 0, (1 - ROUTINE_SHARE) * total)
        : upTo(times, found, sum(times, found, endOf(distances, found)) / 2);
    return lengthOf(middle) * STEP;
  }
}

/** The first distance that is of another, longer kind than that at `from`. */
function endOf(distances: readonly (readonly [number, number])[], from: number): number {
  const longest = ONE_KIND * (distances[from]?.[0] ?? 0);
  let end = from;
  while (end < distances.length && (distances[end]?.[0] ?? 0) < longest) end += 1;
  return end;
}

/** The index at which the sum of the times from `from` on reaches `share`. */
function upTo(times: readonly number[], from: number, share: number): number {
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
 * Finds the routine intervals of the variables of a month. All values count, whatever their flags, so that judging them again changes no
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
      // A calm has no direction, and is a report.
      const calms = variableNumbered(variable).aggregation === 'direction' ? speeds : undefined;
      for (let row = 0; row < times.length; row += 1)
        if (!Number.isNaN(column[row]) || calms?.[row] === 0) distances.add(times[row] as number);
    }
  }

  intervals(): RoutineOfMonth {
    const found = [...this.#distances].flatMap(([variable, distances]) => {
      const interval = distances.interval();
      return interval === undefined ? [] : [[variable, interval] as const];
    });
    return new Map(found);
  }
}

/** The longer interval of two months for each variable: the running month may have had few routine reports so far. */
export function longerOf(month: RoutineOfMonth, before: RoutineOfMonth): RoutineOfMonth {
  const longer = [...month].map(
    ([variable, interval]) => [variable, Math.max(interval, before.get(variable) ?? 0)] as const,
  );
  return new Map([...before, ...longer]);
}
