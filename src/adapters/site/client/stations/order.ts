import { isStale } from '#domain/weather/current/silence.js';
import { type ListedStation, shownValue } from './listed.js';

/** The columns by which the list can be sorted, from left to right. */
export const LIST_COLUMNS = ['station', 'temperature', 'rain', 'wind'] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

export interface Order {
  readonly by: ListColumn;
  readonly direction: 'ascending' | 'descending';
}

/**
 * The order of the list before the visitor chooses one. If the service has more stations than the first page, the list keeps the
 * order of the service: rows of later pages then come after the shown rows, which do not move.
 *
 * @param next cursor of the second page; null if there is none
 */
export function firstOrder(next: string | null): Order | undefined {
  return next === null ? { by: 'station', direction: 'ascending' } : undefined;
}

const VALUES: Readonly<
  Record<Exclude<ListColumn, 'station'>, (station: ListedStation) => number | undefined>
> = {
  temperature: (station) => shownValue(station, 'air_temperature'),
  rain: ({ rain }) => rain ?? undefined,
  wind: (station) => shownValue(station, 'wind_speed'),
};

/**
 * Returns the order of the list after a click on a heading. The first click sorts names in ascending order, and all other columns
 * in descending order. A second click on the same heading reverses the order.
 */
export function nextOrder(order: Order | undefined, by: ListColumn): Order {
  if (order?.by !== by) return { by, direction: by === 'station' ? 'ascending' : 'descending' };
  return { by, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
}

/**
 * Sorts stations. Stations without a value are last in both directions; stations with equal values keep their order.
 *
 * @param order undefined for the given order
 */
export function sortStations(
  stations: readonly ListedStation[],
  order: Order | undefined,
  language: string,
): readonly ListedStation[] {
  if (order === undefined) return stations;
  const sign = order.direction === 'ascending' ? 1 : -1;
  if (order.by === 'station') {
    const { compare } = new Intl.Collator(language, { numeric: true });
    return stations.toSorted((a, b) => sign * compare(a.station.name, b.station.name));
  }
  const valueOf = VALUES[order.by];
  return stations.toSorted((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}

/** Whether a station is live: it has not missed several reports. @param now in ms since 1970 */
export function isLive({ last_seen: seen, station }: ListedStation, now: number): boolean {
  return seen !== null && !isStale((now - Date.parse(seen)) / 1000, station.reporting_interval);
}

/**
 * Divides stations into live and silent stations. If no station is live, the first list has all stations, because a page of silent
 * stations should not be empty.
 */
export function splitStations(
  stations: readonly ListedStation[],
  now: number,
): { readonly live: readonly ListedStation[]; readonly silent: readonly ListedStation[] } {
  const live = stations.filter((listed) => isLive(listed, now));
  if (live.length === 0) return { live: stations, silent: [] };
  return { live, silent: stations.filter((listed) => !isLive(listed, now)) };
}

/**
 * Stations whose name, id or place contains each word of `text`. Case and accents are ignored.
 *
 * @param places names of towns by station
 */
export function filterStations(
  stations: readonly ListedStation[],
  text: string,
  places: ReadonlyMap<string, string> = new Map(),
): readonly ListedStation[] {
  const words = foldCase(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return stations;
  return stations.filter(({ station }) => {
    const names = foldCase(`${station.name} ${station.id} ${places.get(station.id) ?? ''}`);
    return words.every((word) => names.includes(word));
  });
}

function foldCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
