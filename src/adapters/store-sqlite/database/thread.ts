import { Piscina } from 'piscina';
import { SHARED_BYTES, STEPS, type ThreadData, WRITE_FAULT } from './progress.js';

/** Number of successive checks without progress after which a busy thread is reported as hanging. */
const STALLED_CHECKS = 2;

/**
 * Limit of V8's heap for young objects. The limit can be small, because columns are outside of this heap. Without a limit, young
 * objects take up to 48 MB in each thread.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12 } as const;

/** A call of the default function of the thread's module. */
export interface ThreadCall {
  readonly message: { readonly operation: string; readonly parameters: readonly unknown[] };
  readonly transferList: ArrayBuffer[];
  /** Maximum duration of the call in milliseconds. */
  readonly limit: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadOptions {
  /** The module that the threads run. */
  readonly filename: string;
  readonly file: string;
  readonly hasLowPriority: boolean;
  /**
   * Behavior when a call exceeds its time limit. `always` terminates the thread, because nobody uses the result of the call any
   * more. `stalled` terminates the thread only if the thread makes no progress, so that a slow call can finish.
   */
  readonly terminate: 'always' | 'stalled';
}

/** One thread. If the thread ends or hangs, a new thread replaces it. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #onFree: () => void;
  readonly #shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
  #pool: Piscina | undefined;
  #call: ThreadCall | undefined;
  #limit: NodeJS.Timeout | undefined;
  #fault: Error | undefined;
  /** Number of steps at the last check. */
  #stepsSeen = -1;
  /** Number of steps at the start of the thread. The number does not rise while the thread loads its modules. */
  #stepsAtStart = 0;
  /** Number of successive checks without a further step. */
  #unchanged = 0;

  constructor(options: ThreadOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#call === undefined;
  }

  get isStarted(): boolean {
    return this.#pool !== undefined;
  }

  get cannotWrite(): boolean {
    return Atomics.load(this.#shared, WRITE_FAULT) !== 0;
  }

  /** Runs a call. The thread must be free. */
  run(call: ThreadCall): void {
    this.#call = call;
    if (call.limit < Infinity) this.#watch(call.limit, Atomics.load(this.#shared, STEPS));
    const pool = (this.#pool ??= this.#start());
    pool
      .run(call.message, { transferList: call.transferList })
      .then(call.resolve, call.reject)
      .finally(() => {
        // If the thread was replaced during this call, the next call may already be running.
        if (this.#call !== call) return;
        this.#free();
      });
  }

  /**
   * Checks that a busy thread has made a step since the last check. A thread makes several steps between two checks.
   *
   * @throws Error if the thread has ended unexpectedly since the last check, or hangs
   */
  assertProgress(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) throw fault;
    const steps = Atomics.load(this.#shared, STEPS);
    const isBusy = !this.isFree && steps !== this.#stepsAtStart;
    this.#unchanged = isBusy && steps === this.#stepsSeen ? this.#unchanged + 1 : 0;
    this.#stepsSeen = steps;
    if (this.#unchanged >= STALLED_CHECKS) throw new Error('a thread of the data file makes no progress');
  }

  async destroy(): Promise<void> {
    clearTimeout(this.#limit);
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  /** Terminates the thread if a call takes longer than its limit, depending on `terminate`. */
  #watch(limit: number, steps: number): void {
    this.#limit = setTimeout(() => {
      const now = Atomics.load(this.#shared, STEPS);
      if (this.#options.terminate === 'always' || now === steps) this.#replace(limit);
      else this.#watch(limit, now);
    }, limit).unref();
  }

  #replace(limit: number): void {
    const pool = this.#pool;
    this.#pool = undefined;
    // Not awaited: a thread that is stuck in the kernel may never end.
    void pool?.destroy();
    this.#fault = new Error(`a thread of the data file did not answer within ${limit} ms and was replaced`);
    this.#free();
  }

  #free(): void {
    clearTimeout(this.#limit);
    this.#call = undefined;
    this.#onFree();
  }

  #start(): Piscina {
    const { file, filename, hasLowPriority } = this.#options;
    Atomics.store(this.#shared, WRITE_FAULT, 0);
    this.#stepsAtStart = Atomics.load(this.#shared, STEPS);
    const workerData: ThreadData = { file, shared: this.#shared, hasLowPriority };
    const options = { workerData, idleTimeout: Infinity, recordTiming: false, minThreads: 0, maxThreads: 1 };
    const pool = new Piscina({ ...options, filename, resourceLimits: HEAP_LIMITS });
    let isReady = false;
    let reason: Error | undefined;
    const ended = () => {
      if (this.#pool !== pool) return;
      this.#fault = new Error('a thread of the data file ended unexpectedly', { cause: reason });
      if (!isReady) this.#failStart(reason);
      isReady = false;
    };
    pool.on('workerCreate', () => (isReady = true));
    // Receives an error outside of a call, for example during the start of the thread. Without a listener, the error would end
    // the process.
    pool.on('error', (error) => (reason = error));
    // The pool emits the error after this event.
    pool.on('workerDestroy', () => queueMicrotask(ended));
    return pool;
  }

  /** Rejects the call for which the thread was started. The pool itself would let the call wait for ever. */
  #failStart(reason: Error | undefined): void {
    const why = reason?.message ?? 'the thread ended while its modules were loaded';
    this.#call?.reject(new Error(`a thread of the data file cannot start: ${why}`, { cause: reason }));
    void this.#pool?.destroy();
    this.#pool = undefined;
    if (this.#call !== undefined) this.#free();
  }
}
