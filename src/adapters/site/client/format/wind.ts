import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '../api.js';

const SECTOR = 22.5;

/**
 * Whether the newest value of a variable belongs to the newest wind speed: it is less than an hour older. Stations that report gusts in
 * strong wind only have one of hours ago as the newest.
 */
export function isOfPresentWind(latest: Newest, variable: string): boolean {
  const [value, speed] = [latest[variable], latest['wind_speed']];
  if (value === undefined || speed === undefined) return value !== undefined;
  return Date.parse(speed.time) - Date.parse(value.time) < MILLISECONDS.hour;
}

/** The index of one of 16 sectors, clockwise from north. @param direction in degrees */
export function shownSectorOf(direction: number): number {
  return Math.round(direction / SECTOR) % 16;
}

/** Meters per second of a knot. */
const KNOT = 1852 / 3600;
/** The lowest speed with a barb, in knots: below it the wind is calm. */
const CALM = 2.5;

/**
 * A wind barb for wind from the north (WMO-No. 485, station model): a flag for 50 knots, a full barb for 10, a half one for 5. The
 * station is at (0, 0), and the staff ends at (0, −20).
 *
 * @param speed in m/s
 * @returns the `d` of an SVG path; undefined if the wind is calm
 */
export function windBarb(speed: number): string | undefined {
  const knots = speed / KNOT;
  if (knots < CALM) return undefined;
  // Barbs are told apart by 5 knots.
  let fives = Math.round(knots / 5);
  const parts = ['M0 0V-20'];
  let y = -20;
  for (; fives >= 10; fives -= 10) {
    parts.push(`M0 ${y}L9 ${y + 2}L0 ${y + 4}Z`);
    y += 5;
  }
  for (; fives >= 2; fives -= 2) {
    parts.push(`M0 ${y}L9 ${y - 3}`);
    y += 3;
  }
  if (fives === 1) {
    // A half barb alone stands off the end, so that it is not taken for a full one.
    if (y === -20) y += 3;
    parts.push(`M0 ${y}L5 ${y - 2}`);
  }
  return parts.join('');
}
