import { Piscina } from 'piscina';
import type { PasswordHasher } from '../../application/ports/password-hasher.js';
import { DomainError } from '../../domain/domain-error.js';
import type { Task } from './hashing-worker.js';

/** Hashes that may wait for the thread, of sign-ins one for each network: about three seconds' worth on one core. */
const MAX_QUEUE = 128;
/** Seconds after which a refused caller may come back. */
const RETRY_AFTER = 2;

/** argon2id in a worker thread of its own, one hash at a time. */
export class Argon2PasswordHasher implements PasswordHasher {
  /** Of 32 random bytes that nobody kept, with the parameters of the worker. */
  readonly decoy =
    '$argon2id$v=19$m=19456,t=2,p=1$jirtmAHXhaHWcXjbJBuWaA$+GRv09C6rTrVtS1/MupzvGf27989X7ZYgBkq6nCl6Go';
  readonly #pool: Piscina;

  constructor(maxQueue = MAX_QUEUE) {
    this.#pool = new Piscina({
      filename: new URL('./hashing-worker.js', import.meta.url).href,
      // The thread starts with the first sign-in and stays: a service at rest does not pay for it.
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
    // Not left to the pool's own refusal, which is told from other failures by its text alone.
    if (this.#pool.queueSize >= this.#pool.options.maxQueue) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many sign in at once. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    }
    return (await this.#pool.run(task)) as string | boolean;
  }
}
