import type { Clock } from '#application/ports/clock.js';

/**
 * Time at which this module was loaded, in milliseconds since 1970. It is used as the start of the service, because `npm start` may
 * first spend minutes on installation and build in the same process.
 */
export const LOADED_AT = performance.timeOrigin + performance.now();

/** The clock of the operating system. */
export class SystemClock implements Clock {
  /**
   * Start of the process minus start of the service, in milliseconds. Positive in a worker process that was started later, negative
   * if the process first installed and built the service.
   */
  readonly #offset: number;

  /** @param startedAt start of the service in milliseconds since 1970; by default the time at which this module was loaded */
  constructor(startedAt = LOADED_AT) {
    this.#offset = performance.timeOrigin - startedAt;
  }

  now(): number {
    return Date.now();
  }

  uptime(): number {
    // `performance.now()` is used, because it never goes back. `Date.now()` can go back when the clock of the machine is set.
    return this.#offset + performance.now();
  }
}
