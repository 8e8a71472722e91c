import { type ThreadCall, Thread, type ThreadOptions } from './thread.js';

/** Milliseconds after which a call fails if there is no answer. */
const ANSWER_TIMEOUT = 10_000;
/** Maximum number of waiting calls. Further calls fail. */
const MAX_QUEUE = 10_000;

export interface ThreadsOptions extends ThreadOptions {
  readonly count: number;
  /** Milliseconds until a call fails without an answer. Default: ANSWER_TIMEOUT. */
  readonly answerTimeout?: number;
}

/**
 * Threads that run the same module. Each thread runs one call at a time, and further calls wait in order of arrival. A thread
 * starts with its first call. A thread that does not answer is terminated and replaced.
 */
export class Threads {
  readonly #threads: readonly Thread[];
  readonly #queue: ThreadCall[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  readonly #answerTimeout: number;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#answerTimeout = options.answerTimeout ?? ANSWER_TIMEOUT;
    this.#threads = Array.from({ length: options.count }, () => new Thread(options, () => this.#next()));
  }

  /**
   * Runs an operation. Rejects with the error of the operation, or after `limit` milliseconds without an answer. An operation
   * that has not begun by then is never run.
   */
  run(
    operation: string,
    parameters: readonly unknown[],
    transferList: ArrayBuffer[] = [],
    limit = this.#answerTimeout,
  ): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('the data file has been closed'));
    if (this.#queue.length >= MAX_QUEUE)
      return Promise.reject(new Error('too many calls wait for the data file'));
    const answer = new Promise<unknown>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const call: ThreadCall = {
        message: { operation, parameters },
        transferList,
        limit,
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      if (limit < Infinity) timer = setTimeout(() => this.#giveUp(call, limit), limit);
      this.#queue.push(call);
    });
    this.#next();
    this.#pending.add(answer);
    answer.catch(() => undefined).finally(() => this.#pending.delete(answer));
    return answer;
  }

  /** Whether a thread has been started. Threads start when they are first needed. */
  get isStarted(): boolean {
    return this.#threads.some((thread) => thread.isStarted);
  }

  /** Whether all threads are busy. */
  get areBusy(): boolean {
    return this.#threads.every((thread) => !thread.isFree);
  }

  /** Whether the last attempt of a thread to write to the file has failed. */
  get cannotWrite(): boolean {
    return this.#threads.some((thread) => thread.cannotWrite);
  }

  /**
   * Runs `operation` in each started thread that is free, and checks the progress of each busy thread. Call it regularly, because
   * progress is measured from one call to the next.
   *
   * @throws Error if a thread has ended unexpectedly since the last call, makes no progress, or fails
   */
  async check(operation: string): Promise<void> {
    const started = this.#threads.filter((thread) => thread.isStarted);
    for (const thread of this.#threads) thread.assertProgress();
    const answers = started.filter((thread) => thread.isFree).map((thread) => this.#runIn(thread, operation));
    await Promise.all(answers);
  }

  /**
   * Waits for the pending calls, runs the operation `close` in each started thread, and keeps the threads for the next caller in
   * this process that needs them. Rejects if a thread cannot close the file.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#pending);
    const free = this.#threads.filter((thread) => thread.isStarted && thread.isFree);
    try {
      await Promise.all(free.map((thread) => this.#runIn(thread, 'close')));
    } catch (error) {
      await this.destroy();
      throw error;
    }
    await Promise.all(this.#threads.map((thread) => thread.release()));
  }

  /** Ends the threads at once. */
  async destroy(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.destroy()));
  }

  #runIn(thread: Thread, operation: string): Promise<unknown> {
    return new Promise((resolve, reject) =>
      thread.run({
        message: { operation, parameters: [] },
        transferList: [],
        limit: this.#answerTimeout,
        resolve,
        reject,
      }),
    );
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const free = this.#threads.find((thread) => thread.isFree);
      if (free === undefined) return;
      free.run(this.#queue.shift() as ThreadCall);
    }
  }

  #giveUp(call: ThreadCall, limit: number): void {
    const index = this.#queue.indexOf(call);
    if (index !== -1) this.#queue.splice(index, 1);
    call.reject(new Error(`a thread of the data file did not answer within ${limit} ms`));
  }
}
