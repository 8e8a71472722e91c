import type { UnitChoice } from '../../format/units.js';

/** Lower bounds of the speed classes except the first: round numbers in the unit of the visitor. */
export const SPEED_BOUNDS: Readonly<Record<UnitChoice, readonly number[]>> = {
  metric: [2, 4, 6, 8, 12],
  kmh: [5, 10, 20, 30, 40],
  uk: [4, 8, 13, 18, 25],
  imperial: [4, 8, 13, 18, 25],
  knots: [4, 7, 11, 17, 22],
};
