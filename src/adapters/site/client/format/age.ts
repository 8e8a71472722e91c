import { MILLISECONDS } from '#domain/time.js';
import type { Text } from '../text/en.js';

const [minute, hour, day] = [MILLISECONDS.minute / 1000, MILLISECONDS.hour / 1000, MILLISECONDS.day / 1000];
const year = 365.25 * day;
/** At this age in seconds and above, a date is more useful than an age. */
export const DATE_AGE = 2 * day;
/** A value is stale if its age exceeds this many reporting intervals of the station. */
export const STALE_INTERVALS = 3;
/** Reporting interval of a station without a configured interval, in seconds. */
export const DEFAULT_INTERVAL = 600;

/** Writes the age of a value. @param seconds age of the value in seconds */
export function ageText(seconds: number, { age }: Text): string {
  if (seconds < minute) return age.now;
  if (seconds < 2 * hour) return age.minutes(Math.floor(seconds / minute));
  if (seconds < 2 * day) return age.hours(Math.floor(seconds / hour));
  return age.days(Math.floor(seconds / day));
}

/** Writes for how long a station has sent nothing. @param seconds age of the last value in seconds */
export function silenceText(seconds: number, { age }: Text): string {
  const { minutes, hours, days, years } = age.lengths;
  if (seconds < 2 * hour) return age.silent(minutes(Math.floor(seconds / minute)));
  if (seconds < 2 * day) return age.silent(hours(Math.floor(seconds / hour)));
  if (seconds < 2 * year) return age.silent(days(Math.floor(seconds / day)));
  return age.silent(years(Math.floor(seconds / year)));
}

/**
 * Whether a value is stale.
 *
 * @param seconds age of the value in seconds
 * @param interval reporting interval of the station in seconds; null if it is not configured
 */
export function isStale(seconds: number, interval: number | null): boolean {
  return seconds > STALE_INTERVALS * (interval ?? DEFAULT_INTERVAL);
}
