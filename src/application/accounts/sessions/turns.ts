import { DomainError } from '#domain/domain-error.js';

/** Number of tasks that may wait for one key: password hashes of about three seconds on one core. */
const MAX_WAITING = 128;
/** Value of Retry-After for a refused caller, in seconds. */
const RETRY_AFTER = 2;

interface Line {
  /** Resolves when the last task of the queue has ended. */
  last: Promise<void>;
  length: number;
}

/**
 * Runs work one at a time for each key, in the order in which it was called. Different keys do not wait for each other.
 * With the network of the client as the key, each network has at most one password in the queue of the hashing thread,
 * so that the thread serves the networks by turns, however many sign-ins one of them sends.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /** @throws DomainError SERVICE_UNAVAILABLE when too many wait for this key; and whatever `work` rejects with */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > MAX_WAITING) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many sign in at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    this.#lines.set(key, line);
    line.length += 1;
    const result = line.last.then(work);
    line.last = result.then(nothing, nothing);
    try {
      return await result;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    }
  }
}

function nothing(): void {}
