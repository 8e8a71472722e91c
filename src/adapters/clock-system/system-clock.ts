import type { Clock } from '../../application/ports/clock.js';

/** The clock of this machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  uptime(): number {
    // Monotonic, with its zero at the start of the process.
    return performance.now();
  }
}
