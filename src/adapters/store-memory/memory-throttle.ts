import type { Throttle } from '../../application/ports/throttle.js';
import {
  type AttemptCounter,
  type AttemptTally,
  countAttempt,
  tallyLimits,
  waitBeforeAttempt,
} from '../../domain/accounts/attempts.js';

/** Counts of attempts in memory. */
export class MemoryThrottle implements Throttle {
  readonly #tallies = new Map<string, AttemptTally>();

  async count(counters: readonly AttemptCounter[]): Promise<number> {
    const now = Date.now();
    const limits = [...limitsOf(counters)];
    const waits = limits.map(([key, limit]) => waitBeforeAttempt(this.#tallies.get(key), limit, now));
    const wait = Math.max(0, ...waits);
    if (wait > 0) return wait;
    for (const [key, limit] of limits)
      this.#tallies.set(key, countAttempt(this.#tallies.get(key), limit, now));
    return 0;
  }

  async forget(counters: readonly AttemptCounter[]): Promise<void> {
    for (const [key] of limitsOf(counters)) {
      const tally = this.#tallies.get(key);
      if (tally !== undefined) this.#tallies.set(key, { ...tally, points: Math.max(0, tally.points - 1) });
    }
  }

  async clear(cleared: readonly AttemptCounter[], forgotten: readonly AttemptCounter[]): Promise<void> {
    for (const [key] of limitsOf(cleared)) this.#tallies.delete(key);
    await this.forget(forgotten);
  }

  async purge(): Promise<void> {
    const now = Date.now();
    for (const [key, { expire }] of this.#tallies) if (expire < now) this.#tallies.delete(key);
  }
}

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => key);
}
