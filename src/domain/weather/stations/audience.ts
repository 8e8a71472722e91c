import type { Station } from '../station.js';

/** The audience of a reply: everybody, or only signed-in users. The operator counts as a user. */
export type Audience = 'everybody' | 'users';

/**
 * Returns a station as an audience may see it. All values for everybody are computed from this station, and not from the stored
 * station: a value that depends on the altitude of the sun would reveal the exact position if the value had many decimals.
 *
 * @returns the station itself if nothing of it is restricted; undefined if the station is hidden from the audience
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
  // `+ 0` turns -0 into 0, because JSON has no -0.
  const round = (degrees: number) => Number(degrees.toFixed(decimals)) + 0;
  return { latitude: round(latitude), longitude: round(longitude) };
}
