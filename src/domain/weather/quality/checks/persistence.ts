import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import { V } from '../../variables.js';
import type { StationRules } from '../station-rules.js';
import type { StuckLimits } from './check-numbers.js';
import { resolutionAround } from './resolution.js';
import { sineOfSun } from './sunlight.js';
import type { QcSeries } from './qc-series.js';

/** Longest time in milliseconds between two equal values. After a longer gap it is unknown whether the value has changed. */
export const MAX_GAP = 6 * MILLISECONDS.hour;
/** Smallest number of equal values. Two equal values of a station that reports once a day say little. */
export const FEWEST = 5;
/** From this relative humidity on (%), air may be saturated for days. */
export const SATURATED = 99.5;
/** From this relative humidity on (%), it may stay the same for days, unless the temperature varies by `VARYING` (°C). */
export const MOIST = 97;
export const VARYING = 3;
/** Below this speed (m/s) a vane need not turn. */
export const VANE_STARTS = 1;
/** From these steps on, as shares of a unit, a series is reported in halves (also whole °F and knots), or in whole units. */
export const HALF = 0.3;
export const WHOLE = 0.75;
/** Below this altitude of the sun (its sine, about 6°), radiation may be 0 for days: under clouds, and in the polar winter. */
export const LOW_SUN = 0.1;

/**
 * Finds values that do not change for too long. How long is too long depends on the step in which the values around them are reported: in
 * whole degrees a temperature stays the same for longer than in tenths. A run of equal values is judged as a whole, so that all of its values are found:
 *
 *     21.3  20.9  20.4  20.4  20.4  20.4  20.4  20.4  19.8
 *                 |                             |
 *                 +------- too long: stuck -----+
 *
 * @param columns the series of the trace
 * @param rules of the station
 * @param found called for each value, by its index in the trace
 */
export function findStuck(
  variable: number,
  trace: QcSeries,
  limits: StuckLimits,
  columns: ReadonlyMap<number, Float64Array>,
  rules: StationRules,
  found: (index: number) => void,
): void {
  const { times, values } = trace;
  const canRest = restOf(variable, trace, columns, rules);
  const limitAt = limitOf(trace, limits);
  let start = 0;
  for (let index = 1; index <= times.length; index += 1) {
    if (
      index < times.length &&
      values[index] === values[index - 1] &&
      (times[index] as number) - (times[index - 1] as number) <= MAX_GAP
    )
      continue;
    const first = start;
    start = index;
    const lasted = (times[index - 1] as number) - (times[first] as number);
    if (index - first < FEWEST || lasted < limits.fine) continue;
    for (let stuck = first; stuck < index; stuck += 1)
      if (!canRest(stuck, first, index, limits.fine) && lasted >= limitAt(stuck)) found(stuck);
  }
}

/** The limit that holds for a value, in milliseconds. One answer for each hour. @returns a function of an index in the trace */
function limitOf(trace: QcSeries, { fine, half, whole, unit }: StuckLimits): (index: number) => number {
  if (fine === half && half === whole) return () => fine;
  let checked = Number.NaN;
  let limit = fine;
  return (index) => {
    const time = trace.times[index] as number;
    const hour = time - (time % MILLISECONDS.hour);
    if (hour !== checked) {
      checked = hour;
      const resolution = resolutionAround(trace, hour) / unit;
      limit = resolution < HALF ? fine : resolution < WHOLE ? half : whole;
    }
    return limit;
  };
}

/** Whether a value of a run may stay the same. @param from index of the first value of the run @param to behind the last one */
type Rest = (index: number, from: number, to: number, longest: number) => boolean;

/** Which values of a variable may stay the same for long. */
function restOf(
  variable: number,
  { times, values, rows }: QcSeries,
  columns: ReadonlyMap<number, Float64Array>,
  rules: StationRules,
): Rest {
  if (variable === V.windSpeed) return (index) => values[index] === 0;
  if (variable === V.windDirection) {
    const speeds = columns.get(V.windSpeed);
    return (index) => !((speeds?.[rows[index] as number] ?? 0) >= VANE_STARTS);
  }
  if (variable === V.radiation) {
    return (index, from) => {
      const elapsed = index > from ? (times[index] as number) - (times[index - 1] as number) : 0;
      return !((sineOfSun(times[index] as number, elapsed, rules) ?? 0) >= LOW_SUN);
    };
  }
  if (variable !== V.humidity) return () => false;
  const temperatures = columns.get(V.temperature);
  let checked = Number.NaN;
  let run = -1;
  let isVarying = false;
  return (index, from, to, longest) => {
    const value = values[index] as number;
    if (value < MOIST || value >= SATURATED) return value >= SATURATED;
    // One answer for each hour, from the values around it.
    const hour = Math.floor((times[index] as number) / MILLISECONDS.hour);
    if (hour !== checked || from !== run) {
      [checked, run] = [hour, from];
      const begin = lowerBound(times, hour * MILLISECONDS.hour - longest, from, to);
      const end = lowerBound(times, (hour + 1) * MILLISECONDS.hour + longest, from, to);
      isVarying = temperatures !== undefined && rangeOf(temperatures, rows, begin, end) >= VARYING;
    }
    return !isVarying;
  };
}

function rangeOf(column: Float64Array, rows: Int32Array, from: number, to: number): number {
  let [least, most] = [Infinity, -Infinity];
  for (let index = from; index < to; index += 1) {
    const value = column[rows[index] as number] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}
