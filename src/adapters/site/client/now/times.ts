import { useSite } from '../site-context.js';

const STYLES = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfMonth: { day: 'numeric', month: 'short' },
  longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** The language for `Intl`: the English of pages writes the day before the month, and 24 hours. */
export function timeLanguage(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes times in a zone and in the language of the visitor. Dates without a time are written with the zone `UTC`. */
export function useTimes(
  timeZone: string,
): (time: number | string | Date, style: keyof typeof STYLES) => string {
  const { language } = useSite().preferences;
  return (time, style) => {
    const key = `${language} ${timeZone} ${style}`;
    let format = formats.get(key);
    if (format === undefined) {
      format = new Intl.DateTimeFormat(timeLanguage(language), {
        ...STYLES[style],
        timeZone,
      });
      formats.set(key, format);
    }
    return format.format(typeof time === 'string' ? Date.parse(time) : time);
  };
}
