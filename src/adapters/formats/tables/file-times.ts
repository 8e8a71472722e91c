import { DomainError } from '../../../domain/domain-error.js';
import {
  epochOf,
  isCalendarTime,
  parseInstant,
  parseLocalTime,
  parseWholeSeconds,
  timeFault,
} from '../../../domain/time.js';
import type { LocalZone } from './local-zone.js';

/** The texts of times in a file. */
export interface FileTimes {
  /**
   * The instants that `text` may mean, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none if it is not a
   * time, two if it is a local time that occurs twice.
   */
  instants(text: string, zone: LocalZone): readonly number[];
  /** The reason why `text` does not mean exactly one instant, to be written behind the text in a message. */
  fault(text: string, zone: LocalZone): string;
}

interface Format {
  /** Of a text of this form: an instant, or the local time taken as UTC; undefined where it has another form. */
  parse(text: string): { readonly instant: number } | { readonly local: number } | undefined;
  fault(text: string): string;
}

/** A time whose offset has no minutes: `2024-01-01 10:00:00+01`. */
const HOURS_ALONE = /:\d\d(?:\.\d+)?[+-]\d\d$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * The parts of patterns. `MM`, `DD`, `HH` and `hh` take one digit too, unless another part follows at once.
 *
 *     YYYY YY      year; 70 to 99 are 1970 to 1999, 00 to 69 are 2000 to 2069
 *     MM M MMM     month as a number, or its English name, short or long
 *     DD D         day
 *     HH H         hour from 0 to 23;  hh h  hour from 1 to 12, with  A  for AM, PM, a, p, a.m.
 *     mm ss        minute, second; behind the second a fraction may stand
 *     Z            Z, or an offset such as +01:00, +0100 or +01
 *     T            itself; other letters stand in square brackets: [h]
 */
