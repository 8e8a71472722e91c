import { parseInstant, parseLocalTime, timeFault } from '../../../domain/time.js';

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d\\d?)',
  DD: '(?<day>\\d\\d?)',
  HH: '(?<hour>\\d\\d?)',
  mm: '(?<minute>\\d\\d)',
  ss: '(?<second>\\d\\d)',
};

/** The part of a calendar that patterns need. */
export interface LocalTimes {
  /** The instants of a local time (`2013-01-01T00:00:00`): none, one or two, in rising order. */
  instantsOf(local: string, timeZone: string): readonly number[];
}

/** The format of the times in a file. */
export interface TimeFormat {
  /**
   * The instants that `text` may mean, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none if it is
   * not a time, two if it is a local time that occurs twice.
   */
  instants(text: string): readonly number[];
  /** The reason why `text` does not mean exactly one instant, to be written behind the text in a message. */
  fault(text: string): string;
}

/**
 * @param format `iso` for times with Z or an offset, `unix` for seconds, `unix-ms` for milliseconds, or a pattern of
 *   YYYY MM DD HH mm ss for local times in `timeZone`
 */
export function timeFormat(format: string, timeZone: string, calendar: LocalTimes): TimeFormat {
  if (format === 'iso') return { instants: (text) => instantsOrNone(parseInstant(text)), fault: timeFault };
  if (format === 'unix') return numbers(1000, 'is not a number of seconds');
  if (format === 'unix-ms') return numbers(1, 'is not a number of milliseconds');
  const escaped = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${escaped.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => PARTS[part] ?? part)}$`);
  const inIso = (text: string): string | undefined => {
    const parts = pattern.exec(text)?.groups;
    if (parts?.['year'] === undefined) return undefined;
    const { year, month = '1', day = '1', hour = '0', minute = '0', second = '0' } = parts;
    const two = (part: string) => part.padStart(2, '0');
    return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
  };
  return {
    instants: (text) => {
      const iso = inIso(text);
      return iso === undefined ? [] : calendar.instantsOf(iso, timeZone);
    },
    fault: (text) => {
      const iso = inIso(text);
      if (iso === undefined) return `is not a time of the form ${format}`;
      if (parseLocalTime(iso) === undefined) return timeFault(iso);
      return calendar.instantsOf(iso, timeZone).length === 0
        ? `does not exist in ${timeZone}: clocks were set forward`
        : `comes twice in ${timeZone}: clocks were set back, and it is not clear which is meant`;
    },
  };
}

function numbers(factor: number, fault: string): TimeFormat {
  return {
    instants: (text) => instantsOrNone(NUMBER.test(text) ? Math.round(Number(text) * factor) : Number.NaN),
    fault: () => fault,
  };
}

function instantsOrNone(time: number): readonly number[] {
  return Number.isFinite(time) ? [time] : [];
}
