/** The only source of the time for use-cases. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970-01-01T00:00:00Z. It may jump when the system clock is set. */
  now(): number;
  /** Milliseconds, with a fraction, since this process started. The value never decreases. */
  uptime(): number;
}
