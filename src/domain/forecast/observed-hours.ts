import { MILLISECONDS } from '../time.js';
import type { Series } from '../weather/series.js';
import { valuesAtTimes } from '../weather/summaries/at-times.js';
import type { SummariesOptions } from '../weather/summaries/summaries.js';
import { variableNamed } from '../weather/variables.js';
import { FORECAST_VARIABLES } from './forecast-variables.js';

const COMPARED = FORECAST_VARIABLES.flatMap(({ number, name, observed: method }) =>
  method === undefined ? [] : [{ number, method, variable: variableNamed(name)?.number as number }],
);

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
  const columns = valuesAtTimes(series, hours, MILLISECONDS.hour, COMPARED, reportingInterval);
  return new Map(COMPARED.map(({ number }, index) => [number, columns[index] as Float64Array]));
}
