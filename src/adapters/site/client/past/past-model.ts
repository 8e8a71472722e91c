import { MILLISECONDS } from '#domain/time.js';
import type { Text } from '../text/en.js';

/** Age of the last value in ms from which a station is shown as it was then. A station that is only silent is younger. */
const PAST_AGE = 365 * MILLISECONDS.day;

/** Whether the last value of a station is so old that its page shows the time of this value instead of the present. */
export function isPast(lastSeen: string | null, now: number): boolean {
  return lastSeen !== null && now - Date.parse(lastSeen) >= PAST_AGE;
}

/** Whether the values of all stations are old, so that a map of them has no earlier hours of the present weather. */
export function areAllPast(stations: readonly { readonly last_seen: string | null }[], now: number): boolean {
  return stations.length > 0 && stations.every(({ last_seen: seen }) => isPast(seen, now));
}

/** The time at which the page of a station stands: the present, or the time of the last value of an old station. */
export function shownTime(
  lastSeen: string | null,
  now: number,
): { readonly now: number; readonly isStill: boolean } {
  return lastSeen !== null && isPast(lastSeen, now)
    ? { now: Date.parse(lastSeen), isStill: true }
    : { now, isStill: false };
}

/** The location of a page whose charts show the last week with values, unless its query names a span or a range. */
export function withLastWeek<L extends { readonly query: URLSearchParams }>(location: L): L {
  if (['span', 'from', 'at'].some((name) => location.query.has(name))) return location;
  const query = new URLSearchParams(location.query);
  query.set('span', '7d');
  return { ...location, query };
}

/**
 * The mark of a station in a list if its values are not of today: the year in which they were recorded, or the month of the last value
 * of an old station. Undefined for other stations.
 *
 * @param monthOf returns the name of the month of a time, with its year
 */
export function pastMark(
  { recorded }: { readonly recorded?: number },
  lastSeen: string | null,
  now: number,
  { listed, lastValue }: Pick<Text['past'], 'listed' | 'lastValue'>,
  monthOf: (time: string) => string,
): string | undefined {
  if (recorded !== undefined) return listed(recorded);
  return lastSeen !== null && isPast(lastSeen, now) ? lastValue(monthOf(lastSeen)) : undefined;
}
