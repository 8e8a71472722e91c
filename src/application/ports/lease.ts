/** The right to do work that one process at a time does on the same data. */
export interface Lease {
  /** Whether this process has it. */
  readonly isHeld: boolean;
  /**
   * Takes or extends it. It ends with the process, at once or some time later.
   *
   * @returns whether this process has it. Rejects if that cannot be found out
   */
  hold(): Promise<boolean>;
  /** Lets another process have it at once. */
  release(): Promise<void>;
}

/** Leases of several machines that use the same data. Every method may reject with STORE_UNAVAILABLE. */
export interface LeaseStore {
  /**
   * Takes or extends a lease, unless another holder has taken it less than `duration` ago.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @param duration milliseconds
   * @returns whether `holder` has it
   */
  take(name: string, holder: string, now: number, duration: number): Promise<boolean>;
  /** Lets another holder have a lease at once. Does nothing if `holder` does not have it. */
  release(name: string, holder: string): Promise<void>;
}
