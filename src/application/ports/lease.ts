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
