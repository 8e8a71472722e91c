/** The only source of the time for use-cases. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970-01-01T00:00:00Z. May jump when the system's clock is set. */
  now(): number;
  /** Milliseconds, with a fraction, since this process started. Never jumps and never goes back. */
  uptime(): number;
}
