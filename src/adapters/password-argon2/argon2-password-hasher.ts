import { Piscina } from 'piscina';
import type { PasswordHasher } from '../../application/ports/password-hasher.js';
import { DomainError } from '../../domain/domain-error.js';
import type { Task } from './hashing-worker.js';

/**
 * Largest number of hashes in the queue, with one sign-in for each network: about three seconds of work on one core.
 */
const MAX_QUEUE = 128;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 2;

/** argon2id in one worker thread, one hash at a time. */
export class Argon2PasswordHasher implements PasswordHasher {
  /** Hash of 32 random bytes that were not kept, with the parameters of the worker. */
  readonly decoy =
    '$argon2id$v=19$m=19456,t=2,p=1$jirtmAHXhaHWcXjbJBuWaA$+GRv09C6rTrVtS1/MupzvGf27989X7ZYgBkq6nCl6Go';
  readonly #pool: Piscina;

  constructor(maxQueue = MAX_QUEUE) {
    this.#pool = new Piscina({
      filename: new URL('./hashing-worker.js', import.meta.url).href,
      // The thread starts at the first sign-in and stays. An idle service does not pay for it.
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      maxQueue,
      recordTiming: false,
    });
  }

  async hash(password: string): Promise<string> {
    return (await this.#run({ password })) as string;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    return (await this.#run({ password, hash })) as boolean;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #run(task: Task): Promise<string | boolean> {
    // Checked here, because the error of the pool differs from other errors only by its message.
    if (this.#pool.queueSize >= this.#pool.options.maxQueue) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many sign in at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    return (await this.#pool.run(task)) as string | boolean;
  }
}
