import { MILLISECONDS } from '../../time.js';
import { lowerBound, type Series, sliceSeries } from '../series.js';
import { reportingIntervalAt } from '../station-history.js';
import type { Station } from '../station.js';
import type { Statistics } from '../summaries/statistics.js';
import { Summaries } from '../summaries/summaries.js';
import { type Aggregation, V, variableNumbered } from '../variables.js';

/** Statistics of the current day, from values that passed quality control. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface Today {
  /** The first instant of the day. */
  readonly from: number;
  /** The extremes of each variable whose values are averaged (aggregation `mean`), by the number of the variable. */
  readonly extremes: ReadonlyMap<number, Pick<Statistics, 'min' | 'minTime' | 'max' | 'maxTime'>>;
  /** The sum of each variable whose values are added up (aggregation `sum`), by the number of the variable. */
  readonly sums: ReadonlyMap<number, number>;
  /** The amount of the day, in mm; null without a value. */
  readonly rain: number | null;
  /** The amount of the last 60 minutes, in mm; null without a value, or if the reporting interval is longer than an hour. */
  readonly rainOfHour: number | null;
  readonly gust: {
    readonly speed: number;
    readonly time: number;
    readonly direction: number | null;
  } | null;
}

/**
 * @param series rows up to `now`: at least all rows since `from` and all rows of the last hour
 * @param from the first instant of the day
 */
export function todayOf(series: Series, station: Station, from: number, now: number): Today {
  const day = statisticsOf(series, station, from, now);
  const ofAggregation = (aggregation: Aggregation) =>
    [...day].filter(([variable]) => variableNumbered(variable).aggregation === aggregation);
  const gust = day.get(V.gust);
  return {
    from,
    extremes: new Map(ofAggregation('mean')),
    sums: new Map(ofAggregation('sum').map(([variable, { sum }]) => [variable, sum])),
    rain: day.get(V.precipitation)?.sum ?? null,
    rainOfHour: rainOfHour(series, station, now),
    gust: gust ? { speed: gust.max, time: gust.maxTime, direction: numberOrNull(gust.maxDirection) } : null,
  };
}

/** The amount of precipitation of the last 60 minutes, as `Today.rainOfHour`. */
export function rainOfHour(series: Series, station: Station, now: number): number | null {
  const interval = reportingIntervalAt(station, now) ?? 0;
  if (interval * MILLISECONDS.second > MILLISECONDS.hour) return null;
  return rainSince(series, station, now - MILLISECONDS.hour, now);
}

/** The amount of precipitation that passed quality control since `from`, in mm; null without a value. */
export function rainSince(series: Series, station: Station, from: number, now: number): number | null {
  return statisticsOf(series, station, from, now).get(V.precipitation)?.sum ?? null;
}

/** The duration of sunshine that passed quality control since `from`, in s; null without a value. */
export function sunshineSince(series: Series, station: Station, from: number, now: number): number | null {
  return statisticsOf(series, station, from, now).get(V.sunshine)?.sum ?? null;
}

/**
 * The statistics of all variables with at least one value that passed quality control. A value of an interval that ends at `from`
 * belongs to the time before `from`, so it is not counted.
 */
function statisticsOf(series: Series, station: Station, from: number, now: number): Map<number, Statistics> {
  const summaries = new Summaries([{ start: from, end: now + 1 }], {
    reportingInterval: (start) => reportingIntervalAt(station, start),
    station,
  });
  summaries.add(sliceSeries(series, lowerBound(series.times, from), series.times.length));
  const all = summaries.variables.map((variable) => [variable, summaries.statistics(variable, 0)] as const);
  return new Map(all.filter(([, { count }]) => count > 0));
}

function numberOrNull(value = Number.NaN): number | null {
  return Number.isNaN(value) ? null : value;
}
