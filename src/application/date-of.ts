import { MILLISECONDS } from '#domain/time.js';
import type { Calendar } from './ports/calendar.js';

/** The date of an instant in a time zone, in days since 1970-01-01. @param time milliseconds since 1970-01-01T00:00:00Z */
export function dateOf(calendar: Calendar, time: number, timeZone: string): number {
  return Math.floor((time + calendar.offset(time, timeZone)) / MILLISECONDS.day);
}
