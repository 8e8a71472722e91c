import { MILLISECONDS } from '#domain/time.js';
import type { Calendar } from '../ports/calendar.js';

/**
 * The begin of the day after the day that begins at `from`.
 *
 * @param from a local midnight. All times are in milliseconds since 1970-01-01T00:00:00Z
 */
export function nextMidnight(calendar: Calendar, from: number, timeZone: string): number {
  // 36 hours after a midnight it is the next day, also if a day has 23 or 25 hours.
  const date = calendar.format(from + 36 * MILLISECONDS.hour, timeZone).slice(0, 10);
  return calendar.startOfDay(date, timeZone, 0);
}
