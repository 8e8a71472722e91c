import { Piscina } from 'piscina';
import { SHARED_BYTES, STEPS, type ThreadData, WRITE_FAULT } from './progress.js';

/** Checks in a row that a thread at work may show no progress before it counts as hung. */
const STALLED_CHECKS = 2;

/** A call of a function of the thread's module. */
export interface Call {
  readonly message: { readonly operation: string; readonly parameters: readonly unknown[] };
  readonly transferList: ArrayBuffer[];
  /** Milliseconds. */
  readonly limit: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadOptions {
  /** The module that the threads run. */
  readonly filename: string;
  readonly file: string;
  readonly givesWay: boolean;
  /**
   * What ends a call that takes longer than its limit, though the thread goes on: `always` for those whose work is of
   * no use then, `stalled` where it is to be finished.
   */
  readonly terminate: 'always' | 'stalled';
}

/** One thread, replaced when it ends or hangs. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #onFree: () => void;
  readonly #shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
  #pool: Piscina | undefined;
  #call: Call | undefined;
  #limit: NodeJS.Timeout | undefined;
  #fault: Error | undefined;
  /** The steps at the last check, and how often in a row they were the same. */
  #stepsSeen = -1;
  /** Number of steps at the start of the thread. There are no further steps while its modules are loaded. */
  #stepsAtStart = 0;
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

  /** Runs a call; the thread must be free. */
  run(call: Call): void {
    this.#call = call;
    if (call.limit < Infinity) this.#watch(call.limit, Atomics.load(this.#shared, STEPS));
    const pool = (this.#pool ??= this.#start());
    pool
      .run(call.message, { transferList: call.transferList })
      .then(call.resolve, call.reject)
      .finally(() => {
        // Of a thread that was replaced meanwhile nothing is expected any more.
        if (this.#call !== call) return;
        this.#free();
      });
  }

  /**
   * Compares the steps with those at the last check: there is time for some statements at least between two.
   *
   * @throws Error when the thread has ended unexpectedly since the last check, or hangs
   */
  assertProgress(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) throw fault;
    const steps = Atomics.load(this.#shared, STEPS);
    const isBusy = !this.isFree && steps !== this.#stepsAtStart;
    this.#unchanged = isBusy && steps === this.#stepsSeen ? this.#unchanged + 1 : 0;
    this.#stepsSeen = steps;
    if (this.#unchanged >= STALLED_CHECKS) throw new Error('a thread makes no progress');
  }

  async destroy(): Promise<void> {
    clearTimeout(this.#limit);
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  /** Terminates the thread when a call takes too long and no caller needs its result. */
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
    // Waits for a thread that is stuck in the kernel, for ever perhaps.
    void pool?.destroy();
    this.#fault = new Error(`a thread gave no answer within ${limit} ms and was replaced`);
    this.#free();
  }

  #free(): void {
    clearTimeout(this.#limit);
    this.#call = undefined;
    this.#onFree();
  }

  #start(): Piscina {
    const { file, filename, givesWay } = this.#options;
    Atomics.store(this.#shared, WRITE_FAULT, 0);
    this.#stepsAtStart = Atomics.load(this.#shared, STEPS);
    const workerData: ThreadData = { file, shared: this.#shared, givesWay };
    const options = { workerData, idleTimeout: Infinity, recordTiming: false, minThreads: 0, maxThreads: 1 };
    const pool = new Piscina({ ...options, filename });
    const ended = (error?: Error) => {
      if (this.#pool === pool) this.#fault = new Error('a thread ended unexpectedly', { cause: error });
    };
    // Without a listener an error in a thread that has no call would end the process.
    pool.on('error', ended);
    pool.on('workerDestroy', () => ended());
    return pool;
  }
}