const PARTS: Readonly<Record<string, readonly [part: string, source: string]>> = {
  YYYY: ['year', '\\d{4}'],
  YY: ['shortYear', '\\d{2}'],
  MMM: ['monthName', '\\p{L}{3,9}\\.?'],
  MM: ['month', '\\d\\d?'],
  M: ['month', '\\d\\d?'],
  DD: ['day', '\\d\\d?'],
  D: ['day', '\\d\\d?'],
  HH: ['hour', '\\d\\d?'],
  H: ['hour', '\\d\\d?'],
  hh: ['hour12', '\\d\\d?'],
  h: ['hour12', '\\d\\d?'],
  mm: ['minute', '\\d\\d'],
  ss: ['second', '\\d\\d(?:[.,](?<fraction>\\d{1,9}))?'],
  A: ['half', '[AaPp](?:\\.?[Mm]\\.?)?'],
  Z: ['offset', '[Zz]|[+-]\\d\\d(?::?\\d\\d)?'],
};
const PART = /\[[^\]]*\]|YYYY|YY|MMM|MM?|DD?|HH?|hh?|mm|ss|A|Z|T|\p{L}+|[^\p{L}[]+/gu;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * @param formats `iso`: RFC 3339, the offset may be left out or have hours alone; `unix`: seconds; `unix-ms`: milliseconds; or patterns. The first
 *   that a text fits is taken
 * @throws DomainError REQUEST_INVALID for letters that are no part of a pattern
 */
export function fileTimes(formats: readonly string[]): FileTimes {
  const parsers = formats.map(formatNamed);
  const parse = (text: string) => {
    for (const format of parsers) {
      const found = format.parse(text);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    instants: (text, zone) => {
      const found = parse(text);
      if (found === undefined) return [];
      if ('instant' in found) return Number.isFinite(found.instant) ? [found.instant] : [];
      return Number.isNaN(found.local) ? [] : zone.instantsOf(found.local);
    },
    fault: (text, zone) => {
      const found = parse(text);
      if (found === undefined || 'instant' in found || Number.isNaN(found.local)) {
        return parsers[0]?.fault(text) ?? 'is not a time';
      }
      return zone.instantsOf(found.local).length === 0
        ? `does not exist in ${zone.name}: clocks were set forward`
        : `comes twice in ${zone.name}: clocks were set back, and it is not clear which is meant`;
    },
  };
}

function formatNamed(format: string): Format {
  if (format === 'iso') return { parse: parseIso, fault: timeFault };
  if (format === 'unix') return numbers(1000, 'is not a number of seconds');
  if (format === 'unix-ms') return numbers(1, 'is not a number of milliseconds');
  return patternOf(format);
}

function parseIso(text: string): ReturnType<Format['parse']> {
  if (text.length === 19) {
    const local = parseWholeSeconds(text);
    if (!Number.isNaN(local)) return { local };
  }
  const instant = parseInstant(text);
  if (!Number.isNaN(instant)) return { instant };
  const local = parseLocalTime(text);
  if (local !== undefined) return { local: epochOf(local) };
  // PostgreSQL writes whole hours so.
  const shifted = HOURS_ALONE.test(text) ? parseInstant(`${text}:00`) : Number.NaN;
  return Number.isNaN(shifted) ? undefined : { instant: shifted };
}

function numbers(factor: number, fault: string): Format {
  return {
    parse: (text) => (NUMBER.test(text) ? { instant: Math.round(Number(text) * factor) } : undefined),
    fault: () => fault,
  };
}

function patternOf(format: string): Format {
  const expression = expressionOf(format);
  const timeOf = (text: string) => {
    const parts = expression.exec(text)?.groups;
    if (parts === undefined) return undefined;
    const { offset, fraction = '0' } = parts;
    const time = {
      year: Number(parts['year'] ?? fullYear(parts['shortYear'])),
      month: parts['monthName'] === undefined ? Number(parts['month'] ?? 1) : monthNamed(parts['monthName']),
      day: Number(parts['day'] ?? 1),
      hour:
        parts['hour12'] === undefined ? Number(parts['hour'] ?? 0) : hourOf(parts['hour12'], parts['half']),
      minute: Number(parts['minute'] ?? 0),
      second: Number(parts['second']?.slice(0, 2) ?? 0),
      millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
    };
    return { time, offset };
  };
  return {
    parse: (text) => {
      const found = timeOf(text);
      if (found === undefined) return undefined;
      const local = epochOf(found.time);
      if (found.offset === undefined) return { local };
      const sign = found.offset.startsWith('-') ? 1 : -1;
      const [, hours = '0', minutes = '0'] = /(\d\d):?(\d\d)?/.exec(found.offset) ?? [];
      return { instant: local + sign * (Number(hours) * 60 + Number(minutes)) * 60_000 };
    },
    fault: (text) => {
      const found = timeOf(text);
      if (found === undefined) return `is not a time of the form ${format}`;
      if (isCalendarTime(found.time)) return 'is not a time';
      const two = (part: number) => String(part).padStart(2, '0');
      const { year, month, day, hour, minute, second } = found.time;
      return timeFault(
        `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`,
      );
    },
  };
}

/** @throws DomainError REQUEST_INVALID for letters that are no part of a pattern */
function expressionOf(format: string): RegExp {
  const pieces = format.match(PART) ?? [];
  const source = pieces.map((piece, index) => {
    const part = PARTS[piece];
    if (part !== undefined) {
      const [name, digits] = part;
      const isJoined =
        PARTS[pieces[index + 1] ?? ''] !== undefined || PARTS[pieces[index - 1] ?? ''] !== undefined;
      return `(?<${name}>${isJoined && piece.length === 2 ? digits.replace('\\d\\d?', '\\d\\d') : digits})`;
    }
    if (/^\p{L}/u.test(piece) && piece !== 'T') {
      const text = `The pattern ${JSON.stringify(format)} has ${JSON.stringify(piece)}, which is none of ${Object.keys(PARTS).join(' ')}; other letters stand in square brackets.`;
      throw new DomainError('REQUEST_INVALID', text);
    }
    const literal = piece.startsWith('[') ? piece.slice(1, -1) : piece;
    return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');
  });
  if (!source.some((piece) => piece.startsWith('(?<year>') || piece.startsWith('(?<shortYear>'))) {
    throw new DomainError(
      'REQUEST_INVALID',
      `The pattern ${JSON.stringify(format)} has no year: YYYY or YY.`,
    );
  }
  return new RegExp(`^${source.join('')}$`, 'u');
}

function fullYear(text = '0'): number {
  const year = Number(text);
  return year < 70 ? 2000 + year : 1900 + year;
}

/** From 1; NaN for another word. */
function monthNamed(name: string): number {
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? Number.NaN : month;
}

/** From 0 to 23; NaN for 0 and for more than 12. */
function hourOf(text: string, half = ''): number {
  const hour = Number(text);
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
