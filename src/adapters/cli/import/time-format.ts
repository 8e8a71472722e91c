import type { Calendar } from '../../../application/ports/calendar.js';

/** With a zone of its own. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d\\d?)',
  DD: '(?<day>\\d\\d?)',
  HH: '(?<hour>\\d\\d?)',
  mm: '(?<minute>\\d\\d)',
  ss: '(?<second>\\d\\d)',
};

/** Reads a time; NaN when it is none. */
export type ParseTime = (text: string) => number;

/**
 * @param format `iso`, which has its own zone; `unix`, seconds, or `unix-ms`; or a pattern of YYYY MM DD HH mm ss, for times
 *   of the clocks in `timeZone`
 */
export function timeParser(format: string, timeZone: string, calendar: Calendar): ParseTime {
  if (format === 'iso') return (text) => (ISO.test(text) ? Date.parse(text) : Number.NaN);
  if (format === 'unix') return (text) => (NUMBER.test(text) ? Number(text) * 1000 : Number.NaN);
  if (format === 'unix-ms') return (text) => (NUMBER.test(text) ? Number(text) : Number.NaN);
  const escaped = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${escaped.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => PARTS[part] ?? part)}$`);
  return (text) => {
    const parts = pattern.exec(text)?.groups;
    if (parts?.['year'] === undefined) return Number.NaN;
    const { year, month = '1', day = '1', hour = '0', minute = '0', second = '0' } = parts;
    const two = (part: string) => part.padStart(2, '0');
    return calendar.instant(
      `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`,
      timeZone,
    );
  };
}
