import { Piscina } from 'piscina';
import { DomainError } from '../../domain/domain-error.js';

/** Number of successive checks without an answer after which threads that have work are replaced: ten seconds. */
const STALLED_CHECKS = 33;
/** Milliseconds for the answer to a probe, the start of a thread included. */
const PROBE_TIMEOUT = 5000;

export interface LazyThreadsOptions {
  /** URL of the module that the threads run. */
  readonly filename: string;
  readonly maxThreads: number;
  /** Milliseconds after which an idle thread ends. */
  readonly idleTimeout: number;
  /** A small task. A thread that answers it works. */
  readonly probe: unknown;
}

/**
 * Threads that start when they are needed, and a check of them. A thread that has ended unexpectedly is replaced, and so
 * are threads that do not answer. The class is here for the same reason as `lowerThreadPriority`.
 */
export class LazyThreads {
  readonly #options: LazyThreadsOptions;
  #pool: Piscina | undefined;
  /** Number of tasks without an answer, and number of answers. */
  #pending = 0;
  #answers = 0;
  /** Number of answers at the last check, and of successive checks at which it was the same. */
  #answersSeen = 0;
  #unchanged = 0;
  /** Whether a thread has ended unexpectedly, and none has answered a probe since then. */
  #hasEnded = false;
  #closed = false;

  constructor(options: LazyThreadsOptions) {
    this.#options = options;
  }

  /** Number of tasks that no thread has taken yet. */
  get queueSize(): number {
    return this.#pool?.queueSize ?? 0;
  }

  /** Runs a task. Rejects with its error, or if its thread ends. */
  async run(
    task: unknown,
    options: { transferList?: ArrayBuffer[]; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    if (this.#closed) throw new Error('it has been closed');
    this.#pool ??= this.#start();
    this.#pending += 1;
    try {
      return await this.#pool.run(task, options);
    } finally {
      this.#pending -= 1;
      this.#answers += 1;
    }
  }

  /**
   * Expects an answer where there is work, and replaces threads that give none. After a thread has ended unexpectedly it
   * runs the probe, which starts another one. Apart from that it starts no thread. It must be called regularly, because
   * progress is measured from one call to the next.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if the threads do not work
   */
  async check(): Promise<undefined> {
    const hasAnswered = this.#pending === 0 || this.#answers !== this.#answersSeen;
    this.#unchanged = hasAnswered ? 0 : this.#unchanged + 1;
    this.#answersSeen = this.#answers;
    if (this.#unchanged >= STALLED_CHECKS) {
      this.#unchanged = 0;
      this.#replace();
      throw new DomainError('SERVICE_UNAVAILABLE', 'A thread gave no answer and was replaced.');
    }
    if (!this.#hasEnded) return;
    this.#hasEnded = false;
    try {
      await this.run(this.#options.probe, { signal: AbortSignal.timeout(PROBE_TIMEOUT) });
    } catch (cause) {
      this.#hasEnded = true;
      throw new DomainError('SERVICE_UNAVAILABLE', 'A thread has ended and cannot be replaced.', { cause });
    }
  }

  /** Ends the threads after the tasks that have been accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #start(): Piscina {
    const { filename, maxThreads, idleTimeout } = this.#options;
    const pool = new Piscina({ filename, maxThreads, idleTimeout, minThreads: 0, recordTiming: false });
    pool.on('workerDestroy', () => {
      // A thread that ends after being idle is not a fault.
      if (this.#pool === pool && !this.#closed && (this.#pending > 0 || idleTimeout === Infinity))
        this.#hasEnded = true;
    });
    // An error outside of a task, for example at the start of a thread. The pool would let the waiting tasks wait for ever.
    pool.on('error', () => {
      if (this.#pool === pool) this.#replace();
    });
    return pool;
  }

  /** Ends the threads. Their tasks fail; the next task starts new threads. */
  #replace(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#hasEnded = true;
    // Not awaited: a thread that is stuck in the kernel may never end.
    void pool?.destroy();
  }
}
