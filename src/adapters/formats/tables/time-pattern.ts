import { DomainError } from '#domain/domain-error.js';
import { type CalendarTime, epochOf, isCalendarTime, MILLISECONDS, timeFault } from '#domain/time.js';

/** A format of times. */
export interface TimeFormat {
  /** Parses a text: an instant, or a local time in milliseconds as if it were UTC; undefined if the text has another format. */
  parse(text: string): { readonly instant: number } | { readonly local: number } | undefined;
  fault(text: string): string;
}

/**
 * The parts of patterns. `MM`, `DD`, `DDD`, `HH` and `hh` also match fewer digits, unless another part is directly beside them.
 *
 *     YYYY YY      year; 70 to 99 are 1970 to 1999, 00 to 69 are 2000 to 2069
 *     MM M MMM     month as a number, or its English name, short or long
 *     DD D         day
 *     DDD          day of the year, from 1 to 366, in place of month and day
 *     HH H         hour from 0 to 23, or 24 with minute 0 for the end of the day
 *     hh h         hour from 1 to 12, with  A  for AM, PM, a, p, a.m.
 *     mm m ss      minute, second; a fraction may follow the second
 *     Hmm          hour and minute without leading zeros: 5 is 00:05, and 1310 is 13:10
 *     Z            Z, or an offset such as +01:00, +0100 or +01
 *     T            the letter T; other letters must be in square brackets: [h]
 */
