import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { Calendar } from '#application/ports/calendar.js';
import { epochOf, isOffset, MILLISECONDS, parseLocalTime, utcDate } from '#domain/time.js';
import {
  type Bucket,
  type CalendarInterval,
  CLOCK_INTERVALS,
  isClockInterval,
} from '#domain/weather/summaries/bucket.js';
import { findSpan, type OffsetSpan, startOf } from './zone-spans.js';

/** Maximum number of cached time zones. */
const MAX_ZONES = 100;
/** Maximum number of cached intervals in all lists together. That many intervals take 2 MB. */
const MAX_INTERVALS = 20_000;
/**
 * Maximum number of cached spans (periods with a constant offset) of a time zone. That many spans cover a century. Finding a span
 * that is not cached takes 1 ms.
 */
const MAX_SPANS = 200;
const { hour: HOUR, minute: MINUTE, day: DAY } = MILLISECONDS;

/** Length of an interval: days for `day` and `week`, months for `month` and `season`, years for `year`. */
const STEPS = { day: 1, week: 7, month: 1, season: 3, year: 1 } as const;

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** A calendar on ECMAScript's Temporal, with the time zones of Node.js. */
export class TemporalCalendar implements Calendar {
  /** The cached spans (periods with a constant offset) of each time zone. The most recently used span comes first. */
  readonly #spans = new LRUCache<string, OffsetSpan[]>({ max: MAX_ZONES });
  readonly #lists = new LRUCache<string, readonly Bucket[]>({
    maxSize: MAX_INTERVALS,
    sizeCalculation: ({ length }) => length + 1,
  });

  /** The day of the last formatted time, in days since 1970. `#date` is the text of the day, for example `2013-01-01T`. */
  #day = Number.NaN;
  #date = '';

  hasZone(timeZone: string): boolean {
    // Offsets are valid only in the form of `isOffset`. Temporal also accepts other forms (`+0100`, `+23:59`).
    if (!/^[A-Za-z]/.test(timeZone)) return isOffset(timeZone);
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
    const buckets = isClockInterval(interval)
      ? this.#clockIntervals(CLOCK_INTERVALS[interval] * MINUTE, timeZone, from, to)
      : this.#dates(interval, timeZone, dayStart, from, to);
    this.#lists.set(key, buckets);
    return buckets;
  }

  #clockIntervals(length: number, timeZone: string, from: number, to: number): Bucket[] {
    return length > HOUR
      ? this.#partsOfDays(length, timeZone, from, to)
      : this.#partsOfHours(length, timeZone, from, to);
  }

  startOfDay(date: string, timeZone: string, dayStart: number): number {
    try {
      return startOf(Temporal.PlainDate.from(date), timeZone, dayStart);
    } catch {
      return Number.NaN;
    }
  }

  instant(local: string, timeZone: string): number {
    try {
      return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds;
    } catch {
      return Number.NaN;
    }
  }

  instantsOf(local: string, timeZone: string): readonly number[] {
    const fields = parseLocalTime(local);
    if (fields === undefined) return [];
    const asUtc = epochOf(fields);
    const { from, to, offset } = this.#spanOf(asUtc, timeZone);
    // If the offset does not change within a day of this time, arithmetic is enough. Temporal would take 50 µs for each row of an
    // import.
    if (asUtc - DAY >= from && asUtc + DAY < to) return [asUtc - offset];
    const plain = Temporal.PlainDateTime.from(local);
    const earlier = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    const later = plain.toZonedDateTime(timeZone, { disambiguation: 'later' });
    if (earlier.equals(later)) return [earlier.epochMilliseconds];
    // For a local time that the clocks skip, Temporal returns two instants. The local times of both instants differ from the
    // skipped time.
    return earlier.toPlainDateTime().equals(plain)
      ? [earlier.epochMilliseconds, later.epochMilliseconds]
      : [];
  }

  offset(time: number, timeZone: string): number {
    return this.#spanOf(time, timeZone).offset;
  }

  format(time: number, timeZone: string): string {
    const { offset, text } = this.#spanOf(time, timeZone);
    const local = time + offset;
    const day = Math.floor(local / DAY);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = new Date(day * DAY).toISOString().slice(0, -13);
    }
    const seconds = Math.floor((local - day * DAY) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hour = Math.floor(minutes / 60);
    return `${this.#date}${TWO_DIGITS[hour]}:${TWO_DIGITS[minutes - hour * 60]}:${TWO_DIGITS[seconds - minutes * 60]}${text}`;
  }

  /** Intervals of whole dates, in order. A date that the zone skipped is omitted, such as 2011-12-30 in Samoa. */
  #dates(
    interval: keyof typeof STEPS,
    timeZone: string,
    dayStart: number,
    from: number,
    to: number,
  ): Bucket[] {
    const zoned = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
    let { year, month, day } = zoned;
    if (startOf(zoned.toPlainDate(), timeZone, dayStart) > from) {
      ({ year, month, day } = zoned.toPlainDate().subtract({ days: 1 }));
    }
    // From here on, `month` and `day` may be out of range, such as month 0 for December of the year before (see `utcDate`).
    if (interval === 'week') day -= (new Date(utcDate(year, month, day)).getUTCDay() + 6) % 7;
    else if (interval !== 'day') day = 1;
    if (interval === 'season') month -= month % 3;
    if (interval === 'year') month = 1;
    const found: Bucket[] = [];
    let start = this.#startOfDate(utcDate(year, month, day), timeZone, dayStart);
    while (start < to) {
      if (interval === 'year') year += 1;
      else if (interval === 'month' || interval === 'season') month += STEPS[interval];
      else day += STEPS[interval];
      const end = this.#startOfDate(utcDate(year, month, day), timeZone, dayStart);
      if (end > start) found.push({ start, end });
      start = end;
    }
    return found;
  }

  /**
   * Returns the start of a date, like `startOf`. If the offset does not change within a day of the start, the result is computed
   * by arithmetic, because Temporal takes 180 ms for 10,000 days.
   *
   * @param date midnight of the date in UTC, in milliseconds since 1970
   */
  #startOfDate(date: number, timeZone: string, dayStart: number): number {
    const local = date + dayStart * MINUTE;
    const { from, to, offset } = this.#spanOf(local, timeZone);
    if (local - DAY >= from && local + DAY < to) return local - offset;
    const zoned = Temporal.Instant.fromEpochMilliseconds(date).toZonedDateTimeISO('UTC');
    return startOf(zoned.toPlainDate(), timeZone, dayStart);
  }

  /** Intervals of several hours, counted from midnight of each local day. The last interval of a day ends at the next midnight. */
  #partsOfDays(length: number, timeZone: string, from: number, to: number): Bucket[] {
    const found: Bucket[] = [];
    const days = this.#dates('day', timeZone, 0, from, to);
    for (const { start: midnight, end: nextMidnight } of days) {
      const date = Math.floor((midnight + this.#spanOf(midnight, timeZone).offset) / DAY) * DAY;
      let start = midnight;
      for (let minutes = length / MINUTE; start < nextMidnight; minutes += length / MINUTE) {
        const isLast = minutes * MINUTE >= DAY;
        const end = isLast
          ? nextMidnight
          : Math.min(this.#startOfDate(date, timeZone, minutes), nextMidnight);
        if (end <= start) continue;
        if (end > from && start < to) found.push({ start, end });
        start = end;
      }
    }
    return found;
  }

  /**
   * Intervals of an hour or less. An interval also ends where the clocks change by an amount that is not a multiple of the length
   * of the intervals.
   */
  #partsOfHours(length: number, timeZone: string, from: number, to: number): Bucket[] {
    const found: Bucket[] = [];
    let span = this.#spanOf(from, timeZone);
    const isSplit = (at: number) => {
      const change = this.#spanOf(at, timeZone).offset - this.#spanOf(at - 1, timeZone).offset;
      return change % length !== 0;
    };
    let start = Math.floor((from + span.offset) / length) * length - span.offset;
    if (start < span.from && isSplit(span.from)) start = span.from;
    while (start < to) {
      if (start >= span.to) span = this.#spanOf(start, timeZone);
      let end = Math.floor((start + span.offset) / length + 1) * length - span.offset;
      if (end > span.to && isSplit(span.to)) end = span.to;
      found.push({ start, end });
      start = end;
    }
    return found;
  }

  /** The span around `time` in which the offset of the zone does not change. */
  #spanOf(time: number, timeZone: string): OffsetSpan {
    let spans = this.#spans.get(timeZone);
    if (spans === undefined) this.#spans.set(timeZone, (spans = []));
    const index = spans.findIndex(({ from, to }) => time >= from && time < to);
    if (index === 0) return spans[0] as OffsetSpan;
    const span = index > 0 ? (spans.splice(index, 1)[0] as OffsetSpan) : findSpan(time, timeZone);
    spans.unshift(span);
    spans.length = Math.min(spans.length, MAX_SPANS);
    return span;
  }
}
