import { getPosition } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';

/** A stop of a gradient over the time of a picture. */
export interface Stop {
  /** Position from 0 to 1. */
  readonly offset: number;
  readonly opacity: number;
}

/** Distance between two samples of the altitude of the sun. */
const STEP = 20 * MILLISECONDS.minute;
/** Altitudes of the sun in degrees: the night ends at the first one, dusk is at the second one, and the day is at the third one. */
const [NIGHT, DUSK, DAY] = [-12, 1, 8];

/**
 * The light of the sun over a span of time, as the opacities of two layers over a ground of the color of the night: `dusk` and `day`.
 * Between the limits, the opacity is linear in the altitude of the sun.
 */
export function groundOf(
  from: number,
  to: number,
  latitude: number,
  longitude: number,
): { readonly dusk: readonly Stop[]; readonly day: readonly Stop[] } {
  const count = Math.max(2, Math.ceil((to - from) / STEP));
  const samples = Array.from({ length: count + 1 }, (_sample, index) => {
    const offset = index / count;
    return {
      offset,
      altitude: getPosition(new Date(from + offset * (to - from)), latitude, longitude).altitude,
    };
  });
  const layer = (low: number, high: number) =>
    withoutMiddles(
      samples.map(({ offset, altitude }) => ({
        offset: Math.round(offset * 1000) / 1000,
        opacity: Math.round(Math.min(1, Math.max(0, (altitude - low) / (high - low))) * 100) / 100,
      })),
    );
  return { dusk: layer(NIGHT, DUSK), day: layer(DUSK, DAY) };
}

/** Removes each stop that lies between two stops with the same opacity as itself. */
function withoutMiddles(stops: readonly Stop[]): Stop[] {
  return stops.filter(
    ({ opacity }, index) =>
      index === 0 ||
      index === stops.length - 1 ||
      opacity !== stops[index - 1]?.opacity ||
      opacity !== stops[index + 1]?.opacity,
  );
}
