import { STEPS, WRITE_FAULT } from './progress.js';
import { slowText } from './slow-thread.js';
import { StartedThread, type ThreadKind } from './started-thread.js';

/** Number of successive checks without progress after which a busy thread is reported as hanging. */
const STALLED_CHECKS = 2;

/** A call of the default function of the thread's module. */
export interface ThreadCall {
  readonly message: { readonly operation: string; readonly parameters: readonly unknown[] };
  readonly transferList: ArrayBuffer[];
  /** Maximum duration of the call in milliseconds, from the moment at which the thread is ready. */
  readonly limit: number;
  /** Called when the thread is ready to run the call. May be called more than once. */
  readonly begin: () => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadOptions extends ThreadKind {
  /** The data file. Each call names it, because a thread may have worked for another file before. */
  readonly file: string;
  /**
   * Behavior when a call exceeds its time limit. `always` terminates the thread, because nobody uses the result of the call any
   * more. `stalled` terminates the thread only if the thread makes no progress, so that a slow call can finish.
   */
  readonly terminate: 'always' | 'stalled';
  /** Milliseconds that a thread may take to load its modules. */
  readonly startTimeout: number;
}

/** One thread. If the thread ends or hangs, a new thread replaces it. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #onFree: () => void;
  readonly #onReady: () => void;
  #started: StartedThread | undefined;
  #call: ThreadCall | undefined;
  #limit: NodeJS.Timeout | undefined;
  #fault: Error | undefined;
  /**
   * Number of steps at the last check. The thread counts a step before and after each SQL statement, so a rising number shows
   * that the thread makes progress.
   */
  #stepsSeen = -1;
  /**
   * Number of steps (counted before and after each SQL statement) at the start of the thread. As long as the number is the same,
   * the thread still loads its modules, and is not regarded as hanging.
   */
  #stepsAtStart = 0;
  /**
   * Number of successive checks in which the busy thread has made no further step. A step is counted before and after each SQL
   * statement.
   */
  #unchanged = 0;

  /** @param onReady called when the thread has loaded its modules */
  constructor(options: ThreadOptions, onFree: () => void, onReady: () => void) {
    this.#options = options;
    this.#onFree = onFree;
    this.#onReady = onReady;
  }

  get isFree(): boolean {
    return this.#call === undefined;
  }

  get isStarted(): boolean {
    return this.#started !== undefined;
  }

  /** Whether the thread has loaded its modules, so that a call runs at once or after the current call. */
  get isReady(): boolean {
    return this.#started?.isReady === true;
  }

  get cannotWrite(): boolean {
    return this.#started !== undefined && Atomics.load(this.#started.shared, WRITE_FAULT) !== 0;
  }

  /** Runs a call. The thread must be free. */
  run(call: ThreadCall): void {
    this.#call = call;
    const started = (this.#started ??= this.#start());
    if (started.isReady) this.#begin(started, call);
    else if (call.limit < Infinity) this.#watchStart(call);
    started
      .run({ ...call.message, file: this.#options.file }, call.transferList)
      .then(call.resolve, call.reject)
      .finally(() => {
        // If the thread was replaced during this call, the next call may already be running.
        if (this.#call !== call) return;
        this.#free();
      });
  }

  /**
   * Checks that a busy thread has made a step since the last check. A working thread makes several steps between two checks,
   * because each statement counts as two steps.
   *
   * @throws Error if the thread has ended unexpectedly since the last check, or hangs
   */
  assertProgress(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) throw fault;
    if (this.#started === undefined) return;
    const steps = Atomics.load(this.#started.shared, STEPS);
    const isBusy = !this.isFree && steps !== this.#stepsAtStart;
    this.#unchanged = isBusy && steps === this.#stepsSeen ? this.#unchanged + 1 : 0;
    this.#stepsSeen = steps;
    if (this.#unchanged >= STALLED_CHECKS) throw new Error('a thread of the data file makes no progress');
  }

  /**
   * Keeps the thread for the next caller in this process that needs one. The file must be closed. A thread that is still busy is
   * terminated instead.
   */
  async release(): Promise<void> {
    if (!this.isFree) return await this.destroy();
    this.#started?.release();
    this.#started = undefined;
  }

  async destroy(): Promise<void> {
    clearTimeout(this.#limit);
    const started = this.#started;
    this.#started = undefined;
    await started?.destroy();
  }

  /** Measures the limit of the call from now. */
  #begin(started: StartedThread, call: ThreadCall): void {
    clearTimeout(this.#limit);
    call.begin();
    if (call.limit < Infinity) this.#watch(started, call.limit, Atomics.load(started.shared, STEPS));
  }

  /** Terminates the thread if it does not become ready in time, for example because the disk with its modules hangs. */
  #watchStart(call: ThreadCall): void {
    const limit = this.#options.startTimeout;
    this.#limit = setTimeout(() => {
      call.reject(new Error(slowText('start', limit)));
      this.#replace(`start within ${limit} ms`);
    }, limit).unref();
  }

  /**
   * Terminates the thread if a call takes longer than `limit` milliseconds. If `terminate` is `stalled` and the thread has made a
   * step in this time, the thread gets the same time once more.
   */
  #watch(started: StartedThread, limit: number, steps: number): void {
    this.#limit = setTimeout(() => {
      const now = Atomics.load(started.shared, STEPS);
      if (this.#options.terminate === 'always' || now === steps) this.#replace(`answer within ${limit} ms`);
      else this.#watch(started, limit, now);
    }, limit).unref();
  }

  /** @param missed what the thread did not do in time */
  #replace(missed: string): void {
    // Not awaited: a thread that is stuck in the kernel may never end.
    void this.#started?.destroy();
    this.#started = undefined;
    this.#fault = new Error(`a thread of the data file did not ${missed} and was replaced`);
    this.#free();
  }

  #free(): void {
    clearTimeout(this.#limit);
    this.#call = undefined;
    this.#onFree();
  }

  #start(): StartedThread {
    const started = StartedThread.take(this.#options, {
      onReady: () => {
        if (this.#call !== undefined) this.#begin(started, this.#call);
        this.#onReady();
      },
      onEnd: (reason, wasReady) => {
        this.#fault = new Error('a thread of the data file ended unexpectedly', { cause: reason });
        if (!wasReady) this.#failStart(reason);
      },
    });
    this.#stepsAtStart = Atomics.load(started.shared, STEPS);
    this.#stepsSeen = -1;
    this.#unchanged = 0;
    return started;
  }

  /** Rejects the call for which the thread was started. The pool itself would let the call wait for ever. */
  #failStart(reason: Error | undefined): void {
    const why = reason?.message ?? 'the thread ended while its modules were loaded';
    this.#call?.reject(new Error(`a thread of the data file cannot start: ${why}`, { cause: reason }));
    void this.#started?.destroy();
    this.#started = undefined;
    if (this.#call !== undefined) this.#free();
  }
}
