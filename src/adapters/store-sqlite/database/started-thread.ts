import { Piscina } from 'piscina';
import { SHARED_BYTES, type ThreadData, WRITE_FAULT } from './progress.js';

/**
 * Limit of V8's heap for young objects. The limit can be small, because the rows of observations are in typed arrays, whose
 * memory is outside of this heap. Without a limit, young objects take up to 48 MB in each thread.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12 } as const;

/** The module of a thread, and its priority. */
export interface ThreadKind {
  /** The module that the thread runs. */
  readonly filename: string;
  readonly hasLowPriority: boolean;
}

/** What a thread reports to its caller. */
export interface ThreadEvents {
  /** Called when the thread has loaded its modules. Not called for a thread that is ready when it is taken. */
  readonly onReady: () => void;
  /** Called if the thread ends by itself. `wasReady` is false if the thread ended while it loaded its modules. */
  readonly onEnd: (reason: Error | undefined, wasReady: boolean) => void;
}

const NO_EVENTS: ThreadEvents = { onReady: () => undefined, onEnd: () => undefined };

/**
 * Started threads that nobody uses at the moment, by their kind. The next caller that needs a thread of this kind takes one of
 * them.
 */
const idle = new Map<string, StartedThread[]>();

/**
 * A started thread, which works for one caller at a time, for example for one open data file. The start of a thread takes about
 * 0.1 s of processor time. Therefore a thread whose caller has closed its file is kept for the next caller in this process.
 */
export class StartedThread {
  readonly shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
  readonly #kind: ThreadKind;
  readonly #pool: Piscina;
  #events: ThreadEvents;
  #isReady = false;
  #reason: Error | undefined;

  /** Takes an idle thread, or starts one. */
  static take(kind: ThreadKind, events: ThreadEvents): StartedThread {
    const thread = idle.get(keyOf(kind))?.pop();
    if (thread === undefined) return new StartedThread(kind, events);
    thread.#events = events;
    Atomics.store(thread.shared, WRITE_FAULT, 0);
    return thread;
  }

  private constructor(kind: ThreadKind, events: ThreadEvents) {
    this.#kind = kind;
    this.#events = events;
    const workerData: ThreadData = { shared: this.shared, hasLowPriority: kind.hasLowPriority };
    this.#pool = new Piscina({
      filename: kind.filename,
      workerData,
      resourceLimits: HEAP_LIMITS,
      idleTimeout: Infinity,
      recordTiming: false,
      minThreads: 0,
      maxThreads: 1,
    });
    this.#pool.on('workerCreate', () => {
      this.#isReady = true;
      this.#events.onReady();
    });
    // Receives an error outside of a call, for example during the start of the thread. Without a listener, the error would end
    // the process.
    this.#pool.on('error', (error) => (this.#reason = error));
    // If the thread ends because of an error, the pool emits first `workerDestroy` and then `error`, which sets `#reason`.
    // `#ended` needs this reason, so a microtask calls `#ended` after both events.
    this.#pool.on('workerDestroy', () => queueMicrotask(() => this.#ended()));
  }

  /** Whether the thread has loaded its modules, so that it runs a call at once. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Runs a call. The calls of a thread run one after another. */
  run(message: object, transferList: ArrayBuffer[]): Promise<unknown> {
    return this.#pool.run(message, { transferList });
  }

  /**
   * Keeps the thread for the next caller in this process that needs one. The current caller must have closed the file, and must
   * not wait for a call of the thread.
   */
  release(): void {
    this.#events = NO_EVENTS;
    const key = keyOf(this.#kind);
    const others = idle.get(key);
    if (others === undefined) idle.set(key, [this]);
    else others.push(this);
  }

  /** Ends the thread at once. Its pending calls reject. */
  async destroy(): Promise<void> {
    this.#events = NO_EVENTS;
    await this.#pool.destroy();
  }

  #ended(): void {
    const [wasReady, reason] = [this.#isReady, this.#reason];
    // The pool will start another thread for the next call. That thread must first load its modules, so it is not ready yet.
    this.#isReady = false;
    this.#reason = undefined;
    this.#events.onEnd(reason, wasReady);
  }
}

function keyOf({ filename, hasLowPriority }: ThreadKind): string {
  return `${filename} ${hasLowPriority}`;
}
