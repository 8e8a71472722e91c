/** So many attempts in so many seconds, counted from the first. */
export interface AttemptLimit {
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Counts attempts that may be guesses, atomically and in a place that all instances share. Keys may hold anything: they
 * are not kept in clear. Every method may reject with STORE_UNAVAILABLE.
 */
export interface Throttle {
  /**
   * Counts an attempt before its outcome is known, so that many at once cannot slip through. Resolves to 0 when it is
   * within the limit, and otherwise to the seconds, rounded up, after which another would be.
   */
  count(key: string, limit: AttemptLimit): Promise<number>;
  /** Takes back one attempt that came to nothing, through no fault of the caller. */
  forget(key: string, limit: AttemptLimit): Promise<void>;
  /** Forgets every attempt: one has succeeded. */
  clear(key: string, limit: AttemptLimit): Promise<void>;
  /** Removes what no longer counts. */
  purge(): Promise<void>;
}
