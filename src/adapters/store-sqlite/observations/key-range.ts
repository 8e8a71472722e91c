import { chunkKey, dayOf, DAYS, FIRST_DAY } from '#adapters/formats/packed/chunk-key.js';

/**
 * The keys of a station for the first and the last day of `[from, to)`. A chunk (a blob with the rows of some days) has the key
 * of its station and its first day.
 */
export function keysOf(station: number, from: number, to: number): [first: number, last: number] {
  const key = (day: number) => chunkKey(station, Math.min(Math.max(day, FIRST_DAY), FIRST_DAY + DAYS - 1));
  return [key(dayOf(from)), key(dayOf(to - 1))];
}

/**
 * The keys of a station for the first and the last possible day. All chunks of the station (blobs with its rows) have keys in
 * this range.
 */
export function allKeysOf(station: number): [first: number, last: number] {
  return keysOf(station, -Infinity, Infinity);
}
