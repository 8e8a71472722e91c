import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimit, Throttle } from '../../application/ports/throttle.js';

/** Counts of attempts in memory. */
export class MemoryThrottle implements Throttle {
  readonly #limiters = new Map<string, RateLimiterMemory>();

  async count(key: string, limit: AttemptLimit): Promise<number> {
    try {
      await this.#limiterOf(limit).consume(key);
      return 0;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
  }

  async forget(key: string, limit: AttemptLimit): Promise<void> {
    await this.#limiterOf(limit).reward(key);
  }

  async clear(key: string, limit: AttemptLimit): Promise<void> {
    await this.#limiterOf(limit).delete(key);
  }

  /** Each count goes by itself when it expires. */
  async purge(): Promise<void> {}

  #limiterOf({ attempts, seconds }: AttemptLimit): RateLimiterMemory {
    const keyPrefix = `${attempts}/${seconds}`;
    const known = this.#limiters.get(keyPrefix);
    if (known !== undefined) return known;
    const made = new RateLimiterMemory({ keyPrefix, points: attempts, duration: seconds });
    this.#limiters.set(keyPrefix, made);
    return made;
  }
}
