import { slowText } from './slow-thread.js';
import { type ThreadCall, Thread, type ThreadOptions } from './thread.js';

/** Milliseconds after which a call fails if there is no answer. The time in which the first thread starts does not count. */
const ANSWER_TIMEOUT = 10_000;
/** Milliseconds after which the start of a thread fails. On a busy machine a start takes many times its 0.1 s. */
const START_TIMEOUT = 60_000;
/** Maximum number of waiting calls. Further calls fail. */
const MAX_QUEUE = 10_000;

export interface ThreadsOptions extends Omit<ThreadOptions, 'startTimeout'> {
  readonly count: number;
  /** Milliseconds until a call fails without an answer. Default: ANSWER_TIMEOUT. */
  readonly answerTimeout?: number;
  /** Milliseconds until the start of a thread fails. Default: START_TIMEOUT. */
  readonly startTimeout?: number;
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
  readonly #startTimeout: number;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#answerTimeout = options.answerTimeout ?? ANSWER_TIMEOUT;
    this.#startTimeout = options.startTimeout ?? START_TIMEOUT;
    const [onFree, onReady] = [() => this.#next(), () => this.#beginQueued()];
    const ofThread = { ...options, startTimeout: this.#startTimeout };
    this.#threads = Array.from({ length: options.count }, () => new Thread(ofThread, onFree, onReady));
  }

  /**
   * Runs an operation. Rejects with the error of the operation, or after `limit` milliseconds without an answer. An operation
   * that has not begun by then is never run. The limit counts while the operation waits for others, but only from the moment at
   * which a thread is ready: a thread that starts for this call has `startTimeout` milliseconds to load its modules.
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
      let [hasBegun, hasEnded] = [false, false];
      const end = () => {
        hasEnded = true;
        clearTimeout(timer);
      };
      const giveUpAfter = (time: number, what: 'answer' | 'start') => {
        clearTimeout(timer);
        if (!hasEnded && limit < Infinity)
          timer = setTimeout(() => this.#giveUp(call, slowText(what, time)), time);
      };
      const call: ThreadCall = {
        message: { operation, parameters },
        transferList,
        limit,
        begin: () => {
          if (hasBegun) return;
          hasBegun = true;
          giveUpAfter(limit, 'answer');
        },
        resolve: (result) => {
          end();
          resolve(result);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#queue.push(call);
      this.#next();
      if (this.#queue.at(-1) === call && this.#threads.some((thread) => thread.isReady)) call.begin();
      if (!hasBegun) giveUpAfter(this.#startTimeout, 'start');
    });
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
        begin: () => undefined,
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

  #beginQueued(): void {
    for (const call of this.#queue) call.begin();
  }

  #giveUp(call: ThreadCall, reason: string): void {
    const index = this.#queue.indexOf(call);
    if (index !== -1) this.#queue.splice(index, 1);
    call.reject(new Error(reason));
  }
}
