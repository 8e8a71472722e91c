/** Units of time in milliseconds. A day is a UTC day; a day of a time zone may have 23 to 25 hours. */
export const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The earliest permitted time of a row, and of a period in the history of a station. */
export const EARLIEST_ROW = Date.UTC(1600, 0, 1);

/** The end of an interval. @param begin milliseconds since 1970-01-01T00:00:00Z @param seconds length of the interval */
export function endOfInterval(begin: number, seconds: number): number {
  return begin + seconds * MILLISECONDS.second;
}

const OFFSET = /^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/;

/**
 * Whether `timeZone` is an offset from UTC of at most 14 hours, for example `-03:30`. A station may have such an offset instead
 * of the name of a time zone.
 */
export function isOffset(timeZone: string): boolean {
  return OFFSET.test(timeZone);
}

/** A date and a time of the Gregorian calendar, without a time zone. */
export interface CalendarTime {
  /** 0 to 9999. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** Largest number of characters of a text that can be a time. */
const MAX_LENGTH = 64;

// These expressions are literals. With calls of `RegExp`, bundlers would keep them even where they are not used.
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?$/;
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;
const DATE_ALONE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Milliseconds in 400 years. The Gregorian calendar repeats after that time. */
const CYCLE = 146_097 * MILLISECONDS.day;

const MONTHS = [
  ['January', 31],
  ['February', 28],
  ['March', 31],
  ['April', 30],
  ['May', 31],
  ['June', 30],
  ['July', 31],
  ['August', 31],
  ['September', 30],
  ['October', 31],
  ['November', 30],
  ['December', 31],
] as const;

/** Number of days of a month from 1 to 12; 0 for other numbers. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return MONTHS[month - 1]?.[1] ?? 0;
}

/** Whether the date and time exist. Times with hour 24 or second 60 do not exist. */
export function isCalendarTime(time: CalendarTime): boolean {
  const { year, month, day, hour, minute, second } = time;
  return day >= 1 && day <= daysInMonth(year, month) && hour <= 23 && minute <= 59 && second <= 59;
}

/**
 * Midnight of a date in UTC, in milliseconds since 1970-01-01T00:00:00Z. Months and days may be out of range. `Date.UTC` would read
 * the years 0 to 99 as 1900 to 1999.
 */
export function utcDate(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Converts a calendar time in UTC to milliseconds since 1970-01-01T00:00:00Z. @returns NaN if the time does not exist */
export function epochOf(time: CalendarTime): number {
  if (!isCalendarTime(time)) return Number.NaN;
  const { year, month, day, hour, minute, second, millisecond } = time;
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999. So the time is computed for the year + 400, and then 400 years are
  // subtracted.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second, millisecond) - CYCLE;
}

/**
 * `HYPHEN` and `COLON` are the character codes of the separators in `2024-02-29T12:00:00`. `TIME_SEPARATORS` has the codes that
 * are allowed between date and time: `T`, `t` and a blank.
 */
const [HYPHEN, COLON] = [0x2d, 0x3a];
const TIME_SEPARATORS: ReadonlySet<number> = new Set([0x54, 0x74, 0x20]);

/**
 * Parses a local time with seconds and without a fraction, for example `2024-02-29T12:00:00`. No regular expression is used: it
 * would be several times slower than this function, and a file may have millions of rows with a time.
 *
 * @param text characters behind the seconds are ignored
 * @returns the result of `epochOf`; NaN also if `text` has another form
 */
export function parseWholeSeconds(text: string): number {
  const isOfForm =
    text.charCodeAt(4) === HYPHEN &&
    text.charCodeAt(7) === HYPHEN &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON &&
    TIME_SEPARATORS.has(text.charCodeAt(10));
  if (!isOfForm) return Number.NaN;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const [month, day, hour] = [twoDigits(text, 5), twoDigits(text, 8), twoDigits(text, 11)];
  const [minute, second] = [twoDigits(text, 14), twoDigits(text, 17)];
  // A character that is not a digit gives NaN, and NaN is not a calendar time.
  return epochOf({ year, month, day, hour, minute, second, millisecond: 0 });
}

/** The number of the two digits at index `at`; NaN if they are not digits. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 0x30, text.charCodeAt(at + 1) - 0x30];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/**
 * Parses an instant of RFC 3339: a date, a time and an offset (`2024-02-29T12:00:00Z`, `2024-02-29 12:00+01:00`). The
 * seconds and the colon in the offset are optional. Digits beyond milliseconds are cut.
 *
 * @returns milliseconds since 1970-01-01T00:00:00Z; NaN if `text` has another form or the date or time does not
 *   exist. `timeFault` gives the reason.
 */
export function parseInstant(text: string): number {
  if (text.length > MAX_LENGTH) return Number.NaN;
  if (text.length === 20 && (text.endsWith('Z') || text.endsWith('z'))) {
    const instant = parseWholeSeconds(text);
    if (!Number.isNaN(instant)) return instant;
  }
  const match = INSTANT.exec(text);
  if (match === null) return Number.NaN;
  const [, , , , , , , , sign, offsetHours, offsetMinutes] = match;
  const local = epochOf(fieldsOf(match));
  if (sign === undefined) return local;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return Number.NaN;
  const offset = Number(offsetHours) * MILLISECONDS.hour + Number(offsetMinutes) * MILLISECONDS.minute;
  return sign === '+' ? local - offset : local + offset;
}

/**
 * Parses a date (`2024-02-29`), or a date and a time, without an offset. A date without a time means midnight.
 *
 * @returns undefined if `text` has another form or the date or time does not exist
 */
export function parseLocalTime(text: string): CalendarTime | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = LOCAL_TIME.exec(text);
  if (match === null) return undefined;
  const time = fieldsOf(match);
  return isCalendarTime(time) ? time : undefined;
}

/** Whether `text` has the form of a date without a time. The date need not exist: `2024-02-30` has the form. */
export function isDateAlone(text: string): boolean {
  return DATE_ALONE.test(text);
}

/**
 * The reason why `parseInstant` or `parseLocalTime` refused `text`. The reason is the end of a sentence that begins with
 * `text`: `is not a date: April 2024 has 30 days`.
 */
export function timeFault(text: string): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  if (match === null) return 'is not a time such as 2024-02-29T12:00:00Z';
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const name = MONTHS[month - 1]?.[0];
  if (name === undefined) return 'is not a date: months are 01 to 12';
  if (day < 1 || day > daysInMonth(year, month)) {
    return `is not a date: ${name} ${year} has ${daysInMonth(year, month)} days`;
  }
  if (LOCAL_TIME.test(text) && parseLocalTime(text) !== undefined) {
    return isDateAlone(text) ? 'is a date without a time' : 'has neither Z nor an offset such as +01:00';
  }
  return 'is not a time: hours are 00 to 23, minutes and seconds 00 to 59, behind them Z or an offset such as +01:00';
}

function fieldsOf(match: readonly (string | undefined)[]): CalendarTime {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0'] = match;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
  };
}

/** The rule for the texts that `periodOf` accepts, as a part of messages. */
export const PERIOD_RULE = 'a whole number of hours, days or years, such as 400d or 10y; at most 1000y';

/** Parses a period such as `400d` or `10y`. A year has 365.25 days. @returns milliseconds; undefined for other texts */
export function periodOf(text: string): number | undefined {
  const [, number, unit = ''] = /^([1-9]\d{0,6})([hdy])$/.exec(text) ?? [];
  const units: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, y: 365.25 };
  const days = Number(number) * (units[unit] ?? Number.NaN);
  return days <= 365_250 ? Math.round(days * MILLISECONDS.day) : undefined;
}
