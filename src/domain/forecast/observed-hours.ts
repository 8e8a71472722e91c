import { MILLISECONDS } from '../time.js';
import { lowerBound, type Series, verdictOf } from '../weather/series.js';
import { isEnough } from '../weather/summaries/completeness.js';
import { Summaries, type SummariesOptions } from '../weather/summaries/summaries.js';
import { variableNamed } from '../weather/variables.js';
import { FORECAST_VARIABLES, type ForecastVariable } from './forecast-variables.js';

/** Largest distance of an observation from the hour that it stands for, in milliseconds: half of the interval of an hourly station. */
export const REACH = MILLISECONDS.hour / 2;

/**
 * What was observed at hours, by number of the variable of forecasts: only values that passed quality control. NaN if there is none, or
 * if the values cover too little of the hour.
 *
 * @param hours whole hours in ascending order, in milliseconds since 1970-01-01T00:00:00Z
 * @param reportingInterval seconds at the start of an hour; null if it is unknown
 */
export function observedHours(
  series: Series,
  hours: Float64Array,
  reportingInterval: SummariesOptions['reportingInterval'],
): ReadonlyMap<number, Float64Array> {
  const observed = new Map<number, Float64Array>();
  const buckets = Array.from(hours, (hour) => ({ start: hour - MILLISECONDS.hour, end: hour }));
  const ofIntervals = FORECAST_VARIABLES.filter(
    ({ observed: method }) => method !== undefined && method !== 'at',
  );
  const numbers = ofIntervals.map(({ name }) => variableNamed(name)?.number as number);
  const summaries = new Summaries(buckets, { variables: numbers, reportingInterval });
  summaries.add(series);
  for (const variable of FORECAST_VARIABLES)
    if (variable.observed === 'at') observed.set(variable.number, nearest(series, hours, variable));
  for (const [index, { number, observed: method }] of ofIntervals.entries()) {
    const own = variableNamed(ofIntervals[index]?.name ?? '');
    if (own === undefined) continue;
    observed.set(
      number,
      hours.map((_, hour) => {
        const { sum, mean, max, covered } = summaries.statistics(own.number, hour);
        if (!isEnough(own, covered, MILLISECONDS.hour)) return Number.NaN;
        return method === 'sum' ? sum : method === 'mean' ? mean : max;
      }),
    );
  }
  return observed;
}

/** The value next to each hour. */
function nearest(series: Series, hours: Float64Array, { name }: ForecastVariable): Float64Array {
  const number = variableNamed(name)?.number as number;
  const [column, flags] = [series.values.get(number), series.flags.get(number)];
  return hours.map((hour) => {
    let [best, distance] = [Number.NaN, REACH + 1];
    for (let row = lowerBound(series.times, hour - REACH); row < series.times.length; row += 1) {
      const away = Math.abs((series.times[row] as number) - hour);
      if ((series.times[row] as number) > hour + REACH) break;
      const value = column?.[row] ?? Number.NaN;
      if (Number.isNaN(value) || verdictOf(flags?.[row] ?? 0) !== 'pass' || away >= distance) continue;
      [best, distance] = [value, away];
    }
    return best;
  });
}
