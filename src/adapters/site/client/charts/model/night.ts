import { getTimes } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/** The parts of a range in which the sun is below the horizon. */
export function nights({ from, to }: ShownRange, latitude: number, longitude: number): ShownRange[] {
  const dark: ShownRange[] = [];
  let darkFrom = from;
  for (let day = from - MILLISECONDS.day; day <= to + MILLISECONDS.day; day += MILLISECONDS.day) {
    const light = daylight(day, latitude, longitude);
    if (light === undefined || light.to <= darkFrom) continue;
    const darkTo = Math.min(light.from, to);
    if (darkTo > darkFrom) dark.push({ from: darkFrom, to: darkTo });
    darkFrom = light.to;
    if (darkFrom >= to) return dark;
  }
  if (darkFrom < to) dark.push({ from: darkFrom, to });
  return dark;
}

/** The time from sunrise to sunset; undefined in the polar night. */
function daylight(day: number, latitude: number, longitude: number): ShownRange | undefined {
  const { sunrise, sunset, solarNoon, alwaysUp } = getTimes(new Date(day), latitude, longitude);
  const half = MILLISECONDS.day / 2;
  const noon = solarNoon.getTime();
  // The length of solar days varies by up to 30 s. The additional minute at both ends prevents gaps between two polar days.
  if (alwaysUp === true)
    return { from: noon - half - MILLISECONDS.minute, to: noon + half + MILLISECONDS.minute };
  if (sunrise === null && sunset === null) return undefined;
  return { from: sunrise?.getTime() ?? noon - half, to: sunset?.getTime() ?? noon + half };
}
