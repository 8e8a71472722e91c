import { MILLISECONDS } from '../../domain/time.js';

/** Longest delay in milliseconds. */
export const LONGEST_DELAY = MILLISECONDS.minute;

/**
 * Milliseconds before the next attempt: 1 s, doubled by each further failure up to a minute, of which a random half is left out,
 * so that the clients of a broker that restarts do not come back at the same moment.
 *
 * @param failures number of attempts that have failed, from 1
 * @param random from 0 to 1
 */
export function backOff(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(LONGEST_DELAY, MILLISECONDS.second * 2 ** (failures - 1));
  return longest * (1 - random() / 2);
}

/** Waits. @returns whether the time has passed; false if `signal` has fired before, or fires */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<boolean>;

export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const end = (passed: boolean) => () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(passed);
    };
    const onAbort = end(false);
    const timer = setTimeout(end(true), milliseconds);
    signal.addEventListener('abort', onAbort);
  });
