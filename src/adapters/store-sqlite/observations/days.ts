import { MILLISECONDS } from '../../../domain/time.js';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { chunkKey, dayOf, FIRST_DAY } from '../../formats/packed/chunk-key.js';

/** The first and the last possible key of the chunks of a station in `[from, to)`. */
export function keysOf(station: number, from: number, to: number): [first: number, last: number] {
  const key = (day: number) => chunkKey(station, Math.min(Math.max(day, FIRST_DAY), -FIRST_DAY - 1));
  return [key(dayOf(from)), key(dayOf(to - 1))];
}

/** Splits a series into UTC days. */
export function* byDay(series: Series): Generator<[day: number, series: Series]> {
  let from = 0;
  while (from < series.times.length) {
    const day = dayOf(series.times[from] as number);
    const to = lowerBound(series.times, (day + 1) * MILLISECONDS.day);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}
