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

/** What a pattern needs of a calendar. */
export interface LocalTimes {
  /** The instants of a local time (`2013-01-01T00:00:00`), the earlier first: none, one or two. */
  instantsOf(local: string, timeZone: string): readonly number[];
}

/** How the times of a file are written. */
export interface TimeFormat {
  /**
   * The instants that `text` may mean, the earlier first: none when it is no time, two when it is a local time that comes
   * twice. Milliseconds since 1970-01-01T00:00:00Z.
   */
  instants(text: string): readonly number[];
  /** The reason why `text` is not a single instant; follows the text in a message. */
  fault(text: string): string;
}

/**
 * @param format `iso`, which has its own zone; `unix`, seconds, or `unix-ms`; or a pattern of YYYY MM DD HH mm ss, for times
 *   of the clocks in `timeZone`
 */
export function timeFormat(format: string, timeZone: string, calendar: LocalTimes): TimeFormat {
  if (format === 'iso') return { instants: (text) => known(parseInstant(text)), fault: timeFault };
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
    instants: (text) => known(NUMBER.test(text) ? Math.round(Number(text) * factor) : Number.NaN),
    fault: () => fault,
  };
}

function known(time: number): readonly number[] {
  return Number.isFinite(time) ? [time] : [];
}
