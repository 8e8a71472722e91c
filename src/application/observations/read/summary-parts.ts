import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { mayBePoint } from '#domain/weather/computation/cell-methods.js';
import { type Bucket, type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { Variable } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/daily-aggregate-store.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf, type ObservationRange } from './observation-query.js';

/** Largest number of intervals that are computed at once: more than 27 years of days, and than a year of hours. */
export const MAX_BUCKETS = 11_000;
/** Largest number of intervals in all pages: 22 years of hours, 500 years of days. */
export const MAX_INTERVALS = 200_000;
/** Intervals of a page, if there are several. */
const PAGE = 10_000;
/** Lower estimates of the mean length, in ms. They bound the number of intervals before the calendar computes them. */
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
  { from, to }: ObservationRange,
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

/** Intervals that are longer than a day have the days around the rows as parts; days and shorter ones are parts themselves. */
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

export function rangeOfStretch({ parts }: SummaryParts, [from, to]: Stretch): ObservationRange {
  return { from: parts[from]?.start ?? 0, to: parts[to - 1]?.end ?? 0 };
}

/**
 * An amount at the first instant of an interval belongs to the interval before. If it is the first value of the station, the hour or
 * the day before is in the reply, so that sums of days have all amounts; a month or a year with nothing else is not. Whether the
 * first row has an amount is known when the rows have been read, see `withoutEmptyStart`.
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

/** Sums of these must add up to the sum of all values; of the wind of the first row only a mean of an unknown day would be made. */
export function isAmount(variable: Variable): boolean {
  return !mayBePoint(variable);
}

/**
 * The interval before the first row is in a reply only if it has an amount: the first row need not have one.
 *
 * @param range the requested one, before `withFirstAmount`
 * @param isEmpty whether no amount of the reply has a value in some parts
 */
export function withoutEmptyStart(
  parts: SummaryParts,
  { from }: ObservationRange,
  isEmpty: (stretch: Stretch) => boolean,
): SummaryParts {
  const [interval, stretch] = [parts.intervals[0], parts.ranges[0]];
  const isBefore = interval !== undefined && interval.end <= from;
  if (!isBefore || stretch === undefined || !isEmpty(stretch)) return parts;
  return {
    ...parts,
    intervals: parts.intervals.slice(1),
    ranges: parts.ranges.slice(1),
    months: parts.months.slice(1),
  };
}

/**
 * A value of an interval at the first instant of a bucket belongs to the bucket before. If the last row of the station has nothing but
 * values of intervals and is at the start of an interval, that interval has no values: it is left out of a range that ends with this row.
 *
 * @param isEmpty whether no variable of the reply has a value in some parts
 */
export function withoutEmptyEnd(
  parts: SummaryParts,
  { to }: ObservationRange,
  inventory: Inventory,
  isEmpty: (stretch: Stretch) => boolean,
): SummaryParts {
  const [interval, stretch] = [parts.intervals.at(-1), parts.ranges.at(-1)];
  const isOfLastRow = interval !== undefined && interval.start === extentOf(inventory).last;
  if (!isOfLastRow || to > interval.start + 1 || stretch === undefined || !isEmpty(stretch)) return parts;
  return {
    ...parts,
    intervals: parts.intervals.slice(0, -1),
    ranges: parts.ranges.slice(0, -1),
    months: parts.months.slice(0, -1),
  };
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
