import type { Clock } from '#application/ports/clock.js';

/**
 * When this program was loaded, in milliseconds since 1970. Before that, `npm start` may have installed and built for minutes in
 * the same process.
 */
export const LOADED_AT = performance.timeOrigin + performance.now();

/** The clock of this machine. */
export class SystemClock implements Clock {
  /** Milliseconds that the service ran before this process. */
  readonly #before: number;

  /** @param startedAt start of the service in milliseconds since 1970; by default that of this program */
  constructor(startedAt = LOADED_AT) {
    this.#before = performance.timeOrigin - startedAt;
  }

  now(): number {
    return Date.now();
  }

  uptime(): number {
    // Monotonic, with its zero at the start of the service.
    return this.#before + performance.now();
  }
}
