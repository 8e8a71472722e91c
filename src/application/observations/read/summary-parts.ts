import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { mayBePoint } from '#domain/weather/computation/cell-methods.js';
import { type Bucket, type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { Variable } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/daily-aggregate-store.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf, type ObservationRange } from './observation-query.js';

/** Maximum number of intervals that are computed at once: more than 27 years of days, and more than a year of hours. */
export const MAX_BUCKETS = 11_000;
/** Maximum number of intervals in all pages: 22 years of hours, 500 years of days. */
export const MAX_SUMMARY_INTERVALS = 200_000;
/** Number of intervals of a page, if there are several pages. */
const PAGE = 10_000;
/** Lower bounds of the mean length of an interval, in ms. They limit the number of intervals before the calendar computes them. */
export const LENGTHS: Readonly<Record<CalendarInterval, number>> = {
  '10min': 10 * MILLISECONDS.minute,
  '30min': 30 * MILLISECONDS.minute,
  hour: MILLISECONDS.hour,
  '3h': 3 * MILLISECONDS.hour,
  '6h': 6 * MILLISECONDS.hour,
  '12h': 12 * MILLISECONDS.hour,
  day: MILLISECONDS.day,
  week: 7 * MILLISECONDS.day,
  month: 28 * MILLISECONDS.day,
  season: 90 * MILLISECONDS.day,
  year: 365 * MILLISECONDS.day,
};
/** A range of consecutive parts, by index. The range does not include `to`. */
export type PartRange = readonly [from: number, to: number];

/** The intervals of a reply and their parts. Rows are summed by part: the intervals themselves, or the days in them. */
export interface SummaryParts {
  readonly intervals: readonly Bucket[];
  readonly parts: readonly Bucket[];
  /** The range of parts of each interval. */
  readonly ranges: readonly PartRange[];
  /** For each season or year, the number of parts in each of its months. Empty for other intervals. */
  readonly months: readonly (readonly number[])[];
}

export interface PartsInput {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
}

/**
 * The whole intervals that overlap a range, or the intervals of the first page.
 *
 * @param isPaged whether the reply to a long range has several pages
 * @returns `next`: start of the next page, or null
 * @throws DomainError REQUEST_INVALID for too many intervals
 */
export function intervalsOf(
  calendar: Calendar,
  { interval, timeZone, dayStart, isPaged = false }: PartsInput & { readonly isPaged?: boolean },
  { from, to }: ObservationRange,
): { readonly intervals: readonly Bucket[]; readonly next: number | null } {
  const maxCount = (to - from) / LENGTHS[interval];
  const limit = isPaged ? MAX_SUMMARY_INTERVALS : MAX_BUCKETS + 2;
  const end = isPaged ? Math.min(to, from + PAGE * LENGTHS[interval]) : to;
  const intervals = maxCount > limit ? [] : calendar.buckets(interval, timeZone, dayStart, from, end);
  if (maxCount <= limit && intervals.length <= MAX_BUCKETS) {
    const last = intervals.at(-1)?.end ?? to;
    return { intervals, next: last < to ? last : null };
  }
  throw new DomainError(
    'REQUEST_INVALID',
    `A reply has at most ${isPaged ? MAX_SUMMARY_INTERVALS : MAX_BUCKETS} intervals: use a shorter range or longer intervals.`,
  );
}

/** Divides intervals into parts. An interval longer than a day is divided into the days near rows; others are their own part. */
export function partsOf(
  calendar: Calendar,
  intervals: readonly Bucket[],
  { interval, timeZone, dayStart }: PartsInput,
  inventory: Inventory,
): SummaryParts {
  const { first, last } = extentOf(inventory);
  const [begin, end] = [intervals[0]?.start, intervals.at(-1)?.end];
  if (isClockInterval(interval) || interval === 'day')
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
  // An amount at the first instant of a month belongs to the previous month.
  const months = calendar.buckets('month', timeZone, dayStart, first - 1, last + 1);
  const from = Math.max(begin, months[0]?.start ?? begin);
  const to = Math.min(end, months.at(-1)?.end ?? end);
  const days = from < to ? calendar.buckets('day', timeZone, dayStart, from, to) : [];
  return dayParts(intervals, allMonths, days);
}

