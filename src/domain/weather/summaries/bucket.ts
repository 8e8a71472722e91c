/** An interval of the calendar: `[start, end)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
}

/**
 * The sums of buckets, by number of the variable. Each variable has several arrays, such as the counts and the minima of all
 * buckets. The arrays are in the order of `layoutOf` (layout.ts).
 */
export type BucketSums = ReadonlyMap<number, readonly Float64Array[]>;

/**
 * Intervals that are shorter than a day, with their lengths in minutes. An interval begins at a multiple of its length after
 * local midnight. On a day on which clocks change:
 *
 * - Intervals of an hour or less follow each other in elapsed time. A day of 25 hours has 25 intervals of an hour. If clocks
 *   change by 30 minutes, one interval of an hour has only 30 minutes.
 * - The number of longer intervals is the same as on all days. The interval in which clocks change is shorter or longer: an
 *   interval of 3 hours has 2 or 4 hours.
 */
export const CLOCK_INTERVALS = {
  '10min': 10,
  '30min': 30,
  hour: 60,
  '3h': 180,
  '6h': 360,
  '12h': 720,
} as const;
export type ClockInterval = keyof typeof CLOCK_INTERVALS;

/** Weeks begin on Monday (ISO 8601), seasons with December, March, June and September. */
export const DATE_INTERVALS = ['day', 'week', 'month', 'season', 'year'] as const;
export type CalendarInterval = ClockInterval | (typeof DATE_INTERVALS)[number];
export const CALENDAR_INTERVALS = [
  ...(Object.keys(CLOCK_INTERVALS) as ClockInterval[]),
  ...DATE_INTERVALS,
] as const;

/** Whether an interval is shorter than a day. */
export function isClockInterval(interval: CalendarInterval): interval is ClockInterval {
  return interval in CLOCK_INTERVALS;
}
