import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { localTime } from '../charts/model/zone.js';
import { type Forecast, SHOWN_HOURS, shownForecast } from '../forecast/read-forecast.js';
import type { SparkValues } from '../now/model/spark.js';
import type { Now, UsualHours } from '../now/read-now.js';
import { longestGap } from '../now/model/spark.js';
import { type Percentiles, percentilesWithin, type RibbonData, type RibbonForecast } from './ribbon-model.js';

const TEMPERATURE = 'air_temperature';

/**
 * The data of the picture of the last 24 hours, and of the next 48 hours if there is a forecast. Without one, the picture ends now, so
 * that the line of a silent station ends before its right edge. If the station has been silent for a day, the picture ends at the last value and has no mark of the current time.
 */
export function ribbonDataOf(
  station: Station,
  now: Now,
  time: number,
  isOld: boolean,
): RibbonData | undefined {
  if (now.last_seen === null) return undefined;
  const last = Date.parse(now.last_seen);
  const isPast = isOld || time - last >= MILLISECONDS.day;
  const end = isPast ? last : Math.max(time, last);
  const shown = isPast ? undefined : forecastOf(now, time);
  const forecast = shown && ribbonForecast(shown, end);
  const to = forecast === undefined ? end : end + SHOWN_HOURS * MILLISECONDS.hour;
  const from = end - MILLISECONDS.day;
  const first = from / MILLISECONDS.second;
  const temperature = since(now.lines[TEMPERATURE], first);
  const lastYear = since(now.lastYear, first);
  const zone = station.time_zone;
  return {
    from,
    to,
    now: isPast ? undefined : end,
    latitude: station.latitude,
    longitude: station.longitude,
    zone,
    temperature,
    longest: longestGap(station.reporting_interval),
    hours: now.hours,
    usual: now.usual === undefined ? [] : usualHoursOf(now.usual, from, to, zone),
    lastYear,
    forecast,
  };
}

/** The forecast beside the newest values; undefined if it is too old, or if the station has been silent for a day. */
export function forecastOf(now: Pick<Now, 'forecast' | 'last_seen'>, time: number): Forecast | undefined {
  const isSilent = now.last_seen === null || time - Date.parse(now.last_seen) >= MILLISECONDS.day;
  return isSilent ? undefined : shownForecast(now.forecast, time);
}

/** The temperatures and the hours of a forecast; undefined if it has none of them. @param now in ms since 1970 */
function ribbonForecast({ times, values, p10, p90 }: Forecast, now: number): RibbonForecast | undefined {
  const inMs = times.map((time) => time * MILLISECONDS.second);
  const at = (columns: Forecast['values'], name: string, index: number) =>
    columns[name]?.[index] ?? undefined;
  const temperature = inMs.flatMap((time, index): Percentiles[] => {
    const p50 = at(values, TEMPERATURE, index);
    if (p50 === undefined) return [];
    const [low, high] = [at(p10, TEMPERATURE, index), at(p90, TEMPERATURE, index)];
    return [{ time, p10: low ?? p50, p50, p90: high ?? p50 }];
  });
  const hours = inMs.flatMap((start, index) => {
    // The amount of an hour has the time of its end. The hour that has begun has its measured amount for its first half.
    if (inMs[index + 1] !== start + MILLISECONDS.hour || start < now - MILLISECONDS.hour / 2) return [];
    const rain = at(values, 'precipitation_amount', index + 1) ?? null;
    const speed = at(values, 'wind_speed', index) ?? null;
    return [{ start, rain, speed, direction: at(values, 'wind_from_direction', index) ?? null }];
  });
  return temperature.length + hours.length === 0 ? undefined : { temperature, hours };
}

/** The data without wind, for small pictures. */
export function withoutWind({ hours, forecast, ...data }: RibbonData): RibbonData {
  const withoutSpeed = (all: RibbonData['hours']) => all.map((hour) => ({ ...hour, speed: null }));
  return {
    ...data,
    hours: withoutSpeed(hours),
    forecast: forecast && { ...forecast, hours: withoutSpeed(forecast.hours) },
  };
}

