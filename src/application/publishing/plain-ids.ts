import type { Station } from '#domain/weather/station.js';

/**
 * Ids of stations for programs that allow no point in ids, such as Home Assistant. A point becomes a hyphen. Where the result is the id
 * of another station, the number of the station is behind it: `north.roof` becomes `north-roof`, or `north-roof-7` if there is a
 * station with the id `north-roof`.
 *
 * @param stations all stations, so that the result does not depend on which of them are used
 * @returns the plain ids by number of the station
 */
export function plainIds(stations: readonly Pick<Station, 'id' | 'number'>[]): ReadonlyMap<number, string> {
  const plainOf = (id: string) => id.replaceAll('.', '-');
  const counts = new Map<string, number>();
  for (const { id } of stations) counts.set(plainOf(id), (counts.get(plainOf(id)) ?? 0) + 1);
  const isAlone = (id: string) => id === plainOf(id) || counts.get(plainOf(id)) === 1;
  const ids = new Map<number, string>();
  const alone = stations.filter(({ id }) => isAlone(id));
  for (const { id, number } of alone) ids.set(number, plainOf(id));
  const taken = new Set(ids.values());
  const others = stations.filter(({ id }) => !isAlone(id)).toSorted((a, b) => a.number - b.number);
  for (const { id, number } of others) {
    let plain = `${plainOf(id)}-${number}`;
    while (taken.has(plain)) plain += `-${number}`;
    taken.add(plain);
    ids.set(number, plain);
  }
  return ids;
}
