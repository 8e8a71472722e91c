import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { Calendar, CalendarInterval } from '../../application/ports/calendar.js';
import type { Bucket } from '../../domain/summaries.js';

/** Lists of intervals that are remembered: a year of days takes 6 ms to make. */
const REMEMBERED = 100;
const HOUR = 3_600_000;

/** A time in which a zone keeps its offset. Milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** `-05:00`. */
  readonly text: string;
}

/** The calendar of ECMAScript's Temporal, with the time zones that Node.js knows. */
export class TemporalCalendar implements Calendar {
  readonly #spans = new LRUCache<string, Span>({ max: REMEMBERED });
  readonly #lists = new LRUCache<string, readonly Bucket[]>({ max: REMEMBERED });

  hasZone(timeZone: string): boolean {
    // Offsets (`+01:00`) are time zones for Temporal, and no IANA names.
    if (!/^[A-Za-z]/.test(timeZone)) return false;
    try {
      Temporal.Now.zonedDateTimeISO(timeZone);
      return true;
    } catch {
      return false;
    }
  }

  buckets(
    interval: CalendarInterval,
    timeZone: string,
    dayStart: number,
    from: number,
    to: number,
  ): readonly Bucket[] {
    const key = [interval, timeZone, dayStart, from, to].join();
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const made =
      interval === 'hour' ? hours(timeZone, from, to) : dates(interval, timeZone, dayStart, from, to);
    this.#lists.set(key, made);
    return made;
  }

  instant(local: string, timeZone: string): number {
    try {
      return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds;
    } catch {
      return Number.NaN;
    }
  }

  format(time: number, timeZone: string): string {
    const { offset, text } = this.#spanOf(time, timeZone);
    return `${new Date(time + offset).toISOString().slice(0, -5)}${text}`;
  }

  /** Asking Temporal for every instant takes 20 µs; it is asked once for the time between two changes of the clocks. */
  #spanOf(time: number, timeZone: string): Span {
    const known = this.#spans.get(timeZone);
    if (known !== undefined && time >= known.from && time < known.to) return known;
    const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
    const span = {
      from: zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
      to: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
      offset: zoned.offsetNanoseconds / 1e6,
      text: zoned.offset,
    };
    this.#spans.set(timeZone, span);
    return span;
  }
}

/** Each an hour long, from a full hour of the clocks there. */
function hours(timeZone: string, from: number, to: number): Bucket[] {
  const zoned = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const found: Bucket[] = [];
  const first = zoned.round({ smallestUnit: 'hour', roundingMode: 'floor' }).epochMilliseconds;
  for (let start = first; start < to; start += HOUR) found.push({ start, end: start + HOUR });
  return found;
}

function dates(
  interval: 'day' | 'month' | 'year',
  timeZone: string,
  dayStart: number,
  from: number,
  to: number,
): Bucket[] {
  const plainTime = new Temporal.PlainTime(Math.floor(dayStart / 60), dayStart % 60);
  const startOf = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  const step = { days: { days: 1 }, months: { months: 1 }, years: { years: 1 } }[`${interval}s`];
  let date = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone).toPlainDate();
  if (startOf(date) > from) date = date.subtract({ days: 1 });
  if (interval !== 'day') date = date.with({ day: 1 });
  if (interval === 'year') date = date.with({ month: 1 });
  const found: Bucket[] = [];
  let start = startOf(date);
  while (start < to) {
    date = date.add(step);
    const end = startOf(date);
    found.push({ start, end });
    start = end;
  }
  return found;
}
