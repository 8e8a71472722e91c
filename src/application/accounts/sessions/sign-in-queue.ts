import { DomainError } from '#domain/domain-error.js';
import { KeyedQueue } from '../../keyed-queue.js';

/** Number of passwords that may wait for one key: hashes of about three seconds on one core. */
const MAX_WAITING = 128;
/** Value of Retry-After for a refused caller, in seconds. */
const RETRY_AFTER = 2;

/**
 * Checks of passwords, one at a time for each key. With the network of the client as the key, each network has at most one
 * password in the queue of the hashing thread, so that the thread serves the networks by turns, however many sign-ins one of
 * them sends.
 */
export class SignInQueue {
  readonly #queue = new KeyedQueue();

  /** @throws DomainError SERVICE_UNAVAILABLE when too many wait for this key; and whatever `work` rejects with */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#queue.lengthOf(key) > MAX_WAITING) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many sign in at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    return await this.#queue.run(key, work);
  }
}