/** @param days consecutive days, with the time zone and the start of day of the intervals */
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

/** The range of parts in each interval. Intervals and parts are in order of time. */
function within(intervals: readonly Bucket[], parts: readonly Bucket[]): readonly PartRange[] {
  let next = 0;
  return intervals.map(({ start, end }) => {
    while (next < parts.length && (parts[next] as Bucket).start < start) next += 1;
    const from = next;
    while (next < parts.length && (parts[next] as Bucket).end <= end) next += 1;
    return [from, next];
  });
}

export function rangeOfParts({ parts }: SummaryParts, [from, to]: PartRange): ObservationRange {
  return { from: parts[from]?.start ?? 0, to: parts[to - 1]?.end ?? 0 };
}

/**
 * Extends a range to the amount of the first row. An amount at the first instant of an interval belongs to the previous interval. If
 * it is the first value of the station, the previous hour or day is in the reply, so that daily sums include all amounts. A previous
 * month or year, which has no other values, is not in the reply. Whether the first row has an amount is known only after the read;
 * see `withoutEmptyStart`.
 */
export function withFirstAmount(
  { from, to }: ObservationRange,
  interval: CalendarInterval,
  variables: readonly Variable[],
): ObservationRange {
  const isShort = isClockInterval(interval) || interval === 'day';
  const hasAmounts = variables.some(isAmount);
  return { from: isShort && hasAmounts && from < to ? from - 1 : from, to };
}

/** Whether the variable is an amount. The sum of all intervals must include every amount; a mean of the first row is not needed. */
export function isAmount(variable: Variable): boolean {
  return !mayBePoint(variable);
}

/**
 * Removes the interval before the first row if it has no amount, because the first row need not have an amount.
 *
 * @param range the requested range, before `withFirstAmount`
 * @param isEmpty whether no amount of the reply has a value in a range of parts
 */
export function withoutEmptyStart(
  parts: SummaryParts,
  { from }: ObservationRange,
  isEmpty: (range: PartRange) => boolean,
): SummaryParts {
  const [interval, range] = [parts.intervals[0], parts.ranges[0]];
  const isBefore = interval !== undefined && interval.end <= from;
  if (!isBefore || range === undefined || !isEmpty(range)) return parts;
  return {
    ...parts,
    intervals: parts.intervals.slice(1),
    ranges: parts.ranges.slice(1),
    months: parts.months.slice(1),
  };
}

/**
 * Removes a last interval without values. An interval value at the first instant of a bucket belongs to the previous bucket. If the
 * last row of the station is at the start of an interval and has only interval values, this interval has no values. It is removed
 * if the range ends with this row.
 *
 * @param isEmpty whether no variable of the reply has a value in a range of parts
 */
export function withoutEmptyEnd(
  parts: SummaryParts,
  { to }: ObservationRange,
  inventory: Inventory,
  isEmpty: (range: PartRange) => boolean,
): SummaryParts {
  const [interval, range] = [parts.intervals.at(-1), parts.ranges.at(-1)];
  const isOfLastRow = interval !== undefined && interval.start === extentOf(inventory).last;
  if (!isOfLastRow || to > interval.start + 1 || range === undefined || !isEmpty(range)) return parts;
  return {
    ...parts,
    intervals: parts.intervals.slice(0, -1),
    ranges: parts.ranges.slice(0, -1),
    months: parts.months.slice(0, -1),
  };
}

/** The inventory extended to expired rows, which remain only in daily aggregates. */
export function withRemoved(inventory: Inventory, removed: MonthRange | undefined): Inventory {
  if (removed === undefined) return inventory;
  const { first, last } = inventory;
  return {
    ...inventory,
    first: Math.min(first ?? Infinity, removed.from),
    last: Math.max(last ?? -Infinity, removed.to - 1),
  };
}
