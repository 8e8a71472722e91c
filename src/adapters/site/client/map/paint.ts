import { MILLISECONDS } from '#domain/time.js';
import { localTime } from '../charts/model/zone.js';
import { DEFAULT_REPORTING_INTERVAL, isStale } from '#domain/weather/current/silence.js';
import { temperatureColor } from '../format/temperature-scale.js';
import { type HourlyValues, HOURS } from '../stations/hourly-values.js';
import { type ListedStation, shownValue } from '../stations/listed.js';

/** The quantities by which the map colors its dots. */
export const PAINTS = ['temperature', 'rain', 'wind', 'age'] as const;
export type Paint = (typeof PAINTS)[number];

/**
 * The values of a station that the map shows, in metric units: rain of today or of the chosen hour, and the age of the newest
 * values in ms. Undefined if a value may not be shown.
 */
export type MapValues = Readonly<Record<Paint | 'direction', number | undefined>>;

/** @param now in ms since 1970 */
export function newestValues(listed: ListedStation, now: number): MapValues {
  const { last_seen: seen, rain } = listed;
  return {
    temperature: shownValue(listed, 'air_temperature'),
    rain: rain ?? undefined,
    wind: shownValue(listed, 'wind_speed'),
    direction: shownValue(listed, 'wind_from_direction'),
    age: seen === null ? undefined : Math.max(0, now - Date.parse(seen)),
  };
}

/** The values of an earlier hour. @param hoursAgo from 1 to `HOURS` */
export function valuesOfHour(hourly: HourlyValues | undefined, hoursAgo: number): MapValues {
  const at = (values: readonly (number | null)[] | undefined) => values?.[HOURS - hoursAgo] ?? undefined;
  return {
    temperature: at(hourly?.temperature),
    rain: at(hourly?.rain),
    wind: at(hourly?.wind),
    direction: at(hourly?.direction),
    age: undefined,
  };
}

/**
 * The end of an hour of `HourlyValues` in ms since 1970. Hours begin at full hours of the clock in the zone; the newest hour ends
 * now.
 *
 * @param hoursAgo from 1 for the newest hour to `HOURS` for the oldest
 */
export function endOfHour(now: number, hoursAgo: number, zone: string): number {
  const time = now - (hoursAgo - 1) * MILLISECONDS.hour;
  const passed = localTime(time, zone).minute * MILLISECONDS.minute + (time % MILLISECONDS.minute);
  return passed === 0 ? time : Math.min(now, time - passed + MILLISECONDS.hour);
}

/** Lower bounds of the steps of color, in mm and in m/s (Beaufort 2, 4, 6 and 8). The first step has no lower bound. */
export const STEPS: Readonly<Record<'rain' | 'wind', readonly number[]>> = {
  rain: [0.1, 1, 5, 20],
  wind: [1.6, 5.5, 10.8, 17.2],
};

/** The color of a dot: a color of the temperature scale, or the class of a step. */
export type DotColor = { readonly fill: string } | { readonly step: string };

/** @param interval reporting interval of the station in seconds; null if it is not configured */
export function dotColor(paint: Paint, value: number, interval: number | null): DotColor {
  if (paint === 'temperature') return { fill: temperatureColor(value) };
  if (paint === 'age') return { step: `age-${ageStep(value, interval)}` };
  return { step: `${paint}-${STEPS[paint].filter((bound) => value >= bound).length}` };
}

/** 0 if a station is on time, 1 if it has missed a report, 2 if it is silent. @param age in ms */
function ageStep(age: number, interval: number | null): number {
  const seconds = age / MILLISECONDS.second;
  if (isStale(seconds, interval)) return 2;
  return seconds > 2 * (interval ?? DEFAULT_REPORTING_INTERVAL) ? 1 : 0;
}