const PARTS: Readonly<Record<string, readonly [part: string, source: string]>> = {
  YYYY: ['year', '\\d{4}'],
  YY: ['shortYear', '\\d{2}'],
  MMM: ['monthName', '\\p{L}{3,9}\\.?'],
  MM: ['month', '\\d\\d?'],
  M: ['month', '\\d\\d?'],
  DDD: ['dayOfYear', '\\d{1,3}'],
  DD: ['day', '\\d\\d?'],
  D: ['day', '\\d\\d?'],
  HH: ['hour', '\\d\\d?'],
  H: ['hour', '\\d\\d?'],
  hh: ['hour12', '\\d\\d?'],
  h: ['hour12', '\\d\\d?'],
  Hmm: ['clock', '(?:(?<hour>\\d\\d?)(?=\\d\\d(?!\\d)))?(?<minute>\\d\\d?)'],
  mm: ['minute', '\\d\\d'],
  m: ['minute', '\\d\\d?'],
  ss: ['second', '\\d\\d(?:[.,](?<fraction>\\d{1,9}))?'],
  A: ['half', '[AaPp](?:\\.?[Mm]\\.?)?'],
  Z: ['offset', '[Zz]|[+-]\\d\\d(?::?\\d\\d)?'],
};
const PART = /\[[^[\]]*\]|YYYY|YY|MMM|MM?|DDD|DD?|(?<!H)Hmm(?!s)|HH?|hh?|mm?|ss|A|Z|T|\p{L}+|[^\p{L}[]+/gu;
/**
 * Maps a part of a pattern to the quantity that it gives, if another part gives the same quantity. Example: `YY` (`shortYear`)
 * and `YYYY` both give the year. A pattern must not contain both, and this table is used to find such pairs.
 */
const SAME: Readonly<Record<string, string>> = {
  shortYear: 'year',
  monthName: 'month',
  hour12: 'hour',
  half: 'half of the day',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Makes a format from a pattern.
 *
 * @throws DomainError REQUEST_INVALID for letters that are not part of a pattern, and for parts that contradict each other
 */
export function patternOf(format: string): TimeFormat {
  const expression = expressionOf(format);
  const timeOf = (text: string) => {
    const parts = expression.exec(text)?.groups;
    if (parts === undefined) return undefined;
    const { offset, fraction = '0' } = parts;
    const year = Number(parts['year'] ?? fullYear(parts['shortYear']));
    const monthOfText =
      parts['monthName'] === undefined ? Number(parts['month'] ?? 1) : monthNamed(parts['monthName']);
    const { dayOfYear } = parts;
    const { month, day } =
      dayOfYear === undefined
        ? { month: monthOfText, day: Number(parts['day'] ?? 1) }
        : dateInYear(year, Number(dayOfYear));
    const time = {
      year,
      month,
      day,
      hour:
        parts['hour12'] === undefined ? Number(parts['hour'] ?? 0) : hourOf(parts['hour12'], parts['half']),
      minute: Number(parts['minute'] ?? 0),
      second: Number(parts['second']?.slice(0, 2) ?? 0),
      millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
    };
    return { time, offset, dayOfYear };
  };
  return {
    parse: (text) => {
      const parsed = timeOf(text);
      if (parsed === undefined) return undefined;
      const local = epochOfClock(parsed.time);
      if (parsed.offset === undefined) return { local };
      const sign = parsed.offset.startsWith('-') ? 1 : -1;
      const [, hours = '0', minutes = '0'] = /(\d\d):?(\d\d)?/.exec(parsed.offset) ?? [];
      return { instant: local + sign * (Number(hours) * 60 + Number(minutes)) * 60_000 };
    },
    fault: (text) => {
      const parsed = timeOf(text);
      if (parsed === undefined) return `is not a time of the form ${format}`;
      if (isCalendarTime(parsed.time)) return 'is not a time';
      if (Number.isNaN(parsed.time.day)) {
        return `is not a date; ${parsed.time.year} has no day ${Number(parsed.dayOfYear)}`;
      }
      const two = (part: number) => String(part).padStart(2, '0');
      const { year, month, day, hour, minute, second } = parsed.time;
      return timeFault(
        `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`,
      );
    },
  };
}

/** Converts a calendar time to milliseconds as `epochOf`. The hour 24 with minute 0 is the end of the day. */
function epochOfClock(time: CalendarTime): number {
  const { hour, minute, second } = time;
  const isEnd = hour === 24 && minute === 0 && second === 0;
  return isEnd ? epochOf({ ...time, hour: 0 }) + MILLISECONDS.day : epochOf(time);
}

/** Makes a regular expression from a pattern. @throws DomainError REQUEST_INVALID for letters that are not part of a pattern */
function expressionOf(format: string): RegExp {
  const pieces = format.match(PART) ?? [];
  const source = pieces.map((piece, index) => {
    const part = PARTS[piece];
    if (part !== undefined) {
      const [name, digits] = part;
      const isJoined =
        PARTS[pieces[index + 1] ?? ''] !== undefined || PARTS[pieces[index - 1] ?? ''] !== undefined;
      const exact = digits.replace('\\d\\d?', '\\d\\d').replace('\\d{1,3}', '\\d{3}');
      return `(?<${name}>${isJoined && piece.length >= 2 && piece !== 'Hmm' ? exact : digits})`;
    }
    if (/^\p{L}/u.test(piece) && piece !== 'T') {
      const text = `The pattern ${JSON.stringify(format)} contains ${JSON.stringify(piece)}, which is not one of ${Object.keys(PARTS).join(' ')}. Write other letters in square brackets.`;
      throw new DomainError('REQUEST_INVALID', text);
    }
    const literal = piece.startsWith('[') ? piece.slice(1, -1) : piece;
    return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');
  });
  if (!source.some((piece) => piece.startsWith('(?<year>') || piece.startsWith('(?<shortYear>'))) {
    throw new DomainError(
      'REQUEST_INVALID',
      `The pattern ${JSON.stringify(format)} has no year. Add YYYY or YY.`,
    );
  }
  assertParts(format, pieces);
  // Matching must be fast for every text. Two repetitions of blanks that follow each other (`\s+\s+`) would be slow for a text with
  // many blanks, because matching would try every way to divide the blanks between the two repetitions.
  // Expression of the parts of a pattern: repetitions of blanks are joined here, and nothing else repeats without a limit.
  return new RegExp(`^${source.join('').replace(/(?:\\s\+){2,}/g, String.raw`\s+`)}$`, 'u');
}

/** Whether a pattern consists of a date without a time of day. */
export function isDatePattern(format: string): boolean {
  const parts = (format.match(PART) ?? []).flatMap((piece) => PARTS[piece]?.[0] ?? []);
  const isDate = (part: string) => /^(?:year|shortYear|month|monthName|day|dayOfYear)$/.test(part);
  return parts.length > 1 && parts.every(isDate) && parts.some((part) => part.startsWith('day'));
}

/** @throws DomainError REQUEST_INVALID if two parts of a pattern are the same quantity */
function assertParts(format: string, pieces: readonly string[]): void {
  const seen = new Map<string, string>();
  const fail = (reason: string) => {
    throw new DomainError('REQUEST_INVALID', `The pattern ${JSON.stringify(format)} has ${reason}.`);
  };
  for (const piece of pieces) {
    const [name] = PARTS[piece] ?? [];
    if (name === undefined) continue;
    for (const quantity of name === 'clock' ? ['hour', 'minute'] : [SAME[name] ?? name]) {
      const other = seen.get(quantity);
      if (other !== undefined) fail(`the ${quantity} twice: ${other} and ${piece}`);
      seen.set(quantity, piece);
    }
  }
  const [other, dayOfYear] = [seen.get('day') ?? seen.get('month'), seen.get('dayOfYear')];
  if (other !== undefined && dayOfYear !== undefined) {
    fail(`${dayOfYear}, the day of the year, in addition to ${other}: remove one of the two`);
  }
}

/** The month and day of a day of the year; NaN if the year has no such day. */
function dateInYear(year: number, dayOfYear: number): { readonly month: number; readonly day: number } {
  const date = new Date(Date.UTC(year, 0, dayOfYear));
  if (date.getUTCFullYear() !== year) return { month: Number.NaN, day: Number.NaN };
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function fullYear(text = '0'): number {
  const year = Number(text);
  return year < 70 ? 2000 + year : 1900 + year;
}

/** The month from 1 to 12; NaN for an unknown name. */
function monthNamed(name: string): number {
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? Number.NaN : month;
}

/** Converts an hour from 1 to 12 and a half of the day to an hour from 0 to 23; NaN for another hour. */
function hourOf(text: string, half = ''): number {
  const hour = Number(text);
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
