import { writeTime } from '../format/time-format.js';
import { useSite } from '../site-context.js';

const STYLES = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfMonth: { day: 'numeric', month: 'short' },
  longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'short' },
  weekday: { weekday: 'short' },
  weekdayDate: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  fullDate: { day: 'numeric', month: 'long', year: 'numeric' },
  dateOfYear: { day: 'numeric', month: 'long' },
  monthName: { month: 'long' },
  shortMonthOfYear: { month: 'short', year: 'numeric' },
  monthOfYear: { month: 'long', year: 'numeric' },
  hour: { hour: '2-digit', hourCycle: 'h23' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Returns a function that formats times in a zone and in the language of the visitor. For dates without a time, use the zone `UTC`. */
export function useTimeFormat(
  timeZone: string,
): (time: number | string | Date, style: keyof typeof STYLES) => string {
  const { language } = useSite().preferences;
  return (time, style) =>
    writeTime(typeof time === 'string' ? Date.parse(time) : time, language, timeZone, STYLES[style]);
}
