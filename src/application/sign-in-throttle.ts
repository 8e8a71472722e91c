import { DomainError, isDomainError } from '../domain/domain-error.js';
import type { AttemptLimit, Throttle } from './ports/throttle.js';

/**
 * What one address, or one /64 of IPv6, may try on one account. The wait rises from a minute over a quarter of an hour
 * to its bound, an hour; in the long run that is 20 guesses an hour.
 */
export const SIGN_IN_LIMITS: readonly AttemptLimit[] = [
  { attempts: 5, seconds: 60 },
  { attempts: 10, seconds: 900 },
  { attempts: 20, seconds: 3600 },
];

/** Sign-ins that may wait for others on the same account and network; beyond it they are told to come back. */
const MAX_WAITING = 128;
/** Seconds after which they may. */
const RETRY_AFTER = 2;

/**
 * Slows down guessing, for each account and network apart: whoever guesses from elsewhere does not lock its owner out.
 * Sign-ins on one account from one network take turns, so that many at once with the right password are no guesses.
 */
export class SignInThrottle {
  readonly #throttle: Throttle;
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(throttle: Throttle) {
    this.#throttle = throttle;
  }

  /**
   * Runs one sign-in. Only a rejection with AUTH_INVALID_CREDENTIALS counts as a guess; a success forgets those before.
   *
   * @throws DomainError RATE_LIMITED with `retryAfter` after too many guesses; SERVICE_UNAVAILABLE when too many wait;
   *   and whatever `signIn` rejects with
   */
  async guard<T>(account: string, network: string | null, signIn: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many sign in at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    const key = `${account} ${network ?? ''}`;
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(() => this.#attempt(key, signIn));
    const done = turn.then(nothing, nothing);
    this.#last.set(key, done);
    this.#waiting += 1;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }

  async #attempt<T>(key: string, signIn: () => Promise<T>): Promise<T> {
    await this.#count(key);
    try {
      const result = await signIn();
      for (const limit of SIGN_IN_LIMITS) await this.#throttle.clear(key, limit);
      return result;
    } catch (error) {
      if (!isDomainError(error, 'AUTH_INVALID_CREDENTIALS')) {
        // Whoever could not be served has not guessed.
        for (const limit of SIGN_IN_LIMITS) await this.#throttle.forget(key, limit);
      }
      throw error;
    }
  }

  /** Before the outcome is known, so that guesses through several instances at once are counted too. */
  async #count(key: string): Promise<void> {
    for (const limit of SIGN_IN_LIMITS) {
      const wait = await this.#throttle.count(key, limit);
      if (wait === 0) continue;
      throw new DomainError('RATE_LIMITED', 'Too many attempts to sign in. Try again later.', {
        retryAfter: wait,
      });
    }
  }
}

function nothing(): void {}
