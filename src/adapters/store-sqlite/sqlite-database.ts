import { stat } from 'node:fs/promises';
import { Piscina } from 'piscina';
import { DomainError } from '../../domain/domain-error.js';
import type { ReadOperations } from './reader-worker.js';
import type { Operations } from './worker.js';

/** Milliseconds after which a caller is told that the store does not answer. */
const ANSWER_TIMEOUT = 10_000;
/** Threads that read; they begin with the first question. */
const READERS = 2;
/** Calls that may wait; beyond it the store counts as unavailable. */
const MAX_QUEUE = 10_000;

/** A data file, reached through the thread that owns it and others that read beside it. The stores share one. */
export class SqliteDatabase {
  readonly file: string;
  readonly #pool: Piscina;
  readonly #readers: Piscina;
  readonly #beforeClose: (() => Promise<void>)[] = [];
  /** Calls that have not been answered yet, but for checks. */
  #pending = 0;
  #answeredAt = 0;
  #inode: bigint | undefined;
  #closed = false;

  constructor(file: string) {
    this.file = file;
    const options = { workerData: { file }, idleTimeout: Infinity, maxQueue: MAX_QUEUE, recordTiming: false };
    const module = (name: string) => new URL(name, import.meta.url).href;
    this.#pool = new Piscina({ ...options, filename: module('./worker.js'), minThreads: 1, maxThreads: 1 });
    const filename = module('./reader-worker.js');
    this.#readers = new Piscina({ ...options, filename, minThreads: 0, maxThreads: READERS });
  }

  /**
   * Opens the file, makes it when there is none, and brings its schema up to date.
   *
   * @throws DomainError STORE_UNAVAILABLE; its cause says what is wrong with the file
   */
  async open(): Promise<void> {
    try {
      await this.call('open');
      this.#inode = (await stat(this.file, { bigint: true })).ino;
    } catch (error) {
      await this.#pool.destroy();
      await this.#readers.destroy();
      throw error;
    }
  }

  /** Runs one operation in the worker thread. Rejects with STORE_UNAVAILABLE when it fails or takes too long. */
  call<K extends keyof Operations>(
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    return this.callGiving([], operation, ...parameters);
  }

  /** The same, and gives the thread memory of the parameters in place of a copy: it is gone here then. */
  async callGiving<K extends keyof Operations>(
    transferList: ArrayBuffer[],
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    if (this.#pending === 0) this.#answeredAt = performance.now();
    this.#pending += 1;
    try {
      return await this.#run(transferList, operation, parameters);
    } finally {
      this.#pending -= 1;
      this.#answeredAt = performance.now();
    }
  }

  /** Asks one of the threads that read, which wait for no write. Rejects with STORE_UNAVAILABLE when it fails. */
  async read<K extends keyof ReadOperations>(
    operation: K,
    ...parameters: Parameters<ReadOperations[K]>
  ): Promise<Awaited<ReturnType<ReadOperations[K]>>> {
    try {
      return await this.#readers.run({ operation, parameters });
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /**
   * Looks at the file. A thread that is busy is not one that is dead: while it works the file alone is looked at, until it
   * has not answered anybody for so long that whoever asks it is told so.
   *
   * @throws DomainError STORE_UNAVAILABLE
   */
  async check(): Promise<void> {
    const isBusy = this.#pending > 0 && performance.now() - this.#answeredAt < ANSWER_TIMEOUT;
    if (!isBusy) return await this.#run([], 'check', []);
    const found = await stat(this.file, { bigint: true }).catch((error: unknown) => {
      throw unusable(error as Error);
    });
    if (found.ino !== this.#inode) throw unusable(new Error(`${this.file}: it was replaced`));
  }

  async #run<K extends keyof Operations>(
    transferList: ArrayBuffer[],
    operation: K,
    parameters: Parameters<Operations[K]>,
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    if (this.#closed) throw unusable(new Error(`${this.file}: it has been closed`));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_TIMEOUT} ms`)), ANSWER_TIMEOUT);
    });
    try {
      return await Promise.race([this.#pool.run({ operation, parameters }, { transferList }), late]);
    } catch (error) {
      throw this.#failed(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(error: unknown): DomainError {
    const reason = error instanceof Error ? error.message : String(error);
    return unusable(new Error(`${this.file}: ${reason}`, { cause: error }));
  }

  /** Has `work` done before the file is closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#beforeClose.push(work);
  }

  /** Finishes what has been called, closes the file, which folds the write-ahead log into it, and ends the thread. */
  async close(): Promise<void> {
    try {
      for (const work of this.#beforeClose) await work();
      await this.#readers.close();
      const closing = this.call('close');
      this.#closed = true;
      await closing;
    } finally {
      await this.#pool.destroy();
    }
  }
}

/** What a caller is told of a data file that does not do its work. */
function unusable(cause: Error): DomainError {
  return new DomainError('STORE_UNAVAILABLE', 'The data file cannot be used.', { cause });
}
