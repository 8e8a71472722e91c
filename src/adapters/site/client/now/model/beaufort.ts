/** Lower bounds of the Beaufort forces 1 to 12 in m/s: WMO-No. 8, table 5.1. */
const BOUNDS = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/** A slower wind has no direction that a vane can show: Beaufort 0. */
export const CALM_BELOW = BOUNDS[0] as number;

/** The Beaufort force, 0 to 12. @param speed mean of 10 minutes in m/s */
export function beaufortForce(speed: number): number {
  return BOUNDS.filter((bound) => speed >= bound).length;
}

/** Number of the 16 sectors, clockwise from north. @param direction in degrees */
export function sectorNumber(direction: number): number {
  return Math.round((direction * 16) / 360) % 16;
}
