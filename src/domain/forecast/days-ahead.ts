import { MILLISECONDS } from '../time.js';
import { sineOfAltitude, sunAt } from '../weather/derived/solar.js';
import { type DaySymbol, daySymbol, type WeatherStep } from './day-symbol.js';
import { F } from './forecast-variables.js';

/** The forecast of a local day. Numbers are NaN if unknown. */
export interface DayAhead {
  /** Begin and end of the day, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number;
  readonly end: number;
  /** °C of the whole day: measured where it is over, forecast where it is to come. */
  readonly minimum: number;
  readonly maximum: number;
  /** mm of the hours to come. */
  readonly rain: number;
  /** The largest chance of rain of the hours to come, in percent. */
  readonly rainChance: number;
  /** The largest gust of the hours to come, in m/s. */
  readonly gust: number;
  /** Code of the weather, WMO code table 4677: the worst of the hours to come. */
  readonly weatherCode: number;
  /** The weather of the hours to come; null if unknown. */
  readonly symbol: DaySymbol | null;
}

/** The temperatures that were measured from the begin of the first day on. */
export interface MeasuredDay {
  /** Time of the newest value, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly until: number;
  /** °C. */
  readonly minimum: number;
  readonly maximum: number;
}

/** Degrees north and east. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Most hours between two values of a day that counts as whole. */
const MAX_STEP = 6 * MILLISECONDS.hour;

/**
 * The days of a forecast that it covers until their end.
 *
 * @param columns published values by number of the variable of forecasts
 * @param days the local days, in ascending order; `now` is in the first one
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @param measured undefined if nothing was measured
 */
export function daysAhead(
  times: Float64Array,
  columns: ReadonlyMap<number, Float64Array>,
  days: readonly { readonly start: number; readonly end: number }[],
  {
    now,
    measured,
    latitude,
    longitude,
  }: Place & { readonly now: number; readonly measured: MeasuredDay | undefined },
): readonly DayAhead[] {
  const last = times.at(-1) ?? -Infinity;
  const found: DayAhead[] = [];
  const rows = [...times.keys()];
  for (const [index, { start, end }] of days.entries()) {
    if (last < end - MAX_STEP || (times[0] ?? Infinity) >= end) continue;
    const own = index === 0 ? measured : undefined;
    // An instant belongs to the day in which it lies, an amount to the day in which its time ends.
    const instants = rows.filter((row) => inRange(times[row] as number, own?.until ?? start, end - 1));
    const amounts = rows.filter((row) => inRange(times[row] as number, Math.max(now, start) + 1, end));
    const of = (number: number, wanted: readonly number[]) =>
      wanted.map((row) => columns.get(number)?.[row] ?? Number.NaN).filter((value) => !Number.isNaN(value));
    const temperatures = [...of(F.temperature, instants), ...(own ? [own.minimum, own.maximum] : [])];
    if (temperatures.length === 0) continue;
    const rain = [...of(F.rain, amounts), ...of(F.rainOf6Hours, amounts)];
    found.push({
      start,
      end,
      minimum: Math.min(...temperatures),
      maximum: Math.max(...temperatures),
      rain: rain.length === 0 ? Number.NaN : Number(rain.reduce((sum, one) => sum + one, 0).toFixed(3)),
      rainChance: largest([...of(F.rainChance, amounts), ...of(F.rainChanceOf6Hours, amounts)]),
      gust: largest(of(F.gust, amounts)),
      weatherCode: largest(of(F.weatherCode, amounts)),
      symbol: daySymbol(amounts.map((row) => stepAt(row, times, columns, { latitude, longitude }))),
    });
  }
  return found;
}

const inRange = (time: number, first: number, last: number) => time >= first && time <= last;
const largest = (values: readonly number[]) => (values.length === 0 ? Number.NaN : Math.max(...values));

/** The step that ends at a row. */
function stepAt(
  row: number,
  times: Float64Array,
  columns: ReadonlyMap<number, Float64Array>,
  { latitude, longitude }: Place,
): WeatherStep {
  const time = times[row] as number;
  const length = Math.min(MAX_STEP, time - (times[row - 1] ?? time - MILLISECONDS.hour));
  const value = (number: number) => columns.get(number)?.[row] ?? Number.NaN;
  const rain = value(F.rain);
  return {
    hours: length / MILLISECONDS.hour,
    code: value(F.weatherCode),
    clouds: value(F.clouds),
    rain: Number.isNaN(rain) ? value(F.rainOf6Hours) : rain,
    temperature: value(F.temperature),
    isNight: sineOfAltitude(sunAt(time - length / 2, longitude), latitude) <= 0,
  };
}
