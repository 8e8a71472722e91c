import type { Station } from '../station.js';

/** The audience of a reply: everybody, or only signed-in users. The operator counts as a user. */
export type Audience = 'everybody' | 'users';

/**
 * Returns a station as an audience may see it. For everybody, the position may be rounded.
 *
 * All values for everybody are computed from the returned station, because a value can depend on the exact position. If a value
 * that depends on the altitude of the sun had many decimals, the exact position could be found from the value.
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
    ...publicPosition(station, decimals),
    ...(earlier && {
      earlier: earlier.map((period) => ({ ...period, ...publicPosition(period, decimals) })),
    }),
  };
}

type Position = Pick<Station, 'latitude' | 'longitude'>;

/** Rounds a position as everybody may see it. @param decimals `Station.positionDecimals` */
export function publicPosition({ latitude, longitude }: Position, decimals: number): Position {
  // `+ 0` turns -0 into 0, because JSON has no -0.
  const round = (degrees: number) => Number(degrees.toFixed(decimals)) + 0;
  return { latitude: round(latitude), longitude: round(longitude) };
}
