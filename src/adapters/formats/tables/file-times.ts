import { epochOf, parseInstant, parseLocalTime, parseWholeSeconds, timeFault } from '#domain/time.js';
import type { LocalZone } from './local-zone.js';
import { patternOf, type TimeFormat } from './time-pattern.js';

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

/** A time whose offset has no minutes: `2024-01-01 10:00:00+01`. */
const HOURS_ALONE = /:\d\d(?:\.\d+)?[+-]\d\d$/;
/** Largest number of characters of a time, with words of its pattern. */
const LONGEST = 128;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * @param formats `iso`: RFC 3339, the offset may be left out or have hours alone; `instant`: with an offset; `unix`: seconds; `unix-ms`: milliseconds; or patterns. The first
 *   that a text fits is taken
 * @throws DomainError REQUEST_INVALID for letters that are no part of a pattern
 */
export function fileTimes(formats: readonly string[]): FileTimes {
  const parsers = formats.map(formatNamed);
  const parse = (text: string) => {
    if (text.length > LONGEST) return undefined;
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

function formatNamed(format: string): TimeFormat {
  if (format === 'iso') return { parse: parseIso, fault: timeFault };
  if (format === 'instant') return { parse: parseWithOffset, fault: timeFault };
  if (format === 'unix') return numbers(1000, 'is not a number of seconds');
  if (format === 'unix-ms') return numbers(1, 'is not a number of milliseconds');
  return patternOf(format);
}

function parseIso(text: string): ReturnType<TimeFormat['parse']> {
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

function parseWithOffset(text: string): ReturnType<TimeFormat['parse']> {
  const instant = parseInstant(text);
  return Number.isNaN(instant) ? undefined : { instant };
}

function numbers(factor: number, fault: string): TimeFormat {
  return {
    parse: (text) => (NUMBER.test(text) ? { instant: Math.round(Number(text) * factor) } : undefined),
    fault: () => fault,
  };
}
