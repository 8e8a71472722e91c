import type { Bucket } from '../../domain/weather/summaries.js';

export type CalendarInterval = 'hour' | 'day' | 'month' | 'year';

/** The calendar of people, in any time zone: its days have 23 to 25 hours. */
export interface Calendar {
  /** Whether there is such a time zone: an IANA name or `UTC`. */
  hasZone(timeZone: string): boolean;
  /**
   * The intervals that overlap `[from, to)` (milliseconds since 1970-01-01T00:00:00Z), whole ones, in order.
   *
   * @param dayStart minutes after local midnight at which days, months and years begin
   */
  buckets(
    interval: CalendarInterval,
    timeZone: string,
    dayStart: number,
    from: number,
    to: number,
  ): readonly Bucket[];
  /**
   * The first instant of a day, in milliseconds since 1970-01-01T00:00:00Z. Where the clocks pass over midnight it is later
   * than midnight; where a zone has passed over the whole day it is the first instant of the next one. NaN for what is no
   * date.
   *
   * @param date `2024-02-29`
   * @param dayStart minutes after local midnight at which days begin
   */
  startOfDay(date: string, timeZone: string, dayStart: number): number;
  /**
   * The instant of a local time (`2013-01-01T00:00:00`), of two the earlier; where clocks were set forward over it, later by
   * as much; NaN when there is no such date. Milliseconds since 1970-01-01T00:00:00Z.
   */
  instant(local: string, timeZone: string): number;
  /**
   * All instants of a local time, the earlier first: none where clocks were set forward over it or there is no such date, two
   * where they were set back over it. Milliseconds since 1970-01-01T00:00:00Z.
   */
  instantsOf(local: string, timeZone: string): readonly number[];
  /** An instant with the offset of the zone: `2013-01-01T00:00:00-05:00`. */
  format(time: number, timeZone: string): string;
}
