import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '../api.js';

/** Width of a sector in degrees. */
const SECTOR = 22.5;

/**
 * Whether the newest value of a variable belongs to the newest wind speed: the value must be less than one hour older than the
 * speed. Some stations report gusts only in strong wind, so their newest gust can be hours old.
 */
export function isOfCurrentWind(latest: Newest, variable: string): boolean {
  const [value, speed] = [latest[variable], latest['wind_speed']];
  if (value === undefined || speed === undefined) return value !== undefined;
  return Date.parse(speed.time) - Date.parse(value.time) < MILLISECONDS.hour;
}

/** Index of a direction among 16 sectors, clockwise from north. @param direction in degrees */
export function sectorIndex(direction: number): number {
  return Math.round(direction / SECTOR) % 16;
}

/** One knot in m/s. */
const KNOT = 1852 / 3600;
/** Speed in knots below which the wind is calm and has no barb. */
const CALM = 2.5;

/**
 * Draws a wind barb for wind from the north (WMO-No. 485, station model): a flag for 50 knots, a full barb for 10 knots, a half barb
 * for 5 knots. The station is at (0, 0), and the staff ends at (0, −20).
 *
 * @param speed in m/s
 * @returns attribute `d` of an SVG path; undefined if the wind is calm
 */
export function windBarb(speed: number): string | undefined {
  const knots = speed / KNOT;
  if (knots < CALM) return undefined;
  // Barbs have a resolution of 5 knots.
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
    // A single half barb is drawn away from the end of the staff, so that it does not look like a full barb.
    if (y === -20) y += 3;
    parts.push(`M0 ${y}L5 ${y - 2}`);
  }
  return parts.join('');
}
