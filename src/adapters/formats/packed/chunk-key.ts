import { MILLISECONDS } from '#domain/time.js';

/**
 * The key of a chunk (a blob with the rows of one station in some days) as one number: `station × DAYS + day - FIRST_DAY`. `day`
 * is the first day of the chunk, in days since 1970.
 */
export const DAYS = 2 ** 20;
export const FIRST_DAY = -(2 ** 19);

export function chunkKey(station: number, day: number): number {
  return station * DAYS + (day - FIRST_DAY);
}

export function stationOfKey(key: number): number {
  return Math.floor(key / DAYS);
}

export function dayOfKey(key: number): number {
  return (key % DAYS) + FIRST_DAY;
}

export const dayOf = (time: number) => Math.floor(time / MILLISECONDS.day);
