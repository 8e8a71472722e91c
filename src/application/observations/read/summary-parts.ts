import { DomainError } from '../../../domain/domain-error.js';
import { MILLISECONDS } from '../../../domain/time.js';
import type { Bucket, CalendarInterval } from '../../../domain/weather/summaries/bucket.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/day-table-store.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf, type Range } from './observation-query.js';

/** Largest number of intervals that are computed at once: more than 27 years of days, and than a year of hours. */
export const MAX_BUCKETS = 11_000;
/** Largest number of intervals in all pages: 22 years of hours, 500 years of days. */
export const MAX_INTERVALS = 200_000;
/** Intervals of a page, if there are several. */
const PAGE = 10_000;
/** Lower estimates of the mean length, in ms. They bound the number of intervals before the calendar computes them. */
const LENGTHS: Readonly<Record<CalendarInterval, number>> = {
  hour: MILLISECONDS.hour,
  day: MILLISECONDS.day,
  week: 7 * MILLISECONDS.day,
  month: 28 * MILLISECONDS.day,
  season: 90 * MILLISECONDS.day,
  year: 365 * MILLISECONDS.day,
};
/** Successive parts: those from `from` to `to` (not included). */
export type Stretch = readonly [from: number, to: number];

/** The intervals of a reply, and the parts whose rows are added up: the intervals themselves, or the days in them. */
export interface SummaryParts {
  readonly intervals: readonly Bucket[];
  readonly parts: readonly Bucket[];
  /** The parts of each interval. */
  readonly ranges: readonly Stretch[];
  /** Of seasons and years: the number of parts of each month, for each interval. Empty for other intervals. */
  readonly months: readonly (readonly number[])[];
}

export interface PartsInput {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
}

/**
 * The whole intervals that overlap a range, or those of its first page.
 *
 * @param isPaged whether a long range has several pages
 * @returns `next`: start of the next page, or null
 * @throws DomainError REQUEST_INVALID for too many
 */
export function intervalsOf(
  calendar: Calendar,
  { interval, timeZone, dayStart, isPaged = false }: PartsInput & { readonly isPaged?: boolean },
  { from, to }: Range,
): { readonly intervals: readonly Bucket[]; readonly next: number | null } {
  const most = (to - from) / LENGTHS[interval];
  const limit = isPaged ? MAX_INTERVALS : MAX_BUCKETS + 2;
  const end = isPaged ? Math.min(to, from + PAGE * LENGTHS[interval]) : to;
  const intervals = most > limit ? [] : calendar.buckets(interval, timeZone, dayStart, from, end);
  if (most <= limit && intervals.length <= MAX_BUCKETS) {
    const last = intervals.at(-1)?.end ?? to;
    return { intervals, next: last < to ? last : null };
  }
  throw new DomainError(
    'REQUEST_INVALID',
    `At most ${isPaged ? MAX_INTERVALS : MAX_BUCKETS} intervals at a time: ask for a shorter range.`,
  );
}

/** Intervals that are longer than a day have the days around the rows as parts; hours and days are parts themselves. */
export function partsOf(
  calendar: Calendar,
  intervals: readonly Bucket[],
  { interval, timeZone, dayStart }: PartsInput,
  inventory: Inventory,
): SummaryParts {
  const { first, last } = extentOf(inventory);
  const [begin, end] = [intervals[0]?.start, intervals.at(-1)?.end];
  if (interval === 'hour' || interval === 'day')
    return {
      intervals,
      parts: intervals,
      ranges: intervals.map((_one, index) => [index, index + 1]),
      months: [],
    };
  const hasMonths =
    (interval === 'season' || interval === 'year') && begin !== undefined && end !== undefined;
  const allMonths = hasMonths ? calendar.buckets('month', timeZone, dayStart, begin, end) : [];
  if (begin === undefined || end === undefined || first === null || last === null)
    return dayParts(intervals, allMonths, []);
  // An amount at the first instant of a month belongs to the month before.
  const months = calendar.buckets('month', timeZone, dayStart, first - 1, last + 1);
  const from = Math.max(begin, months[0]?.start ?? begin);
  const to = Math.min(end, months.at(-1)?.end ?? end);
  const days = from < to ? calendar.buckets('day', timeZone, dayStart, from, to) : [];
  return dayParts(intervals, allMonths, days);
}

/** @param days without gaps, of the zone and the start of the day of the intervals */
function dayParts(
  intervals: readonly Bucket[],
  months: readonly Bucket[],
  days: readonly Bucket[],
): SummaryParts {
  const inMonths = within(months, days);
  return {
    intervals,
    parts: days,
    ranges: within(intervals, days),
    months:
      months.length === 0
        ? []
        : within(intervals, months).map(([from, to]) =>
            inMonths.slice(from, to).map(([first, end]) => end - first),
          ),
  };
}

/** The parts in each interval. Both are in order of time. */
function within(intervals: readonly Bucket[], parts: readonly Bucket[]): readonly Stretch[] {
  let next = 0;
  return intervals.map(({ start, end }) => {
    while (next < parts.length && (parts[next] as Bucket).start < start) next += 1;
    const from = next;
    while (next < parts.length && (parts[next] as Bucket).end <= end) next += 1;
    return [from, next];
  });
}

export function rangeOfStretch({ parts }: SummaryParts, [from, to]: Stretch): Range {
  return { from: parts[from]?.start ?? 0, to: parts[to - 1]?.end ?? 0 };
}

/** The times of the rows, and of rows that were removed because of their age and are in tables of days. */
export function withRemoved(inventory: Inventory, removed: MonthRange | undefined): Inventory {
  if (removed === undefined) return inventory;
  const { first, last } = inventory;
  return {
    ...inventory,
    first: Math.min(first ?? Infinity, removed.from),
    last: Math.max(last ?? -Infinity, removed.to - 1),
  };
}
