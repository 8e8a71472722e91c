import type { Station } from '../../../domain/weather/station.js';
import type { Statistics } from '../../../domain/weather/summaries/accumulator.js';
import type { Bucket, CalendarInterval } from '../../../domain/weather/summaries/bucket.js';
import { isComplete, type Summaries } from '../../../domain/weather/summaries/summaries.js';
import type { Variable } from '../../../domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/day-table-store.js';
import type { Inventory } from '../../ports/observation-store.js';
import { extentOf, type Range } from './observation-query.js';

/** Successive parts: those from `from` to `to` (not included). */
export type Stretch = readonly [from: number, to: number];

/** The intervals of a reply, and the parts whose rows are added up: the intervals themselves, or the days in them. */
export interface SummaryParts {
  readonly intervals: readonly Bucket[];
  readonly parts: readonly Bucket[];
  /** The parts of each interval. */
  readonly ranges: readonly Stretch[];
}

export interface PartsInput {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
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
    return { intervals, parts: intervals, ranges: intervals.map((_one, index) => [index, index + 1]) };
  if (begin === undefined || end === undefined || first === null || last === null)
    return dayParts(intervals, []);
  // An amount at the first instant of a month belongs to the month before.
  const months = calendar.buckets('month', timeZone, dayStart, first - 1, last + 1);
  const from = Math.max(begin, months[0]?.start ?? begin);
  const to = Math.min(end, months.at(-1)?.end ?? end);
  return dayParts(intervals, from < to ? calendar.buckets('day', timeZone, dayStart, from, to) : []);
}

/** @param days without gaps, of the zone and the start of the day of the intervals */
function dayParts(intervals: readonly Bucket[], days: readonly Bucket[]): SummaryParts {
  const ranges: Stretch[] = [];
  let next = 0;
  for (const { start, end } of intervals) {
    while (next < days.length && (days[next] as Bucket).start < start) next += 1;
    const from = next;
    while (next < days.length && (days[next] as Bucket).end <= end) next += 1;
    ranges.push([from, next]);
  }
  return { intervals, parts: days, ranges };
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

export interface SummaryRow extends Bucket {
  /** Whether every variable has enough values; null if the expected number is unknown. */
  readonly complete: boolean | null;
  /** In the order of `variables`. */
  readonly statistics: readonly Statistics[];
  /** Expected number of values of each variable, or null if the reporting interval is unknown. */
  readonly expected: number | null;
}

/** The rows of a reply, made one after the other. */
export function summaryRows(
  station: Station,
  { intervals, ranges }: SummaryParts,
  variables: readonly Variable[],
  summaries: Summaries,
): Iterable<SummaryRow> {
  return {
    *[Symbol.iterator]() {
      for (const [index, interval] of intervals.entries()) {
        yield summaryOf(station, interval, ranges[index] as Stretch, variables, summaries);
      }
    },
  };
}

function summaryOf(
  { reportingInterval }: Station,
  interval: Bucket,
  [from, to]: Stretch,
  variables: readonly Variable[],
  summaries: Summaries,
): SummaryRow {
  const expected =
    reportingInterval === null
      ? null
      : Math.round((interval.end - interval.start) / 1000 / reportingInterval);
  const statistics = variables.map(({ number }) => summaries.statistics(number, from, to));
  const complete = statistics.map(({ count }, column) =>
    isComplete(variables[column] as Variable, count, expected),
  );
  return {
    ...interval,
    expected,
    statistics,
    complete: complete.includes(null) || complete.length === 0 ? null : complete.every(Boolean),
  };
}
