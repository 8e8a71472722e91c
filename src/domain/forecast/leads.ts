import { MILLISECONDS } from '../time.js';

/** First hour of each class of lead times: `0-5`, `6-11`, `12-23`, `24-47`, … The last class ends before `LAST_LEAD`. */
const FIRST_HOURS = [0, 6, 12, 24, 48, 72, 96, 120, 144, 168, 192, 216] as const;
const LAST_HOUR = 240;
/** The class of each hour before `LAST_HOUR`. */
const CLASS_OF_HOUR = Int8Array.from({ length: LAST_HOUR }, (_, hour) =>
  FIRST_HOURS.findLastIndex((first) => first <= hour),
);
/** End of the last class, in milliseconds. */
export const MAX_LEAD = LAST_HOUR * MILLISECONDS.hour;
/** The names of the classes of lead times, in hours: the first and the last hour. */
export const LEADS: readonly string[] = FIRST_HOURS.map(
  (first, index) => `${first}-${(FIRST_HOURS[index + 1] ?? LAST_HOUR) - 1}`,
);

/**
 * The class of a lead time.
 *
 * @param lead milliseconds from the issue of a forecast to the time that it is for
 * @returns the index in `LEADS`; -1 for a time before the issue or after the last class
 */
export function leadClass(lead: number): number {
  return CLASS_OF_HOUR[Math.floor(lead / MILLISECONDS.hour)] ?? -1;
}

/** The lead times of a class, in milliseconds: `[from, to)`. @param index in `LEADS` */
export function leadBounds(index: number): { readonly from: number; readonly to: number } {
  const [first = 0, next = LAST_HOUR] = FIRST_HOURS.slice(index);
  return { from: first * MILLISECONDS.hour, to: next * MILLISECONDS.hour };
}

/** Number of parts of a solar day that have errors of their own. */
export const PARTS_OF_DAY = 8;
/** Length of a part of the day, in milliseconds. Errors of one part and one class of leads are one case. */
export const PART = MILLISECONDS.day / PARTS_OF_DAY;

/** The part of the solar day, from 0. @param time milliseconds since 1970-01-01T00:00:00Z @param longitude degrees east */
export function partOfDay(time: number, longitude: number): number {
  const solar = time + (longitude / 15) * MILLISECONDS.hour;
  return Math.floor((((solar % MILLISECONDS.day) + MILLISECONDS.day) % MILLISECONDS.day) / PART);
}

/** The begin of the part of the solar day that contains a time. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export function startOfPart(time: number, longitude: number): number {
  const offset = Math.round((longitude / 15) * MILLISECONDS.hour);
  return Math.floor((time + offset) / PART) * PART - offset;
}
