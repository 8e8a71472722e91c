import { MILLISECONDS } from '../../domain/time.js';
import { lowerBound, type Series, sliceSeries } from '../../domain/weather/series.js';
import { hasValue } from '../formats/packed/chunk-codec.js';
import { dayOf } from '../formats/packed/chunk-key.js';

/** Splits rows of a station by UTC day, in rising order and without copying. */
export function* byDay(series: Series): Generator<[day: number, series: Series]> {
  let from = 0;
  while (from < series.times.length) {
    const day = dayOf(series.times[from] as number);
    const to = lowerBound(series.times, (day + 1) * MILLISECONDS.day);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}

/** The variables with a value, as a sum of 2^number. */
export function variableMask(series: Series): number {
  let variables = 0;
  for (const [variable, column] of series.values) if (hasValue(column)) variables += 2 ** variable;
  return variables;
}
