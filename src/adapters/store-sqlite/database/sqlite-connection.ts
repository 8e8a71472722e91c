import { closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { Sqlite } from './driver.js';
import { assertKnownSchema, migrate, schemaVersion } from './migrations.js';

/** Milliseconds to wait for another process, such as the command line, to finish writing. */
const BUSY_TIMEOUT = 5000;
/** Milliseconds between two attempts to change the journal mode. */
const LOCK_PAUSE = 10;
/** Minimum time between two attempts to write to a file that could not be written, in milliseconds. */
const PROBE_INTERVAL = 1000;
/** Result codes of SQLite for a file that cannot be written, including extended codes. */
const WRITE_FAULTS = /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)/;

/** An open data file. The class checks that the path still refers to this file. Only the writing thread uses it. */
export class SqliteConnection {
  readonly database: Database;
  readonly #file: string;
  readonly #inode: bigint;
  #fault: Error | undefined;
  /** Error of the last write; undefined if the last write succeeded. */
  #writeFault: Error | undefined;
  #probedAt = -Infinity;

  /** @throws Error if the file cannot be opened, is damaged, is not from this program or is from a newer version */
  constructor(file: string) {
    // SQLite would create a file that all users can read. The files -wal and -shm get the same mode as the data file.
    const descriptor = openSync(file, 'a', 0o600);
    // An existing empty file may have another mode.
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

  /** @throws Error of the last check, if that check failed */
  assertUsable(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  get cannotWrite(): boolean {
    return this.#writeFault !== undefined;
  }

  /** Stores an error of an operation if it means that the file cannot be written. */
  noteFailure(error: unknown): void {
    if (error instanceof Error && WRITE_FAULTS.test(String((error as { code?: unknown }).code))) {
      this.#writeFault = error;
    }
  }

  /**
   * Checks the file on disk. An open connection would continue to write to a file that has been deleted, and all these
   * writes would be lost at the end of the process.
   *
   * @throws Error if the file was deleted or replaced, cannot be read, or could not be written the last time
   */
  check(): void {
    try {
      if (inodeOf(this.#file) !== this.#inode) {
        // The new file is not opened here. The write-ahead logs of both files have the same name, so closing the old file would
        // delete the log of the new file.
        throw new Error('the data file was replaced while the service was running; restart it');
      }
      const fresh = new Sqlite(this.#file, { readonly: true, fileMustExist: true, timeout: 100 });
      try {
        // The file is refused if a newer version has migrated it, because this version would treat the blobs of a newer version
        // as damaged.
        assertKnownSchema(fresh);
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

  /** Writes a page without changing its content. Called only after a failure, because each write wears out a memory card. */
  #probe(fault: Error): void {
    if (performance.now() - this.#probedAt < PROBE_INTERVAL) throw fault;
    this.#probedAt = performance.now();
    this.database.pragma(`user_version = ${schemaVersion(this.database)}`);
    this.#writeFault = undefined;
  }

  #configure(): void {
    const mode = this.#beginWriteAheadLog();
    // FULL is set after the journal mode, because the driver sets NORMAL when the mode changes. Only with FULL does a confirmed
    // write survive a power failure.
    this.database.pragma('synchronous = FULL');
    const synchronous = this.database.pragma('synchronous', { simple: true });
    if (mode !== 'wal' || synchronous !== 2) {
      throw new Error(
        `SQLite refused its settings: journal_mode ${String(mode)}, synchronous ${String(synchronous)}`,
      );
    }
    this.database.pragma('foreign_keys = ON');
    // The value is in pages: ten times the default. With the default, SQLite would copy the write-ahead log into the file at
    // every third large write.
    this.database.pragma('wal_autocheckpoint = 10000');
  }

  /**
   * Changes the journal mode, which happens once in the life of a file. Two processes may open a new file at the same time. SQLite
   * does not wait for the lock of the other process in this statement, although it waits in all others.
   *
   * @returns the journal mode that the file now has
   */
  #beginWriteAheadLog(): unknown {
    const end = performance.now() + BUSY_TIMEOUT;
    for (;;) {
      try {
        return this.database.pragma('journal_mode = WAL', { simple: true });
      } catch (error) {
        const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
        if (!isBusy || performance.now() >= end) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_PAUSE);
      }
    }
  }
}

function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true }).ino;
}
