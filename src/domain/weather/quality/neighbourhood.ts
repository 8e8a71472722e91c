import { BUDDIES } from './checks/buddies.js';

/** Which stations are handed to `judgeRange` as neighbours: the nearest ones of those with which the check compares. */
export const NEIGHBOURHOOD = {
  /** Kilometres. */
  radius: BUDDIES.radius / 1000,
  /** Largest difference of the elevations in metres. */
  height: BUDDIES.heightDifference,
  /** Largest number of neighbours. */
  most: 20,
} as const;
