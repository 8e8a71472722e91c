import { MILLISECONDS } from '#domain/time.js';

/** The key of a chunk is station × `DAYS` + day - `FIRST_DAY`. The day is in days since 1970. */
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
