import { MILLISECONDS } from '../../time.js';
import { lowerBound, type Series, verdictOf } from '../series.js';
import { variableNumbered } from '../variables.js';
import { isEnough } from './completeness.js';
import { Summaries, type SummariesOptions } from './summaries.js';

/** Largest distance of an observation from the time that it stands for, in milliseconds: half of the interval of an hourly station. */
export const REACH = MILLISECONDS.hour / 2;

/**
 * How the value of a variable at a time follows from observations. `at`: the value next to the time. The others are the mean, the sum or
 * the maximum of the step that ends at the time.
 */
export type TimeMethod = 'at' | 'mean' | 'sum' | 'maximum';

export interface ValueAtTimes {
  /** Number of the variable in the catalog. */
  readonly variable: number;
  readonly method: TimeMethod;
  /** For `at`: largest age of an observation at the time, in milliseconds. The default is `REACH`. */
  readonly maxAge?: number;
}

/**
 * Values at regular times, in the order of `wanted`: only from observations that passed quality control. NaN if there is none, or if the
 * values cover too little of the step.
 *
 * @param times in ascending order, in milliseconds since 1970-01-01T00:00:00Z
 * @param step milliseconds between two times
 * @param reportingInterval seconds; null if it is unknown
 */
export function valuesAtTimes(
  series: Series,
  times: Float64Array,
  step: number,
  wanted: readonly ValueAtTimes[],
  reportingInterval: SummariesOptions['reportingInterval'],
): readonly Float64Array[] {
  const numbers = wanted.filter(({ method }) => method !== 'at').map(({ variable }) => variable);
  const buckets = Array.from(times, (time) => ({ start: time - step, end: time }));
  const summaries = new Summaries(buckets, { variables: numbers, reportingInterval });
  if (numbers.length > 0) summaries.add(series);
  return wanted.map(({ variable: number, method, maxAge }) => {
    if (method === 'at') return nearest(series, times, number, maxAge);
    const variable = variableNumbered(number);
    return times.map((_, index) => {
      const { sum, mean, max, covered } = summaries.statistics(number, index);
      if (!isEnough(variable, covered, step)) return Number.NaN;
      return method === 'sum' ? sum : method === 'mean' ? mean : max;
    });
  });
}

/** The value next to each time. */
function nearest(series: Series, times: Float64Array, number: number, maxAge = REACH): Float64Array {
  const [column, flags] = [series.values.get(number), series.flags.get(number)];
  return times.map((time) => {
    let [best, distance] = [Number.NaN, Infinity];
    for (let row = lowerBound(series.times, time - maxAge); row < series.times.length; row += 1) {
      const away = Math.abs((series.times[row] as number) - time);
      if ((series.times[row] as number) > time + REACH) break;
      const value = column?.[row] ?? Number.NaN;
      if (Number.isNaN(value) || verdictOf(flags?.[row] ?? 0) !== 'pass' || away >= distance) continue;
      [best, distance] = [value, away];
    }
    return best;
  });
}
