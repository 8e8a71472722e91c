/**
 * Which stations are handed to `judgeRange` as neighbours: the nearest ones within the radius whose elevations do not differ
 * too much. The check itself may use fewer of them.
 */
export const NEIGHBOURHOOD = {
  /** Kilometres. */
  radius: 100,
  /** Largest difference of the elevations in metres. */
  height: 500,
  /** Largest number of neighbours. */
  most: 20,
} as const;
