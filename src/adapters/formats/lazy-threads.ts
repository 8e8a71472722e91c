import { Piscina } from 'piscina';
import { DomainError } from '#domain/domain-error.js';

/**
 * Number of successive calls of `check` after which busy threads are replaced, if no task has ended meanwhile. This number of
 * calls takes ten seconds.
 */
const STALLED_CHECKS = 33;
/**
 * Milliseconds in which a thread must finish the probe, a small task that tests the thread. The start of the thread is included.
 */
const PROBE_TIMEOUT = 5000;

export const THREAD_ENDED = 'A thread has ended or cannot start.';

export interface LazyThreadsOptions {
  /** URL of the module that the threads run. */
  readonly filename: string;
  readonly maxThreads: number;
  /** Milliseconds after which an idle thread ends. */
  readonly idleTimeout: number;
  /** A small task that tests the threads. If a thread finishes the probe, the thread works. */
  readonly probe: unknown;
}

/**
 * A pool of threads that start at the first task. `check` tests whether the threads work. A thread that ends unexpectedly is
 * replaced, and so are busy threads that finish no task for a long time. The class is in this folder because all adapters may
 * import it.
 */
export class LazyThreads {
  readonly #options: LazyThreadsOptions;
  #pool: Piscina | undefined;
  /**
   * `#pending` is the number of tasks that have not ended yet. `#answers` is the number of tasks that have ended with a result or
   * with an error.
   */
  #pending = 0;
  #answers = 0;
  /**
   * `#answersSeen` is `#answers`, the number of ended tasks, at the last call of `check`. `#unchanged` is the number of
   * successive calls of `check` between which no task has ended although there were tasks.
   */
  #answersSeen = 0;
  #unchanged = 0;
  /** Whether a thread has ended unexpectedly, and no thread has finished a probe (a small test task) since then. */
  #hasEnded = false;
  /** Whether the present threads have loaded their module. */
  #areReady = false;
  /** Why a thread could not start the last time. */
  #reason: Error | undefined;
  #closed = false;

  constructor(options: LazyThreadsOptions) {
    this.#options = options;
  }

  /** Number of tasks that wait for a thread. */
  get queueSize(): number {
    return this.#pool?.queueSize ?? 0;
  }

  /** Runs a task. Rejects with its error, or with SERVICE_UNAVAILABLE if its thread ends or cannot start. */
  async run(
    task: unknown,
    options: { transferList?: ArrayBuffer[]; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    if (this.#closed) throw new Error('The pool of threads has been closed.');
    this.#pool ??= this.#start();
    this.#pending += 1;
    try {
      return await this.#pool.run(task, options);
    } catch (cause) {
      if (!isEndOfThread(cause)) throw cause;
      throw new DomainError('SERVICE_UNAVAILABLE', THREAD_ENDED, { cause: this.#reason ?? cause });
    } finally {
      this.#pending -= 1;
      this.#answers += 1;
    }
  }

  /**
   * Checks whether the threads work. It must be called regularly, because it compares the number of ended tasks with the number
   * at the previous call.
   *
   * - If tasks are waiting or running, and none has ended for `STALLED_CHECKS` calls, the threads are replaced, and the call
   *   throws an error.
   * - If a thread has ended unexpectedly, the call runs the probe (a small test task), for which another thread starts.
   * - Otherwise the call starts no thread.
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
    if (this.#hasEnded) await this.#probe();
  }

  async #probe(): Promise<void> {
    this.#hasEnded = false;
    try {
      await this.run(this.#options.probe, { signal: AbortSignal.timeout(PROBE_TIMEOUT) });
    } catch (cause) {
      this.#hasEnded = true;
      throw new DomainError('SERVICE_UNAVAILABLE', 'A thread has ended and cannot be replaced.', { cause });
    }
  }

  /** Accepts no further tasks, waits until the accepted tasks have ended, and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #start(): Piscina {
    const { filename, maxThreads, idleTimeout } = this.#options;
    const pool = new Piscina({ filename, maxThreads, idleTimeout, minThreads: 0, recordTiming: false });
    this.#reason = undefined;
    pool.on('workerCreate', () => {
      if (this.#pool === pool) this.#areReady = true;
    });
    pool.on('workerDestroy', () => {
      // A thread that ends after being idle is not a fault.
      if (this.#pool !== pool || this.#closed || (this.#pending === 0 && idleTimeout < Infinity)) return;
      this.#hasEnded = true;
      // `#goOn` is called a moment later, because at this event the pool has not yet removed the thread, nor emitted its error.
      queueMicrotask(() => this.#goOn(pool));
    });
    // This is an error outside of a task, for example at the start of a thread.
    pool.on('error', (error) => {
      if (this.#pool !== pool) return;
      this.#reason = error;
      this.#replace();
    });
    return pool;
  }

  /** Starts a thread if the pool has none, because waiting tasks would wait for ever. If no thread can start, the tasks fail. */
  #goOn(pool: Piscina): void {
    if (this.#pool !== pool || pool.threads.length > 0 || pool.queueSize === 0) return;
    if (!this.#areReady) return this.#replace();
    this.#areReady = false;
    void this.#probe().catch(() => undefined);
  }

  /** Ends the threads. Their tasks fail; the next task starts new threads. */
  #replace(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#hasEnded = true;
    this.#areReady = false;
    // The end of the threads is not awaited, because a thread that is stuck in the kernel may never end.
    void pool?.destroy();
  }
}

/** Whether a task failed because its thread ended, rather than with an error of its own. */
function isEndOfThread(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory || /^(?:Terminating worker thread$|worker exited with code)/.test(error.message);
}
