import { stat } from 'node:fs/promises';
import type { Check } from '../../../application/ports/check.js';
import { DomainError } from '../../../domain/domain-error.js';
import { DiskCheck } from './disk-check.js';
import type { LookupOperations, ReadOperations } from './reader-worker.js';
import { Threads } from './threads.js';
import type { Operations } from './worker.js';

const CANNOT_USE = 'The data file cannot be used.';
const CANNOT_WRITE = 'The data file cannot be written.';
/** Threads that read observations. */
const READERS = 2;

/** A data file: one worker thread writes it, others read it. All stores share it. */
export class SqliteDatabase {
  readonly file: string;
  readonly #writer: Threads;
  readonly #readers: Threads;
  /** Stations are needed by nearly every request, and must not wait behind long reads. */
  readonly #lookups: Threads;
  readonly #beforeClose: (() => Promise<void>)[] = [];
  #inode: bigint | undefined;

  constructor(file: string) {
    this.file = file;
    const module = (name: string) => new URL(name, import.meta.url).href;
    const [writer, reader] = [module('./worker.js'), module('./reader-worker.js')];
    this.#writer = new Threads({ filename: writer, file, count: 1, givesWay: false, terminate: 'stalled' });
    this.#readers = new Threads({
      filename: reader,
      file,
      count: READERS,
      givesWay: true,
      terminate: 'always',
    });
    this.#lookups = new Threads({ filename: reader, file, count: 1, givesWay: false, terminate: 'always' });
  }

  /**
   * Opens the file, makes it when there is none, and brings its schema up to date, which may take its time.
   *
   * @throws DomainError STORE_UNAVAILABLE; its cause says what is wrong with the file
   */
  async open(): Promise<void> {
    try {
      await this.#ask(this.#writer.run('open', [], [], Infinity));
      this.#inode = (await stat(this.file, { bigint: true })).ino;
    } catch (error) {
      await this.#writer.destroy();
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

  /** As `call`, but transfers the buffers to the thread instead of copying them. The caller can no longer use them. */
  callGiving<K extends keyof Operations>(
    transferList: ArrayBuffer[],
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    return this.#ask(this.#writer.run(operation, parameters, transferList));
  }

  /**
   * Asks one of the threads that read, which wait for no write. Rejects with STORE_UNAVAILABLE when it fails or takes too
   * long.
   */
  read<K extends keyof ReadOperations>(
    operation: K,
    ...parameters: Parameters<ReadOperations[K]>
  ): Promise<Awaited<ReturnType<ReadOperations[K]>>> {
    return this.#ask(this.#readers.run(operation, parameters));
  }

  /** The same for short questions, on a thread of their own. */
  lookUp<K extends keyof LookupOperations>(
    operation: K,
    ...parameters: Parameters<LookupOperations[K]>
  ): Promise<Awaited<ReturnType<LookupOperations[K]>>> {
    return this.#ask(this.#lookups.run(operation, parameters));
  }

  /** Checks in addition to `check`: the reading threads, and the disk. */
  get checks(): readonly Check[] {
    const check = async () => {
      await this.#ask(
        Promise.all([this.#readers.check('stationVersion'), this.#lookups.check('stationVersion')]),
        'A thread that reads the data file does not work.',
      );
      return undefined;
    };
    return [{ name: 'reading threads', check }, new DiskCheck(this.file)];
  }

  /**
   * Looks at the file and at the thread that owns it. A thread that is busy is not one that is dead: while it makes
   * progress the file alone is looked at.
   *
   * @throws DomainError STORE_UNAVAILABLE
   */
  async check(): Promise<undefined> {
    try {
      await this.#writer.check('check');
      // A thread that could not write before tries again after its present work.
      if (this.#writer.cannotWrite) await this.#writer.run('check', []);
      if (!this.#writer.areBusy) return;
      const found = await stat(this.file, { bigint: true });
      if (found.ino !== this.#inode) throw new Error('it was replaced');
    } catch (error) {
      throw this.#failed(error, this.#writer.cannotWrite ? CANNOT_WRITE : CANNOT_USE);
    }
  }

  async #ask<T>(answer: Promise<unknown>, message = CANNOT_USE): Promise<T> {
    try {
      return (await answer) as T;
    } catch (error) {
      throw this.#failed(error, message);
    }
  }

  /** The error for callers when the data file cannot be used. Its cause is for the log. */
  #failed(error: unknown, message: string): DomainError {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = new Error(`${this.file}: ${reason}`, { cause: error });
    return new DomainError('STORE_UNAVAILABLE', message, { cause });
  }

  /** Has `work` done before the file is closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#beforeClose.push(work);
  }

  /** Finishes the calls that were made, closes the file (which moves the write-ahead log into it), and ends the threads. */
  async close(): Promise<void> {
    try {
      for (const work of this.#beforeClose) await work();
      await Promise.all([this.#readers.close(), this.#lookups.close()]);
      const closing = this.call('close');
      await Promise.all([closing, this.#writer.close()]);
    } finally {
      await this.#writer.destroy();
    }
  }
}
