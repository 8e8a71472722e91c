import type { Clock } from '../../application/ports/clock.js';

/** The clock of this machine. */
export class SystemClock implements Clock {
  /** Milliseconds that the service ran before this process. */
  readonly #before: number;

  /** @param startedAt start of the service in milliseconds since 1970; by default that of this process */
  constructor(startedAt = performance.timeOrigin) {
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
