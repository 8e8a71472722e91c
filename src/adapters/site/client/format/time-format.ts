/** The locale for `Intl`. English pages write the day before the month, and times with 24 hours. */
export function timeLanguage(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

/** Local time minus UTC in ms, if the zone is an offset such as `+05:45`; otherwise undefined. */
export function fixedOffset(zone: string): number | undefined {
  return /^[+-]/.test(zone) ? -Date.parse(`1970-01-01T00:00${zone}`) : undefined;
}

/** Cache by language, zone and style, because creating a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats a time in a zone. `Intl` of Node.js 20 and of some browsers does not support offsets as zones. For an offset, the function
 * adds the offset to the time and formats the result in UTC.
 */
export function writeTime(
  time: number | Date,
  language: string,
  zone: string,
  style: Intl.DateTimeFormatOptions,
): string {
  return withShortSeptember(
    formatOf(language, zone, style).format(Number(time) + (fixedOffset(zone) ?? 0)),
    language,
  );
}

/** Formats a range of times in a zone, such as `16–23 November 2026`. Parts that both times share are written once. */
export function writeTimeRange(
  from: number,
  to: number,
  language: string,
  zone: string,
  style: Intl.DateTimeFormatOptions,
): string {
  const offset = fixedOffset(zone) ?? 0;
  return withShortSeptember(
    formatOf(language, zone, style).formatRange(from + offset, to + offset),
    language,
  );
}

function formatOf(language: string, zone: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = fixedOffset(zone) === undefined ? zone : 'UTC';
  const key = JSON.stringify([language, timeZone, style]);
  let format = formats.get(key);
  if (format === undefined)
    formats.set(key, (format = new Intl.DateTimeFormat(timeLanguage(language), { ...style, timeZone })));
  return format;
}

/** British English alone shortens September to four letters, which no column of months has room for. */
function withShortSeptember(text: string, language: string): string {
  return language === 'en' ? text.replaceAll(/\bSept\b/g, 'Sep') : text;
}
