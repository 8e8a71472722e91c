import type { Check } from './ports/check.js';
import type { Clock } from './ports/clock.js';

/** Milliseconds between two rounds of checks. */
export const CHECK_INTERVAL = 300;

/**
 * Milliseconds that a success counts for. Together with the interval it lets a store that hangs, and so never
 * fails outright, be noticed within a second, without a timer for each check.
 */
export const SUCCESS_LIFETIME = 900;

interface Watched {
  readonly check: Check;
  pending: boolean;
  succeededAt: number;
  healthy: boolean;
}

/** Is told when a check changes its mind; `reason` is undefined when it works again. */
export type HealthObserver = (name: string, healthy: boolean, reason: unknown) => void;

/** Runs the checks in the background, so that a poll of liveliness costs nothing and cannot be made to wait. */
export class MonitorHealth {
  readonly #clock: Clock;
  readonly #watched: readonly Watched[];
  readonly #observer: HealthObserver;
  #closing = false;

  constructor(clock: Clock, checks: readonly Check[], observer: HealthObserver) {
    this.#clock = clock;
    this.#observer = observer;
    this.#watched = checks.map((check) => ({ check, pending: false, succeededAt: -Infinity, healthy: true }));
  }

  /** Starts every check that is not still running. Resolves when those have answered; never rejects. */
  async execute(): Promise<void> {
    await Promise.all(this.#watched.map((watched) => this.#run(watched)));
  }

  /** Whether every check has succeeded lately and the service is not about to end. */
  isAlive(): boolean {
    if (this.#closing) return false;
    const oldest = this.#clock.uptime() - SUCCESS_LIFETIME;
    return this.#watched.every(({ succeededAt }) => succeededAt >= oldest);
  }

  /** From now on the service is not alive, whatever the checks say. */
  beginShutdown(): void {
    this.#closing = true;
  }

  async #run(watched: Watched): Promise<void> {
    if (watched.pending) {
      if (watched.succeededAt < this.#clock.uptime() - SUCCESS_LIFETIME) {
        this.#report(watched, false, new Error('no answer in time'));
      }
      return;
    }
    watched.pending = true;
    try {
      await watched.check.check();
      watched.succeededAt = this.#clock.uptime();
      this.#report(watched, true, undefined);
    } catch (reason) {
      watched.succeededAt = -Infinity;
      this.#report(watched, false, reason);
    } finally {
      watched.pending = false;
    }
  }

  #report(watched: Watched, healthy: boolean, reason: unknown): void {
    if (watched.healthy === healthy) return;
    watched.healthy = healthy;
    this.#observer(watched.check.name, healthy, reason);
  }
}
