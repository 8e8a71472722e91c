import { BUDDIES } from './checks/buddies.js';

/** Which stations are handed to `judgeRange` as neighbors: the nearest ones of those with which the check compares. */
export const NEIGHBORHOOD = {
  /** Kilometers. */
  radius: BUDDIES.radius / 1000,
  /** Largest difference of the elevations in meters. */
  height: BUDDIES.heightDifference,
  /** Largest number of neighbors. */
  most: 20,
} as const;
