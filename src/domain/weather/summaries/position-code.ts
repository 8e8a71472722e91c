import { configuredParts, type StationConfiguration } from '../station-history.js';
import type { Station } from '../station.js';
import { publicPosition } from '../stations/audience.js';

/**
 * The position of a station for the altitude of the sun, as a number of 32 bits: 16 bits of the latitude and 16 bits of the
 * longitude. Daily aggregates contain it. All numbers of a station are computed with this position and not with the exact one, so
 * that they are the same from rows and from daily aggregates. The steps are at most 0.7 km, or 1.5 seconds of the sun.
 *
 * The position is the public one (`Station.positionDecimals`) for every audience, because sunrise and sunset of the exact position
 * could be found from the missing time of a reply. Hence daily aggregates are the same for every audience too.
 */
export type PositionCode = number;

/** In place of a position: no number depends on the sun. No position has this number. */
export const NO_POSITION: PositionCode = 0;
/** In place of a position that changed within a month. No position has this number. */
export const SEVERAL_POSITIONS: PositionCode = 0xff_ff_ff_ff;

type Position = Pick<Station, 'latitude' | 'longitude'>;

/** Degrees between two latitudes and between two longitudes. */
const STEPS = { latitude: 0.003, longitude: 0.006 } as const;
const LONGITUDES = 0x1_00_00;

type Positioned = Position & Partial<StationConfiguration> & Pick<Station, 'earlier' | 'positionDecimals'>;

/** The position of a station at a time. @param time milliseconds since 1970-01-01T00:00:00Z */
export function positionCodeAt(station: Positioned, time: number): PositionCode {
  return codeOf(station.earlier?.find(({ until }) => time < until) ?? station, station.positionDecimals);
}

/** The position of a station in `[from, to)`; `SEVERAL_POSITIONS` if it changed in this time. */
export function positionCodeIn(
  station: Positioned & StationConfiguration,
  from: number,
  to: number,
): PositionCode {
  const first = positionCodeAt(station, from);
  // Most stations have no history. A short way for these stations makes long summaries faster.
  if (station.earlier === undefined) return first;
  for (const [begin] of configuredParts(station, from, to))
    if (positionCodeAt(station, begin) !== first) return SEVERAL_POSITIONS;
  return first;
}

/** The position of a code, in degrees north and east. */
export function positionOf(code: PositionCode): Position {
  return {
    latitude: (Math.floor(code / LONGITUDES) - 1) * STEPS.latitude - 90,
    longitude: ((code % LONGITUDES) - 1) * STEPS.longitude - 180,
  };
}

function codeOf(exact: Position, decimals: number | null | undefined): PositionCode {
  const { latitude, longitude } = typeof decimals === 'number' ? publicPosition(exact, decimals) : exact;
  const row = Math.round((latitude + 90) / STEPS.latitude);
  const column = Math.round((longitude + 180) / STEPS.longitude);
  return (row + 1) * LONGITUDES + column + 1;
}
