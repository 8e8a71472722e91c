/** An interval of the calendar: `[start, end)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
}

/** The fields of the layout of each variable (layout.ts), by its number. */
export type BucketSums = ReadonlyMap<number, readonly Float64Array[]>;

/**
 * Hours begin at full hours of local time. Where clocks change by half an hour, one of them is shorter. Weeks begin on Monday (ISO
 * 8601), seasons with December, March, June and September.
 */
export const CALENDAR_INTERVALS = ['hour', 'day', 'week', 'month', 'season', 'year'] as const;
export type CalendarInterval = (typeof CALENDAR_INTERVALS)[number];
