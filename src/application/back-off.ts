import { MILLISECONDS } from '#domain/time.js';

/**
 * Returns the delay before the next attempt. The delay is `first` after the first failure and doubles with each further failure,
 * up to `longest`. Then a random amount, up to half of the delay, is subtracted, so that the clients of a restarted server do not
 * all return at the same moment.
 *
 * @param failures number of failed attempts, from 1
 * @param longest maximum delay, in milliseconds
 * @param random returns a number from 0 to 1; 0 means that nothing is subtracted
 * @param first delay after the first failure, in milliseconds
 * @returns milliseconds
 */
export function backOff(
  failures: number,
  longest: number,
  random: () => number = Math.random,
  first: number = MILLISECONDS.second,
): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (1 - random() / 2);
}
