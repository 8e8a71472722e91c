import { chunkKey, dayOf, FIRST_DAY } from '../../formats/packed/chunk-key.js';

/** The first and the last possible key of the chunks of a station in `[from, to)`. */
export function keysOf(station: number, from: number, to: number): [first: number, last: number] {
  const key = (day: number) => chunkKey(station, Math.min(Math.max(day, FIRST_DAY), -FIRST_DAY - 1));
  return [key(dayOf(from)), key(dayOf(to - 1))];
}
