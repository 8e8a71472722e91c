import type { PasswordHasher } from '#application/ports/password-hasher.js';
import { DomainError } from '#domain/domain-error.js';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import type { Task } from './hashing-worker.js';

/** Maximum number of waiting hashes: about three seconds of work on one core. Each network has at most one sign-in in the queue. */
const MAX_QUEUE = 128;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 2;

/** Hashes passwords with argon2id in one worker thread, one at a time. */
export class Argon2PasswordHasher implements PasswordHasher {
  /**
   * A hash that no password matches: it is made from 32 random bytes that are stored nowhere. It has the parameters of the
   * worker, so that verifying it takes as long as verifying a real hash.
   */
  readonly decoy =
    '$argon2id$v=19$m=19456,t=2,p=1$jirtmAHXhaHWcXjbJBuWaA$+GRv09C6rTrVtS1/MupzvGf27989X7ZYgBkq6nCl6Go';
  readonly name = 'password hashing';
  readonly #maxQueue: number;
  readonly #threads = new LazyThreads({
    filename: new URL('./hashing-worker.js', import.meta.url).href,
    maxThreads: 1,
    // The thread starts at the first sign-in and then never ends. A service without sign-ins has no such thread.
    idleTimeout: Infinity,
    probe: { password: '' } satisfies Task,
  });

  constructor(maxQueue = MAX_QUEUE) {
    this.#maxQueue = maxQueue;
  }

  async hash(password: string): Promise<string> {
    return (await this.#run({ password })) as string;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    return (await this.#run({ password, hash })) as boolean;
  }

  check(): Promise<undefined> {
    return this.#threads.check();
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #run(task: Task): Promise<string | boolean> {
    if (this.#threads.queueSize >= this.#maxQueue) {
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many users sign in at the same time. Try again shortly.',
        {
          retryAfter: RETRY_AFTER,
        },
      );
    }
    return (await this.#threads.run(task)) as string | boolean;
  }
}
