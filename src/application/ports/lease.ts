/** The right to do work that only one process at a time may do on the same data. */
export interface Lease {
  /** Whether this process has the lease. */
  readonly isHeld: boolean;
  /**
   * Acquires or extends the lease. If the process ends, the lease ends at once or some time later.
   *
   * @returns whether this process has the lease. Rejects if this is unknown.
   */
  acquire(): Promise<boolean>;
  /** Ends the lease, so that another process can acquire it at once. */
  release(): Promise<void>;
}

/** Leases of several machines that use the same data. Every method may reject with STORE_UNAVAILABLE. */
export interface LeaseStore {
  /**
   * Acquires or extends a lease, unless another holder has acquired or extended it within the last `duration`.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @param duration milliseconds
   * @returns whether `holder` has the lease
   */
  acquire(name: string, holder: string, now: number, duration: number): Promise<boolean>;
  /** Ends a lease, so that another holder can acquire it at once. Does nothing if `holder` does not have the lease. */
  release(name: string, holder: string): Promise<void>;
}
