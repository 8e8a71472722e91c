import { epochOf, parseInstant, parseLocalTime, parseWholeSeconds, timeFault } from '#domain/time.js';
import { say } from '../files/sentences.js';
import type { FaultReason } from './read-notes.js';
import type { LocalZone } from './local-zone.js';
import { patternOf, type TimeFormat } from './time-pattern.js';

/** Parses the times of a file. */
export interface FileTimes {
  /**
   * The instants that `text` may mean, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none if it is not a
   * time, two if it is a local time that occurs twice.
   */
  instants(text: string, zone: LocalZone): readonly number[];
  /** The reason why `text` does not mean exactly one instant. @param shown the text as the reason shows it */
  fault(text: string, zone: LocalZone, shown: string): FaultReason;
}

/** A time with an offset without minutes: `2024-01-01 10:00:00+01`. */
const HOURS_ALONE = /:\d\d(?:\.\d+)?[+-]\d\d$/;
/**
 * Largest number of characters of a time. The words of a pattern, such as "at" in `YYYY-MM-DD [at] HH:mm`, are counted too.
 */
const MAX_LENGTH = 128;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * @param formats the first format that fits a text is used: `iso` (RFC 3339, with or without an offset; the offset may have no
 *   minutes), `instant` (RFC 3339 with an offset), `unix` (seconds), `unix-ms` (milliseconds), or a pattern
 * @throws DomainError REQUEST_INVALID for letters that are not part of a pattern
 */
export function fileTimes(formats: readonly string[]): FileTimes {
  const parsers = formats.map(formatNamed);
  const parse = (text: string) => {
    if (text.length > MAX_LENGTH) return undefined;
    for (const format of parsers) {
      const parsed = format.parse(text);
      if (parsed !== undefined) return parsed;
    }
    return undefined;
  };
  return {
    instants: (text, zone) => {
      const parsed = parse(text);
      if (parsed === undefined) return [];
      if ('instant' in parsed) return Number.isFinite(parsed.instant) ? [parsed.instant] : [];
      return Number.isNaN(parsed.local) ? [] : zone.instantsOf(parsed.local);
    },
    fault: (text, zone, shown) => {
      const parsed = parse(text);
      if (parsed === undefined || 'instant' in parsed || Number.isNaN(parsed.local)) {
        const fault = parsers[0]?.fault(text) ?? 'is not a time';
        return say('time-unreadable', { text: shown, fault });
      }
      const code = zone.instantsOf(parsed.local).length === 0 ? 'time-skipped' : 'time-twice';
      return say(code, { text: shown, zone: zone.name });
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
  // PostgreSQL writes offsets of whole hours without minutes.
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
