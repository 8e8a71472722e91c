import type { Bucket, CalendarInterval } from '#domain/weather/summaries/bucket.js';

/** The civil calendar in any time zone: an IANA name, `UTC`, or an offset (`-03:30`). A day has 23 to 25 hours. */
export interface Calendar {
  /** Whether `timeZone` is an IANA name, `UTC`, or an offset (`isOffset` in `domain/time.ts`). */
  hasZone(timeZone: string): boolean;
  /**
   * The whole intervals that overlap `[from, to)` (milliseconds since 1970-01-01T00:00:00Z), in order.
   *
   * @param dayStart minutes after local midnight at which days and longer intervals begin
   */
  buckets(
    interval: CalendarInterval,
    timeZone: string,
    dayStart: number,
    from: number,
    to: number,
  ): readonly Bucket[];
  /**
   * The first instant of a day, in milliseconds since 1970-01-01T00:00:00Z. It is later than midnight if clocks skip
   * midnight, and on the next day if the zone skips the whole day. NaN if `date` is not a date.
   *
   * @param date `2024-02-29`
   * @param dayStart minutes after local midnight at which days begin
   */
  startOfDay(date: string, timeZone: string, dayStart: number): number;
  /**
   * The instant of a local time (`2013-01-01T00:00:00`), in milliseconds since 1970-01-01T00:00:00Z. A local time that
   * occurs twice gives the earlier instant. A local time that clocks skip is moved forward by the skipped time. NaN for a
   * date that does not exist.
   */
  instant(local: string, timeZone: string): number;
  /**
   * All instants of a local time, the earlier first, in milliseconds since 1970-01-01T00:00:00Z. None if clocks skip the
   * local time or the date does not exist; two if clocks are set back over the local time.
   */
  instantsOf(local: string, timeZone: string): readonly number[];
  /** The offset of a zone from UTC at an instant, in milliseconds. */
  offset(time: number, timeZone: string): number;
  /** Formats an instant with the offset of the zone: `2013-01-01T00:00:00-05:00`. */
  format(time: number, timeZone: string): string;
}
