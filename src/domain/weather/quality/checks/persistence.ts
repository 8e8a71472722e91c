import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import { V } from '../../variables.js';
import type { StationRules } from '../station-rules.js';
import type { StuckLimits } from './check-numbers.js';
import { resolutionAround } from './resolution.js';
import { sineOfSun } from './radiation-limit.js';
import type { QcSeries } from './qc-series.js';

/** Longest time in milliseconds between two equal values. After a longer gap it is unknown whether the value has changed. */
export const MAX_GAP = 6 * MILLISECONDS.hour;
/** Smallest number of equal values. Two equal values of a station that reports once a day prove little. */
export const MIN_EQUAL_VALUES = 5;
/** Relative humidity in % from which air may be saturated for days. */
export const SATURATED = 99.5;
/**
 * Relative humidity in % from which the humidity may stay the same for days, unless the temperature varies by at least `VARYING`
 * (°C).
 */
export const MOIST = 97;
export const VARYING = 3;
/** Wind speed in m/s below which a vane need not turn. */
export const VANE_STARTS = 1;
/**
 * The reporting step of a series is the smallest difference of its values. A series counts as reported:
 *
 * - in whole units, such as 20, 21, 22, if its reporting step is at least `WHOLE` of a unit;
 * - in halves, such as 20.0, 20.5, 21.0, if its reporting step is smaller, but at least `HALF` of a unit. Examples are values in
 *   whole °F (steps of 0.56 °C) and in knots (steps of 0.51 m/s);
 * - in tenths, if its reporting step is smaller still.
 */
export const HALF = 0.3;
export const WHOLE = 0.75;
/** Sine of the altitude of the sun (about 6°) below which radiation may be 0 for days: under clouds, and in the polar winter. */
export const LOW_SUN = 0.1;

/**
 * Finds stuck values, which do not change for too long. The limit depends on the reporting step of the values around them: a
 * temperature in whole degrees stays the same for longer than a temperature in tenths. A run of equal values is checked as a whole,
 * so that all of its values are found:
 *
 *     21.3  20.9  20.4  20.4  20.4  20.4  20.4  20.4  19.8
 *                 |                             |
 *                 +------- too long: stuck -----+
 *
 * @param columns the columns of the station, by number of the variable
 * @param rules rules of the station
 * @param report called for each stuck value, with its index in the QC series
 */
export function findStuck(
  variable: number,
  qcSeries: QcSeries,
  limits: StuckLimits,
  columns: ReadonlyMap<number, Float64Array>,
  rules: StationRules,
  report: (index: number) => void,
): void {
  const { times, values } = qcSeries;
  const mayBeConstant = constancyRule(variable, qcSeries, columns, rules);
  const limitAt = limitOf(qcSeries, limits);
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
    const duration = (times[index - 1] as number) - (times[first] as number);
    if (index - first < MIN_EQUAL_VALUES || duration < limits.fine) continue;
    for (let stuck = first; stuck < index; stuck += 1)
      if (!mayBeConstant(stuck, first, index, limits.fine) && duration >= limitAt(stuck)) report(stuck);
  }
}

/**
 * Returns a function that gives the limit for a value: the time in milliseconds for which the value may stay the same before it
 * is stuck. The parameter of the function is the index of the value.
 *
 * The limit depends on the reporting step of the values around the value, and is computed once for each hour.
 */
function limitOf(qcSeries: QcSeries, { fine, half, whole, unit }: StuckLimits): (index: number) => number {
  if (fine === half && half === whole) return () => fine;
  let checked = Number.NaN;
  let limit = fine;
  return (index) => {
    const time = qcSeries.times[index] as number;
    const hour = time - (time % MILLISECONDS.hour);
    if (hour !== checked) {
      checked = hour;
      const resolution = resolutionAround(qcSeries, hour) / unit;
      limit = resolution < HALF ? fine : resolution < WHOLE ? half : whole;
    }
    return limit;
  };
}

/**
 * Whether a value in a run of equal values may stay the same for long.
 *
 * @param from index of the first value of the run
 * @param to index behind the last value of the run
 * @param reach milliseconds before and after the value from which the variation of the temperature is computed
 */
type ConstancyRule = (index: number, from: number, to: number, reach: number) => boolean;

function constancyRule(
  variable: number,
  { times, values, rows }: QcSeries,
  columns: ReadonlyMap<number, Float64Array>,
  rules: StationRules,
): ConstancyRule {
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
  return (index, from, to, reach) => {
    const value = values[index] as number;
    if (value < MOIST || value >= SATURATED) return value >= SATURATED;
    // The variation is computed once for each hour, from the values around this hour.
    const hour = Math.floor((times[index] as number) / MILLISECONDS.hour);
    if (hour !== checked || from !== run) {
      [checked, run] = [hour, from];
      const begin = lowerBound(times, hour * MILLISECONDS.hour - reach, from, to);
      const end = lowerBound(times, (hour + 1) * MILLISECONDS.hour + reach, from, to);
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
