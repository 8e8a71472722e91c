/** Lower bounds of the Beaufort forces 1 to 12 in m/s: WMO-No. 8, table 5.1. */
const BOUNDS = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/** Speed in m/s below which the wind is calm (Beaufort 0), so that a vane shows no reliable direction. */
export const CALM_BELOW = BOUNDS[0] as number;

/** The Beaufort force, 0 to 12. @param speed mean of 10 minutes in m/s */
export function beaufortForce(speed: number): number {
  return BOUNDS.filter((bound) => speed >= bound).length;
}
