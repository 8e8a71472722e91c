import { MILLISECONDS } from '#domain/time.js';

/**
 * Milliseconds before the next attempt: `first`, doubled by each further failure up to `longest`, of which a random half is left
 * out, so that the clients of a server that restarts do not come back at the same moment.
 *
 * @param failures number of attempts that have failed, from 1
 * @param longest milliseconds
 * @param random from 0 to 1; 0 leaves nothing out
 * @param first milliseconds
 */
export function backOff(
  failures: number,
  longest: number,
  random: () => number = Math.random,
  first: number = MILLISECONDS.second,
): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (1 - random() / 2);
}
