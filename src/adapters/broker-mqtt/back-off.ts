import { MILLISECONDS } from '#domain/time.js';

/** Longest delay in milliseconds. */
export const LONGEST_DELAY = MILLISECONDS.minute;

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
