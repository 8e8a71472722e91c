import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { mayBePoint } from '#domain/weather/computation/cell-methods.js';
import { type Bucket, type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { Variable } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/daily-aggregate-store.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf, type ObservationRange } from './observation-query.js';

/** Maximum number of intervals that are computed at once: 30 years of days, or more than a year of hours. */
export const MAX_BUCKETS = 11_000;
/** Maximum number of intervals in all pages: 22 years of hours, 500 years of days. */
export const MAX_SUMMARY_INTERVALS = 200_000;
/** Number of intervals of a page, if there are several pages. */
const PAGE = 10_000;
/**
 * Lower bounds of the mean length of an interval, in ms. With them, a range with too many intervals is refused before the
 * calendar computes its intervals.
 */
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
/**
 * A range of consecutive parts (see `SummaryParts`), given by the indexes of the parts. The part with the index `to` is not
 * included.
 */
export type PartRange = readonly [from: number, to: number];

/** The intervals of a reply, and the parts by which rows are summed. A part is an interval itself or a day of an interval. */
export interface SummaryParts {
  readonly intervals: readonly Bucket[];
  readonly parts: readonly Bucket[];
  /** For each interval, the range of its parts. */
  readonly ranges: readonly PartRange[];
  /**
   * For each season or year, the number of days in each of its months. The days are the parts of such intervals. Empty if the
   * intervals are not seasons or years.
   */
  readonly months: readonly (readonly number[])[];
}

export interface PartsInput {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
}

/**
 * Returns the whole intervals that overlap a range. If the reply has several pages, returns only the intervals of the first page.
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

/**
 * Divides intervals into parts, for which sums are computed. An interval of a day or less is one part. A longer interval is
 * divided into its days. Days before the month of the first row and after the month of the last row have no values, so they are
 * left out.
 */
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
  // The range begins 1 ms before the first row, because an amount (for example of rain) at the first instant of a month belongs
  // to the previous month.
  const months = calendar.buckets('month', timeZone, dayStart, first - 1, last + 1);
  const from = Math.max(begin, months[0]?.start ?? begin);
  const to = Math.min(end, months.at(-1)?.end ?? end);
  const days = from < to ? calendar.buckets('day', timeZone, dayStart, from, to) : [];
  return dayParts(intervals, allMonths, days);
}

/**
 * Returns intervals with days as their parts.
 *
 * @param months the months of all intervals if these are seasons or years; otherwise empty
 * @param days consecutive days, with the time zone and the start of day of the intervals
 */
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

/** For each interval, the range of the parts in it. Intervals and parts must be in order of time. */
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
 * Lets the range of a request without a start begin 1 ms earlier, so that the reply includes an amount (for example of rain) in
 * the first row of the station.
 *
 * An amount belongs to the time before its row: an amount at midnight belongs to the day that has just ended. If the intervals
 * are hours or days, the reply then includes this previous hour or day. A previous month or year is not added, because it would
 * have no other values.
 *
 * Whether the first row has an amount is known only after the read. If it has none, `withoutEmptyStart` removes the added
 * interval.
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

/**
 * Whether the values of the variable always describe an interval or a day, as amounts of rain do. Sums must include all these
 * values, including the value in the first row.
 */
export function isAmount(variable: Variable): boolean {
  return !mayBePoint(variable);
}

/**
 * Removes the first interval if it is before the requested range and has no amounts (for example of rain). `withFirstAmount` adds
 * such an interval before it is known whether the first row has an amount.
 *
 * @param range the requested range, before `withFirstAmount`
 * @param isEmpty returns true if no variable with amounts has a value in the given parts
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
 * Removes the last interval if it has no values, begins at the time of the last row of the station, and the range ends with this
 * row. For example, the last row is at 12:00 and all its values describe the hour before. Then the interval that begins at 12:00
 * has no values.
 *
 * @param isEmpty returns true if no variable of the reply has a value in the given parts
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

/**
 * Extends the inventory of a station (its first and last time) by the months whose rows were removed because of their age. Only
 * the daily aggregates of these months remain.
 */
export function withRemoved(inventory: Inventory, removed: MonthRange | undefined): Inventory {
  if (removed === undefined) return inventory;
  const { first, last } = inventory;
  return {
    ...inventory,
    first: Math.min(first ?? Infinity, removed.from),
    last: Math.max(last ?? -Infinity, removed.to - 1),
  };
}
