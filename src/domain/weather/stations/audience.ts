import type { Station } from '../station.js';

/** For whom something is read: everybody, or only users who have signed in. The operator counts as a user. */
export type Audience = 'everybody' | 'users';

/**
 * A station as an audience sees it. What is computed for everybody is computed from this view: with many decimals, a value that
 * depends on the height of the sun would tell the exact position.
 *
 * @returns the station itself if nothing of it is restricted; undefined if the audience does not see it
 */
export function stationFor(audience: Audience, station: Station): Station | undefined {
  if (audience === 'users') return station;
  const { visibility, positionDecimals: decimals, earlier } = station;
  if (visibility === 'hidden') return undefined;
  if (typeof decimals !== 'number') return station;
  return {
    ...station,
    ...rounded(station, decimals),
    ...(earlier && { earlier: earlier.map((period) => ({ ...period, ...rounded(period, decimals) })) }),
  };
}

type Position = Pick<Station, 'latitude' | 'longitude'>;

function rounded({ latitude, longitude }: Position, decimals: number): Position {
  // JSON has no -0.
  const round = (degrees: number) => Number(degrees.toFixed(decimals)) + 0;
  return { latitude: round(latitude), longitude: round(longitude) };
}
