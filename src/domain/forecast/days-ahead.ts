import { MILLISECONDS } from '../time.js';
import { F } from './forecast-variables.js';

/** The forecast of a local day. Numbers are NaN if unknown. */
export interface DayAhead {
  /** Begin and end of the day, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  readonly end: number;
  /** °C. */
  readonly minimum: number;
  readonly maximum: number;
  /** mm. */
  readonly rain: number;
  /** The largest chance of rain of its hours, in percent. */
  readonly rainChance: number;
  /** The largest gust, in m/s. */
  readonly gust: number;
  /** Code of the weather by day, WMO code table 4677: the worst of its hours. */
  readonly weatherCode: number;
}

/** Most hours between two values of a day that counts as whole. */
const MAX_STEP = 6 * MILLISECONDS.hour;

/**
 * The days of a forecast that it covers wholly; the first one from its begin on.
 *
 * @param columns published values by number of the variable of forecasts
 * @param days the local days, in ascending order
 */
export function daysAhead(
  times: Float64Array,
  columns: ReadonlyMap<number, Float64Array>,
  days: readonly { readonly start: number; readonly end: number }[],
): readonly DayAhead[] {
  const last = times.at(-1) ?? -Infinity;
  const found: DayAhead[] = [];
  for (const { start, end } of days) {
    if (last < end - MAX_STEP || (times[0] ?? Infinity) >= end) continue;
    // An instant belongs to the day in which it lies, an amount to the day in which its time ends.
    const of = (number: number, isAmount: boolean) =>
      [...(columns.get(number) ?? [])].filter((value, index) => {
        const time = times[index] as number;
        return !Number.isNaN(value) && (isAmount ? time > start && time <= end : time >= start && time < end);
      });
    const largest = (values: readonly number[]) => (values.length === 0 ? Number.NaN : Math.max(...values));
    const temperatures = of(F.temperature, false);
    if (temperatures.length === 0) continue;
    const amounts = [...of(F.rain, true), ...of(F.rainOf6Hours, true)];
    found.push({
      start,
      end,
      minimum: Math.min(...temperatures),
      maximum: Math.max(...temperatures),
      rain: amounts.length === 0 ? Number.NaN : Number(amounts.reduce((sum, one) => sum + one, 0).toFixed(3)),
      rainChance: largest([...of(F.rainChance, true), ...of(F.rainChanceOf6Hours, true)]),
      gust: largest(of(F.gust, true)),
      weatherCode: largest(of(F.weatherCode, true)),
    });
  }
  return found;
}
