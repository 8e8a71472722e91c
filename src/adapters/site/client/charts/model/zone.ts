import { MILLISECONDS } from '#domain/time.js';
import { fixedOffset } from '../../format/time-format.js';

/** Local dates and times of a time zone, from the time zone data of the browser. Dates are strings such as `2013-07-18`. */

export interface LocalTime {
  readonly date: string;
  readonly hour: number;
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

/**
 * Cache of the offsets at the start of UTC days, by zone and day. A call of `Intl` takes several microseconds, and a chart of a year
 * needs thousands of offsets.
 */
const offsets = new Map<string, Map<number, number>>();

/** Local time minus UTC, in ms. @param time in ms since 1970 */
function offsetAt(time: number, zone: string): number {
  let ofZone = offsets.get(zone);
  if (ofZone === undefined) offsets.set(zone, (ofZone = new Map<number, number>()));
  const day = Math.floor(time / MILLISECONDS.day);
  const [first, second] = [offsetOfDay(day, zone, ofZone), offsetOfDay(day + 1, zone, ofZone)];
  // No zone changes its clocks twice within a day, so equal offsets at both ends of the day hold for the whole day.
  return first === second ? first : exactOffset(time, zone);
}

function offsetOfDay(day: number, zone: string, ofZone: Map<number, number>): number {
  let offset = ofZone.get(day);
  if (offset === undefined) ofZone.set(day, (offset = exactOffset(day * MILLISECONDS.day, zone)));
  return offset;
}

function exactOffset(time: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return local - Math.floor(time / MILLISECONDS.second) * MILLISECONDS.second;
}

export function localTime(time: number, zone: string): LocalTime {
  const text = new Date(time + offsetAt(time, zone)).toISOString();
  return { date: text.slice(0, 10), hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) };
}

/**
 * The first instant of a local date, in ms since 1970. This instant is not always 00:00, because clocks can be set forward at
 * midnight.
 */
export function startOfDay(date: string, zone: string): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`);
  const offsetsAround = [-MILLISECONDS.day, MILLISECONDS.day].map((distance) =>
    offsetAt(asUtc + distance, zone),
  );
  const candidates = offsetsAround.map((offset) => asUtc - offset).toSorted((a, b) => a - b);
  return candidates.find((time) => localTime(time, zone).date === date) ?? asUtc - (offsetsAround[0] ?? 0);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MILLISECONDS.day).toISOString().slice(0, 10);
}

/** Whether the text is a valid date `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

/** The first instants of the local days in `[from, to)`, in ms since 1970. */
export function startsOfDays(from: number, to: number, zone: string): number[] {
  const starts: number[] = [];
  for (let { date } = localTime(from, zone); ; date = addDays(date, 1)) {
    const start = startOfDay(date, zone);
    if (start >= to) return starts;
    // A date that a zone has skipped has the same start as the next date.
    if (start >= from && start !== starts.at(-1)) starts.push(start);
  }
}

/** Whether the offset of the zone differs at the two instants, so that local times between them repeat or are missing. */
export function hasOffsetChange(from: number, to: number, zone: string): boolean {
  return offsetAt(from, zone) !== offsetAt(to, zone);
}
