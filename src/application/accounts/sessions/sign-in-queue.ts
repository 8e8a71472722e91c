import { DomainError } from '#domain/domain-error.js';
import { KeyedQueue } from '../../keyed-queue.js';

/**
 * Largest number of passwords that wait for their check, for each key. The key is, for example, the network of the client.
 * Hashing 128 passwords takes about three seconds on one core.
 */
const MAX_WAITING = 128;
/** Value of Retry-After for a refused caller, in seconds. */
const RETRY_AFTER = 2;

/**
 * Runs checks of passwords, one at a time for each key. If the key is the network of the client, each network has at most one
 * password in the queue of the hashing thread. So the thread serves the networks in turn, however many sign-ins one network
 * sends.
 */
export class SignInQueue {
  readonly #queue = new KeyedQueue();

  /** @throws DomainError SERVICE_UNAVAILABLE if too many calls wait for this key; and the errors of `work` */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#queue.lengthOf(key) > MAX_WAITING) {
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many users are signing in at the same time. Try again shortly.',
        { retryAfter: RETRY_AFTER },
      );
    }
    return await this.#queue.run(key, work);
  }
}
