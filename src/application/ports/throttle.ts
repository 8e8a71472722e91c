import type { AttemptCounter } from '../../domain/accounts/attempts.js';

/**
 * Counts attempts that may be guesses, atomically and in a place that all instances share. Each method is one
 * transaction over all counters that it is given. Every method may reject with STORE_UNAVAILABLE.
 */
export interface Throttle {
  /**
   * Counts an attempt in every counter before its outcome is known, so that many at once cannot slip through. Resolves
   * to 0 when it is within all limits. Otherwise nothing is counted, and it resolves to the seconds, rounded up, after
   * which another attempt would be within them.
   */
  count(counters: readonly AttemptCounter[]): Promise<number>;
  /** Takes back one attempt in every counter. */
  forget(counters: readonly AttemptCounter[]): Promise<void>;
  /** Forgets every attempt of `cleared`, and takes back one attempt in each of `forgotten`. */
  clear(cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): Promise<void>;
  /** Removes what no longer counts. */
  purge(): Promise<void>;
}
