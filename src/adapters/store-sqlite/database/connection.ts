import { closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { Sqlite } from './driver.js';
import { migrate, schemaVersion } from './migrations.js';

/** Milliseconds to wait for another process, the command line for one, to finish writing. */
const BUSY_TIMEOUT = 5000;
/** Least milliseconds between two attempts to write to a file that could not be written. */
const PROBE_INTERVAL = 1000;
/** Result codes of SQLite for a file that cannot be written, including extended codes. */
const WRITE_FAULTS = /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)/;

/** An open data file, with checks that it is still the same file. Used only by the worker thread. */
export class Connection {
  readonly database: Database;
  readonly #file: string;
  readonly #inode: bigint;
  #fault: Error | undefined;
  /** Why the last write failed, until one succeeds. */
  #writeFault: Error | undefined;
  #probedAt = -Infinity;

  /** @throws Error when the file cannot be opened, is damaged, foreign or newer than this program */
  constructor(file: string) {
    // SQLite would make it readable by everyone; its companions (-wal, -shm) take the mode of the file.
    const descriptor = openSync(file, 'a', 0o600);
    // An empty file that is there already may have another mode.
    if (fstatSync(descriptor).size === 0) fchmodSync(descriptor, 0o600);
    closeSync(descriptor);
    this.#file = file;
    this.database = new Sqlite(file, { timeout: BUSY_TIMEOUT });
    try {
      this.#configure();
      migrate(this.database);
      this.#inode = inodeOf(file);
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** @throws Error what the last check found wrong */
  assertUsable(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  get cannotWrite(): boolean {
    return this.#writeFault !== undefined;
  }

  /** Remembers an error of an operation when it means that the file cannot be written. */
  noteFailure(error: unknown): void {
    if (error instanceof Error && WRITE_FAULTS.test(String((error as { code?: unknown }).code))) {
      this.#writeFault = error;
    }
  }

  /**
   * Looks at the file as it is on disk now. An open connection would go on for hours on a file that has been
   * deleted, and lose every write when the process ends.
   *
   * @throws Error when it is gone, was replaced, cannot be read, or could not be written the last time
   */
  check(): void {
    try {
      if (inodeOf(this.#file) !== this.#inode) {
        // Opening the new file here could damage it: closing the old one removes the write-ahead log by name.
        throw new Error('the data file was replaced while the service was running; restart it');
      }
      const fresh = new Sqlite(this.#file, { readonly: true, fileMustExist: true, timeout: 100 });
      try {
        schemaVersion(fresh);
        fresh.prepare('SELECT 1 FROM user LIMIT 1').get();
      } finally {
        fresh.close();
      }
      this.#fault = undefined;
    } catch (error) {
      this.#fault = error as Error;
      throw error;
    }
    if (this.#writeFault !== undefined) this.#probe(this.#writeFault);
  }

  /** Writes a page, in which nothing changes. Only after a failure: memory cards wear out by being written to. */
  #probe(fault: Error): void {
    if (performance.now() - this.#probedAt < PROBE_INTERVAL) throw fault;
    this.#probedAt = performance.now();
    this.database.pragma(`user_version = ${schemaVersion(this.database)}`);
    this.#writeFault = undefined;
  }

  #configure(): void {
    const mode = this.database.pragma('journal_mode = WAL', { simple: true });
    // After the journal mode, because the driver lowers it to NORMAL there; FULL is what makes an acknowledged
    // write survive a power cut.
    this.database.pragma('synchronous = FULL');
    const synchronous = this.database.pragma('synchronous', { simple: true });
    if (mode !== 'wal' || synchronous !== 2) {
      throw new Error(
        `SQLite refused its settings: journal_mode ${String(mode)}, synchronous ${String(synchronous)}`,
      );
    }
    this.database.pragma('foreign_keys = ON');
    // Pages; ten times the default, which folds the write-ahead log into the file after every third large write.
    this.database.pragma('wal_autocheckpoint = 10000');
  }
}

function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true }).ino;
}
