import { BUDDIES } from './checks/buddies.js';

/** The neighbors that `recheckRange` gets: the nearest stations within these limits. */
export const NEIGHBORHOOD = {
  /** Largest distance in kilometers. */
  radius: BUDDIES.radius / 1000,
  /** Largest difference of the elevations in meters. */
  height: BUDDIES.heightDifference,
  /** Largest number of neighbors. */
  maximum: 20,
} as const;
