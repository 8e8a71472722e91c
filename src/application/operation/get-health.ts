import { humanDuration } from '#domain/duration.js';
import type { Clock } from '../ports/clock.js';

export interface Health {
  /** Seconds since the process started, with a fraction. */
  readonly uptime: number;
  /** The uptime as text for people; see `humanDuration`. */
  readonly uptimeHuman: string;
}

/** Returns how long the service has been running. */
export class GetHealth {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  execute(): Health {
    const milliseconds = this.#clock.uptime();
    return { uptime: milliseconds / 1000, uptimeHuman: humanDuration(milliseconds) };
  }
}