/** Whether the bounds of 8 of 10 outcomes are known. */
export function hasBounds({ temperature }: RibbonForecast): boolean {
  return temperature.some(({ p10, p90 }) => p10 < p90);
}

/** The values from a time in seconds on; undefined if there are none. */
function since(line: SparkValues | undefined, from: number): SparkValues | undefined {
  const start = line?.times.findIndex((time) => time >= from) ?? -1;
  if (line === undefined || start === -1) return undefined;
  return { ...line, times: line.times.slice(start), values: line.values.slice(start) };
}

/** The usual temperatures of the hours of a span, in the middle of each hour. One more hour at both ends allows to interpolate. */
function usualHoursOf({ dates }: UsualHours, from: number, to: number, zone: string): Percentiles[] {
  const hours: Percentiles[] = [];
  const begin = Math.floor(from / MILLISECONDS.hour) - 1;
  for (let index = begin; index * MILLISECONDS.hour <= to + MILLISECONDS.hour; index += 1) {
    const time = (index + 0.5) * MILLISECONDS.hour;
    const { date, hour } = localTime(time, zone);
    const day = dates[date.slice(5)];
    const [p10, p50, p90] = [day?.p10[hour], day?.p50[hour], day?.p90[hour]];
    if (typeof p10 === 'number' && typeof p50 === 'number' && typeof p90 === 'number')
      hours.push({ time, p10, p50, p90 });
  }
  return hours;
}

/** What the picture shows at a time. Unknown values are undefined. */
export interface Reading {
  readonly time: number;
  readonly temperature: number | undefined;
  readonly usual: Percentiles | undefined;
  readonly hour: RibbonData['hours'][number] | undefined;
  /** The forecast temperature; undefined at a time of the past. */
  readonly forecast: Percentiles | undefined;
  readonly isForecast: boolean;
}

/** Largest distance in ms between a time and the value that is read at it. */
const NEAR = 20 * MILLISECONDS.minute;

/** Reads the picture at a time. The time of the reading is the time of the nearest value, if there is one. */
export function readingAt(data: RibbonData, time: number): Reading {
  const { times = [], values = [] } = data.temperature ?? {};
  let nearest = -1;
  for (const [index, seconds] of times.entries()) {
    const distance = Math.abs(seconds * MILLISECONDS.second - time);
    const best = nearest < 0 ? Infinity : Math.abs((times[nearest] as number) * MILLISECONDS.second - time);
    if (distance <= best) nearest = index;
  }
  const near = nearest < 0 ? NaN : (times[nearest] as number) * MILLISECONDS.second;
  const { now = Infinity, forecast } = data;
  const isForecast = forecast !== undefined && time > now;
  const isNear =
    !isForecast && Math.abs(near - time) <= Math.max(NEAR, (data.longest * MILLISECONDS.second) / 2);
  const shown = isNear ? near : time;
  const inHour = ({ start }: { readonly start: number }) =>
    start < shown && shown <= start + MILLISECONDS.hour;
  return {
    time: shown,
    temperature: isNear ? values[nearest] : undefined,
    usual: data.usual.find((hour) => Math.abs(hour.time - shown) <= MILLISECONDS.hour / 2),
    hour: (isForecast ? forecast : data).hours.find(inHour),
    forecast: isForecast ? percentilesWithin(forecast.temperature, shown, shown)[0] : undefined,
    isForecast,
  };
}

/** The time to which a key moves the cursor; undefined for other keys. Arrow keys move by half an hour, with Shift by three hours. */
export function timeAfterKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  time: number | undefined,
  { from, to, now = to }: RibbonData,
): number | undefined {
  const step = (shiftKey ? 6 : 1) * (MILLISECONDS.hour / 2);
  const within = (wanted: number) => Math.min(Math.max(wanted, from), to);
  if (key === 'Home') return from;
  if (key === 'End') return to;
  if (key === 'ArrowLeft') return within((time ?? now + step) - step);
  if (key === 'ArrowRight') return within((time ?? from - step) + step);
  return undefined;
}
