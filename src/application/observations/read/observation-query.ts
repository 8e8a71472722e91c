import { DomainError } from '#domain/domain-error.js';
import { type CalendarDuration, earlierDate } from '#domain/duration.js';
import { suggestion } from '#domain/nearest-name.js';
import { type CalendarTime, epochOf, MILLISECONDS, parseLocalTime, timeFault } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { SUGGESTED_NAMES, type Variable, variableNamed } from '#domain/weather/variables.js';
import { zoneOf } from '../../asked-zone.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Inventory, SeriesTotals } from '../../ports/observation-store.js';

/**
 * A half-open interval `[from, to)`. A missing bound means the first or the last observation, including damaged observations. So
 * a request for all observations fails if some of them are damaged, and never returns only the readable observations.
 */
export interface RangeRequest {
  /**
   * Start of the range: milliseconds since 1970-01-01T00:00:00Z, or a date (`2024-02-29`), which means the first instant of the
   * day.
   */
  readonly from: number | string | undefined;
  /** End of the range, in the form of `from`. */
  readonly to: number | string | undefined;
  /**
   * Length of a range that ends now, in place of `from` and `to`. Its days and months are calendar days and months in `timeZone`.
   */
  readonly last?: CalendarDuration | undefined;
  /** Time zone of dates without a time: an IANA name, an offset, or `station` (the default) for the zone of the station. */
  readonly timeZone?: string | undefined;
  /** Minutes after midnight at which days begin; undefined means 0. */
  readonly dayStart?: number;
}

/** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface ObservationRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Resolves both bounds to instants. If a bound is missing and there are no observations, the interval is empty.
 *
 * @param now end of a range with `last`, in milliseconds since 1970-01-01T00:00:00Z
 * @throws DomainError REQUEST_INVALID if `to` is before `from`, for an invalid time zone or date, or for `last` with a bound
 */
export function rangeOf(
  calendar: Calendar,
  station: Station,
  inventory: Inventory,
  asked: RangeRequest,
  now = Number.NaN,
): ObservationRange {
  const { first, last } = extentOf(inventory);
  const zone = zoneOf(calendar, station, asked.timeZone);
  if (asked.last !== undefined) return lastRange(calendar, asked, zone, now);
  const instantOf = (bound: number | string | undefined) =>
    typeof bound === 'string' ? firstInstant(calendar, bound, zone, asked.dayStart ?? 0) : bound;
  const [from, to] = [instantOf(asked.from), instantOf(asked.to)];
  if (from !== undefined && to !== undefined && to < from) {
    throw new DomainError('REQUEST_INVALID', 'to is before from.');
  }
  const begin = from ?? Math.min(first ?? to ?? 0, to ?? Infinity);
  return { from: begin, to: to ?? Math.max(begin, last === null ? begin : last + 1) };
}

function lastRange(
  calendar: Calendar,
  { from, to, last }: RangeRequest,
  zone: string,
  now: number,
): ObservationRange {
  if (from !== undefined || to !== undefined)
    throw new DomainError('REQUEST_INVALID', 'last cannot be combined with from or to: use one of them.');
  const { months, days, milliseconds } = last as CalendarDuration;
  if (months === 0 && days === 0) return { from: now - milliseconds, to: now };
  const local = parseLocalTime(calendar.format(now, zone).slice(0, LOCAL_LENGTH)) as CalendarTime;
  const text = new Date(epochOf(earlierDate(local, last as CalendarDuration)))
    .toISOString()
    .slice(0, LOCAL_LENGTH);
  return { from: calendar.instant(text, zone) + (now % MILLISECONDS.second) - milliseconds, to: now };
}

/** Number of characters of a local time: `2024-02-29T12:00:00`. */
const LOCAL_LENGTH = 19;

/** The times of the first and the last readable row, a report or a daily value. */
export function readableSpan({ first, last, days }: Inventory): Pick<Inventory, 'first' | 'last'> {
  return joinedSpan([{ first, last }, days]);
}

/** The times of the first and the last row, a report or a daily value. Damaged rows are included. */
export function extentOf(inventory: Inventory): Pick<Inventory, 'first' | 'last'> {
  return joinedSpan([readableSpan(inventory), inventory.damaged]);
}

function joinedSpan(
  spans: readonly (Pick<Inventory, 'first' | 'last'> | undefined)[],
): Pick<Inventory, 'first' | 'last'> {
  const begin = Math.min(...spans.map((span) => span?.first ?? Infinity));
  const end = Math.max(...spans.map((span) => span?.last ?? -Infinity));
  return begin > end ? { first: null, last: null } : { first: begin, last: end };
}

/** The number of rows of a station: of reports, and of daily values. A row with both counts twice. */
export function totalRows(inventory: Inventory): number {
  return totalsOf(inventory).reduce((sum, { count }) => sum + count, 0);
}

/** The totals of the reports and of the daily values of a station. Used for estimates of its rows. */
export function totalsOf({ first, last, count, days }: Inventory): SeriesTotals[] {
  const reports = { first, last, count };
  if (days === undefined) return [reports];
  // The totals of a station without reports are the totals of its daily values.
  const isOnlyDays = days.first === first && days.last === last && days.count === count;
  return isOnlyDays ? [days] : [reports, days];
}

function firstInstant(calendar: Calendar, date: string, zone: string, dayStart: number): number {
  const instant = calendar.startOfDay(date, zone, dayStart);
  if (!Number.isNaN(instant)) return instant;
  throw new DomainError('REQUEST_INVALID', `${JSON.stringify(date)} ${timeFault(date)}.`);
}

/**
 * Estimates the number of rows in a range, as if the reports of the station were evenly distributed, and also its daily values. A
 * row with both counts twice.
 */
export function expectedRows(inventory: Inventory, range: ObservationRange): number {
  return totalsOf(inventory).reduce((sum, totals) => sum + expectedIn(totals, range), 0);
}

function expectedIn({ first, last, count }: SeriesTotals, { from, to }: ObservationRange): number {
  if (first === null || last === null) return 0;
  const covered = Math.min(to, last + 1) - Math.max(from, first);
  return covered <= 0 ? 0 : Math.ceil((count * covered) / (last + 1 - first));
}

/** @throws DomainError REQUEST_INVALID for a name that is not in the catalog */
export function variablesNamed(names: readonly string[]): Variable[] {
  return [...new Set(names)].map((name) => {
    const variable = variableNamed(name);
    if (variable !== undefined) return variable;
    const nearest = suggestion(name, SUGGESTED_NAMES);
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(name)}.${nearest}`);
  });
}
