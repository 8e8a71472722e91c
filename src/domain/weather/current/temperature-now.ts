import { MILLISECONDS } from '../../time.js';
import { lowerBound, type Series } from '../series.js';
import { V } from '../variables.js';
import { trendName, type TrendName } from './trend-name.js';
import { TREND_TIME, trendOf } from './trend.js';

/** The number of hours of a trend. */
export const TREND_HOURS = TREND_TIME / MILLISECONDS.hour;

export interface TemperatureNow {
  /** In °C. The value may have failed quality control; see `flags`. */
  readonly value: number;
  readonly flags: number;
  readonly time: number;
  /** The change in `TREND_HOURS` in °C, from values that passed quality control; null if it is unknown. */
  readonly change: number | null;
  readonly trend: TrendName | null;
}

/**
 * The newest temperature of a series that ends at `at`.
 *
 * @param maxAge largest age of the value at `at`, in milliseconds
 * @returns undefined without a temperature
 */
export function temperatureNow(series: Series, at: number, maxAge: number): TemperatureNow | undefined {
  const { times, values, flags } = series;
  const column = values.get(V.temperature);
  const oldest = lowerBound(times, at - maxAge);
  const row = column?.findLastIndex((value) => !Number.isNaN(value)) ?? -1;
  if (column === undefined || row < oldest) return undefined;
  const found = trendOf(series, V.temperature, at);
  // The difference of two decimal fractions has a rounding error.
  const change = found === null ? null : Number((found.value - found.earlierValue).toFixed(6)) + 0;
  return {
    value: column[row] as number,
    flags: flags.get(V.temperature)?.[row] ?? 0,
    time: times[row] as number,
    change,
    trend: change === null ? null : trendName(change),
  };
}
