import { MILLISECONDS } from '../../time.js';
import type { Series } from '../series.js';
import { variableNumbered } from '../variables.js';
import type { Bucket } from './bucket.js';
import { LATE } from './coverage.js';
import { ONE_KIND, RoutineDistances } from './routine-interval.js';

/**
 * A day is reported as the station says if distances of at most `LATE` times its reporting interval add up to this share of the
 * day.
 */
const DENSE_SHARE = 0.5;
/** Distances about as long as the longer interval must add up to this share of the time of all distances up to 3 hours. */
const REGULAR_SHARE = 0.8;
/** Distances about as long as the longer interval must add up to this time: a few reports can be regular by chance. */
const MIN_REGULAR = 7 * MILLISECONDS.day;
/** Number of days whose reports are judged together. An archive may change from three-hourly to hourly reports. */
const DAYS_OF_PART = 30;

/** A time in which the reports are farther apart than the reporting interval of the station. */
export interface LongerInterval {
  /** Start of the first day, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  /** End of the last day. */
  readonly to: number;
  /** Seconds between the reports. */
  readonly seconds: number;
}

/** The reports of some days that follow each other. */
interface Part {
  readonly from: number;
  to: number;
  days: number;
  readonly distances: RoutineDistances;
}

/**
 * Finds the times of a station in which its reports are regular, but farther apart than its reporting interval: an hourly archive
 * in a station that reports every 10 minutes. An example with the reports of each day:
 *
 *     day          1      2      3      4      5      6      7      8
 *     reports      1 h    1 h    none   1 h    10 min 10 min none   10 min
 *     result       |<------- 3600 s -------->|
 *
 * A day that is reported as the station says ends a time of longer intervals. A day without reports does not. A time in which
 * reports are missing has no longer interval: its distances are of different lengths, and few of them are alike. Without
 * `REGULAR_SHARE` a sender that loses half of its reports would have a longer interval, and without `MIN_REGULAR` an outage of a
 * few days would.
 */
export class LongerIntervals {
  readonly #days: readonly Bucket[];
  readonly #reporting: number;
  readonly #named: number | undefined;
  readonly #found: (LongerInterval & { readonly regular: number })[] = [];
  #day = 0;
  /** Times of the reports of the current day. */
  #times: number[] = [];
  #part: Part | undefined;
  /** Whether a part of the current time of longer intervals was found, so that the next part continues it. */
  #continues = false;

  /**
   * @param days days that follow each other
   * @param reporting the reporting interval of the station in these days, in seconds
   * @param named the interval that the source of the rows names, in seconds. If the routine interval of the reports (see
   *   `RoutineDistances`) is about as long, special reports in between do not matter
   */
  constructor(days: readonly Bucket[], reporting: number, named: number | undefined) {
    this.#days = days;
    this.#reporting = reporting * MILLISECONDS.second;
    this.#named = named === undefined ? undefined : named * MILLISECONDS.second;
  }

  /** Adds rows, in order of time. A row with only values of days is no report. */
  add({ times, values }: Series): void {
    const columns = [...values].filter(([number]) => variableNumbered(number).period !== 'day');
    for (const [row, time] of times.entries()) {
      if (columns.every(([, column]) => Number.isNaN(column[row]))) continue;
      while (time >= (this.#days[this.#day]?.end ?? Infinity)) this.#endDay();
      if (time >= (this.#days[this.#day]?.start ?? Infinity)) this.#times.push(time);
    }
  }

  /** The times with longer intervals, in order of time. Call this method once, after all rows were added. */
  found(): readonly LongerInterval[] {
    this.#endDay();
    this.#endPart();
    return this.#found
      .filter(({ regular }) => regular >= MIN_REGULAR)
      .map(({ from, to, seconds }) => ({ from, to, seconds }));
  }

  #endDay(): void {
    const day = this.#days[this.#day] as Bucket;
    const times = this.#times;
    this.#day += 1;
    this.#times = [];
    if (times.length === 0) return;
    if (this.#isDense(times, day)) {
      this.#endPart();
      this.#continues = false;
      return;
    }
    this.#part ??= { from: day.start, to: day.end, days: 0, distances: new RoutineDistances() };
    for (const time of times) this.#part.distances.add(time);
    this.#part.to = day.end;
    this.#part.days += 1;
    if (this.#part.days === DAYS_OF_PART) this.#endPart();
  }

  #isDense(times: readonly number[], { start, end }: Bucket): boolean {
    let dense = 0;
    for (const [index, time] of times.entries()) {
      const distance = time - (times[index - 1] ?? Number.NaN);
      if (distance <= LATE * this.#reporting) dense += distance;
    }
    return dense >= DENSE_SHARE * (end - start);
  }

  #endPart(): void {
    const part = this.#part;
    this.#part = undefined;
    if (part === undefined) return;
    const interval = this.#intervalOf(part.distances);
    if (interval === undefined) return;
    const regular = regularTime(part.distances, interval);
    const { from, to } = part;
    const last = this.#found.at(-1);
    if (this.#continues && last !== undefined) {
      // A part that is not regular, between two parts of the same time, belongs to the part before it.
      const isSame = areAlike(last.seconds * MILLISECONDS.second, interval);
      const joined = { ...last, to: isSame ? to : from, regular: last.regular + (isSame ? regular : 0) };
      this.#found[this.#found.length - 1] = joined;
      if (isSame) return;
    }
    this.#continues = true;
    this.#found.push({ from, to, seconds: Math.round(interval / MILLISECONDS.second), regular });
  }

  /** Milliseconds between the reports of a part; undefined if they are not farther apart than the station says, or not regular. */
  #intervalOf(distances: RoutineDistances): number | undefined {
    const interval = distances.interval();
    if (interval === undefined || interval <= LATE * this.#reporting) return undefined;
    if (this.#named !== undefined && areAlike(this.#named, interval)) return this.#named;
    return regularTime(distances, interval) >= REGULAR_SHARE * distances.timeBetween(0, Infinity)
      ? interval
      : undefined;
  }
}

/**
 * Whether `LongerIntervals` may find anything after rows with these distances were added to a station.
 *
 * @param reporting the reporting interval of the station, in seconds
 */
export function canHaveLongerIntervals(distances: RoutineDistances, reporting: number): boolean {
  return distances.timeBetween(LATE * reporting * MILLISECONDS.second, Infinity) >= MIN_REGULAR;
}

/** The time that the distances which are about as long as `interval` fill together. Both are in milliseconds. */
function regularTime(distances: RoutineDistances, interval: number): number {
  return distances.timeBetween(interval / ONE_KIND, interval * ONE_KIND);
}

function areAlike(a: number, b: number): boolean {
  return Math.max(a, b) < ONE_KIND * Math.min(a, b);
}
