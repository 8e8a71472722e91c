import { MILLISECONDS } from '#domain/time.js';
import type { Text } from '../text/en.js';

const [minute, hour, day] = [MILLISECONDS.minute / 1000, MILLISECONDS.hour / 1000, MILLISECONDS.day / 1000];
const year = 365.25 * day;
/** At this age in seconds and above, a date is more useful than an age. */
export const DATE_AGE = 2 * day;
/** From this number of hours on, an age has no minutes. */
const EXACT_HOURS = 6;

/** Writes the age of a value. @param seconds age of the value in seconds */
export function ageText(seconds: number, { age }: Text): string {
  if (seconds < minute) return age.now;
  if (seconds < hour) return age.minutes(Math.floor(seconds / minute));
  if (seconds < 2 * day) return age.ago(shortLength(seconds, age));
  return age.days(Math.floor(seconds / day));
}

/** Writes for how long a station has sent nothing. @param seconds age of the last value in seconds */
export function silenceText(seconds: number, { age }: Text): string {
  const { days, years } = age.lengths;
  if (seconds < 2 * day) return age.silent(shortLength(seconds, age));
  if (seconds < 2 * year) return age.silent(days(Math.floor(seconds / day)));
  return age.silent(years(Math.floor(seconds / year)));
}

/** Writes a duration below two days: `7 min`, `1 h 7 min`, `5 h`. Minutes are left out from six hours on. */
export function shortLength(seconds: number, { lengths }: Text['age']): string {
  const [hours, minutes] = [Math.floor(seconds / hour), Math.floor((seconds % hour) / minute)];
  if (hours === 0) return lengths.minutes(minutes);
  const isExact = hours < EXACT_HOURS && minutes > 0;
  return isExact ? `${lengths.hours(hours)} ${lengths.minutes(minutes)}` : lengths.hours(hours);
}
