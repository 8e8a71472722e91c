import { stat } from 'node:fs/promises';
import type { Check } from '#application/ports/check.js';
import type { Use } from '#adapters/store/store-operations.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { DomainError } from '#domain/domain-error.js';
import { RemoteWriter } from '../remote/remote-writer.js';
import { DiskCheck } from './disk-check.js';
import { isWriteFaultText } from '../files/file-faults.js';
import type { LookupOperations, ReadOperations } from './reader-worker.js';
import { isSlowText } from './slow-thread.js';
import type { OperationOutcome } from './stored-operations.js';
import { Threads } from './threads.js';
import type { Operations } from './worker.js';

const CANNOT_USE = 'The data file cannot be used.';
/** Not `CANNOT_USE`: the file may be sound, and a later attempt may succeed. */
const NOT_IN_TIME = 'The data file did not answer in time.';
const CANNOT_WRITE = 'The data file cannot be written.';
/** Number of threads that read observations. */
export const READERS = 2;

/**
 * A data file with the threads that use it. One thread writes, and the others read. All stores share these threads. If another
 * process is the writer, this process has only reading threads.
 */
export class SqliteDatabase {
  readonly file: string;
  readonly #writer: Threads | RemoteWriter;
  readonly #readers: Threads;
  /**
   * The thread for short reads. Nearly every request reads a station, and such a read must not wait for long reads of
   * observations.
   */
  readonly #lookups: Threads;
  readonly #beforeClose: (() => Promise<void>)[] = [];
  #inode: bigint | undefined;

  /** @param remote the process that writes; undefined if this process writes */
  constructor(file: string, remote?: StoreWriter) {
    this.file = file;
    const module = (name: string) => new URL(name, import.meta.url).href;
    const [writer, reader] = [module('./worker.js'), module('./reader-worker.js')];
    this.#writer =
      remote === undefined
        ? new Threads({ filename: writer, file, count: 1, hasLowPriority: false, terminate: 'stalled' })
        : new RemoteWriter(remote);
    this.#readers = new Threads({
      filename: reader,
      file,
      count: READERS,
      hasLowPriority: true,
      terminate: 'always',
    });
    this.#lookups = new Threads({
      filename: reader,
      file,
      count: 1,
      hasLowPriority: false,
      terminate: 'always',
    });
  }

  /**
   * Opens the file, creates it if it does not exist, and migrates its schema. There is no time limit, because a migration may
   * take long.
   *
   * @throws DomainError STORE_UNAVAILABLE; its cause has the reason
   */
  async open(): Promise<void> {
    try {
      await this.#result(this.#writer.run('open', [], [], Infinity));
      this.#inode = (await stat(this.file, { bigint: true })).ino;
    } catch (error) {
      await this.#writer.destroy();
      throw error;
    }
  }

  /** Runs one operation in the writing thread. Rejects with STORE_UNAVAILABLE if it fails or takes too long. */
  call<K extends keyof Operations>(
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    return this.callWithTransfer([], operation, ...parameters);
  }

  /** Like `call`, but transfers the buffers to the thread instead of copying them. The caller can no longer use the buffers. */
  callWithTransfer<K extends keyof Operations>(
    transferList: ArrayBuffer[],
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Awaited<ReturnType<Operations[K]>>> {
    return this.#result(this.#writer.run(operation, parameters, transferList));
  }

  /**
   * Runs one operation in a reading thread, which does not wait for writes. Rejects with STORE_UNAVAILABLE if it fails
   * or takes too long.
   */
  read<K extends keyof ReadOperations>(
    operation: K,
    ...parameters: Parameters<ReadOperations[K]>
  ): Promise<Awaited<ReturnType<ReadOperations[K]>>> {
    return this.#result(this.#readers.run(operation, parameters));
  }

  /** Like `read`, for short operations. Short operations have a thread of their own. */
  lookUp<K extends keyof LookupOperations>(
    operation: K,
    ...parameters: Parameters<LookupOperations[K]>
  ): Promise<Awaited<ReturnType<LookupOperations[K]>>> {
    return this.#result(this.#lookups.run(operation, parameters));
  }

  /**
   * Runs an operation of `adapters/store`. `name` is the store and its method, for example `stations.find`. `use` says whether
   * the operation reads or writes, and thus whether it runs in the thread for short reads or in the writing thread (see `Use`).
   */
  async operate(name: string, use: Use, parameters: readonly unknown[]): Promise<unknown> {
    const isRead = use === 'read' || (use === 'present' && this.#lookups.isStarted);
    const threads = isRead ? this.#lookups : this.#writer;
    const outcome = await this.#result<OperationOutcome>(threads.run(name, parameters));
    if ('refused' in outcome) throw new DomainError(outcome.refused, outcome.message);
    return outcome.value;
  }

  /** Runs an operation for another process in the writing thread. The operation must not open or close the file. */
  perform(operation: string, parameters: readonly unknown[]): Promise<unknown> {
    return operation === 'check' ? this.check() : this.#writer.run(operation, parameters);
  }

  /** The checks of the reading threads and of the disk. `check` checks the file and the writing thread. */
  get checks(): readonly Check[] {
    const check = async () => {
      await this.#result(
        Promise.all([this.#readers.check('stations.version'), this.#lookups.check('stations.version')]),
        'A thread that reads the data file does not work.',
      );
      return undefined;
    };
    return [{ name: 'reading threads', check }, new DiskCheck(this.file)];
  }

  /**
   * Checks the file and the writing thread. While the thread is busy but makes progress, only the existence of the file
   * is checked.
   *
   * @throws DomainError STORE_UNAVAILABLE
   */
  async check(): Promise<undefined> {
    try {
      await this.#writer.check('check');
      // The last write has failed. The operation `check` of the writing thread tries to write again. It starts when the thread
      // has finished its current operation.
      if (this.#writer.cannotWrite) await this.#writer.run('check', []);
      if (!this.#writer.areBusy) return;
      const { ino } = await stat(this.file, { bigint: true });
      if (ino !== this.#inode) throw new Error('the file was replaced. Restart the service');
    } catch (error) {
      throw this.#unavailable(error, this.#writer.cannotWrite ? CANNOT_WRITE : CANNOT_USE);
    }
  }

  /** Size of the file and of its write-ahead log in bytes. */
  async size(): Promise<number> {
    const [file, log] = await Promise.all([stat(this.file), stat(`${this.file}-wal`).catch(() => undefined)]);
    return file.size + (log?.size ?? 0);
  }

  async #result<T>(answer: Promise<unknown>, message = CANNOT_USE): Promise<T> {
    try {
      return (await answer) as T;
    } catch (error) {
      throw this.#unavailable(error, message);
    }
  }

  /** Creates the error for callers. The cause of the error has the reason and the path, for the log. */
  #unavailable(error: unknown, message: string): DomainError {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = new Error(`${this.file}: ${reason}`, { cause: error });
    const readOnly = isWriteFaultText(reason);
    const slowOr = message === CANNOT_USE && isSlowText(reason) ? NOT_IN_TIME : message;
    return new DomainError('STORE_UNAVAILABLE', readOnly ? CANNOT_WRITE : slowOr, { cause, readOnly });
  }

  /** Registers work to be done before the file is closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#beforeClose.push(work);
  }

  /** Waits for the pending calls and closes the file. Closing moves the write-ahead log into the file. */
  async close(): Promise<void> {
    try {
      for (const work of this.#beforeClose) await work();
      await Promise.all([this.#readers.close(), this.#lookups.close()]);
      await this.#result(this.#writer.close());
    } finally {
      await this.#writer.destroy();
    }
  }
}
