import type { Calendar } from '../../../application/ports/calendar.js';
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

/** How the times of a file are written. */
export interface TimeFormat {
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN when it is none. */
  parse(text: string): number;
  /** Why `parse` has refused `text`, to be said behind it. */
  fault(text: string): string;
}

/**
 * @param format `iso`, which has its own zone; `unix`, seconds, or `unix-ms`; or a pattern of YYYY MM DD HH mm ss, for times
 *   of the clocks in `timeZone`
 */
export function timeFormat(format: string, timeZone: string, calendar: Calendar): TimeFormat {
  if (format === 'iso') return { parse: parseInstant, fault: timeFault };
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
    parse: (text) => {
      const iso = inIso(text);
      // The calendar would take second 60 for 59.
      return iso === undefined || parseLocalTime(iso) === undefined
        ? Number.NaN
        : calendar.instant(iso, timeZone);
    },
    fault: (text) => {
      const iso = inIso(text);
      return iso === undefined ? `is not a time of the form ${format}` : timeFault(iso);
    },
  };
}

function numbers(factor: number, fault: string): TimeFormat {
  return {
    parse: (text) => (NUMBER.test(text) ? Number(text) * factor : Number.NaN),
    fault: () => fault,
  };
}
