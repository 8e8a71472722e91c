/** The language for `Intl`: the English of pages writes the day before the month, and 24 hours. */
export function timeLanguage(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

/** Difference of local time and UTC in ms, if the zone of a station is an offset such as `+05:45`. */
export function fixedOffset(zone: string): number | undefined {
  return /^[+-]/.test(zone) ? -Date.parse(`1970-01-01T00:00${zone}`) : undefined;
}

/** By language, zone and style: making one takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes a time of a zone. `Intl` of Node.js 20 and of some browsers knows no offsets, so the local time of an offset is written as a
 * time of UTC.
 */
export function writeTime(
  time: number | Date,
  language: string,
  zone: string,
  style: Intl.DateTimeFormatOptions,
): string {
  const offset = fixedOffset(zone);
  const timeZone = offset === undefined ? zone : 'UTC';
  const key = JSON.stringify([language, timeZone, style]);
  let format = formats.get(key);
  if (format === undefined)
    formats.set(key, (format = new Intl.DateTimeFormat(timeLanguage(language), { ...style, timeZone })));
  return format.format(Number(time) + (offset ?? 0));
}
