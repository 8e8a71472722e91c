import { type ListedStation, shownValue } from './listed.js';

/** The columns of the list from left to right. */
export const LIST_COLUMNS = ['station', 'temperature', 'rain', 'wind', 'age'] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

export interface Order {
  readonly by: ListColumn;
  readonly direction: 'ascending' | 'descending';
}

const VALUES: Readonly<
  Record<Exclude<ListColumn, 'station'>, (station: ListedStation) => number | undefined>
> = {
  temperature: (station) => shownValue(station, 'air_temperature'),
  rain: ({ rain }) => rain ?? undefined,
  wind: (station) => shownValue(station, 'wind_speed'),
  // The age is sorted by the negated time of the last observation: the latest time is the smallest age.
  age: ({ last_seen: lastSeen }) => (lastSeen === null ? undefined : -Date.parse(lastSeen)),
};

/**
 * Returns the order of the list after a click on a heading. The first click sorts names and ages in ascending order, and all
 * other columns in descending order. A second click on the same heading reverses the order.
 */
export function nextOrder(order: Order | undefined, by: ListColumn): Order {
  const first = by === 'station' || by === 'age' ? 'ascending' : 'descending';
  if (order?.by !== by) return { by, direction: first };
  return { by, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Sorts stations. Stations without a value are last in both directions; stations with equal values keep their order. */
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

/** Stations whose name or id contains each word of `text`. Case and accents are ignored. */
export function filterStations(stations: readonly ListedStation[], text: string): readonly ListedStation[] {
  const words = foldCase(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return stations;
  return stations.filter(({ station }) => {
    const names = foldCase(`${station.name} ${station.id}`);
    return words.every((word) => names.includes(word));
  });
}

function foldCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
