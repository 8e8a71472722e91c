import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  constants,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { StoredKey } from '#application/ports/key-store.js';
import { DAMAGE_ADVICE, fileFaultText, type FaultyFile } from '../files/file-faults.js';
import { keysIn } from '../files/backup-keys.js';
import { assertExpectedSchema } from '../files/expected-schema.js';
import { Sqlite } from './driver.js';
import { assertKnownSchema } from './migrations.js';

/** Milliseconds to wait for the lock of a writer. */
const BUSY_TIMEOUT = 5000;

/** Number of pages that one step copies. */
const COPY_PAGES = 1024;
/** Number of bytes that one step copies. */
const COPY_BYTES = 4_194_304;

/** Receives the progress while a file is copied. The signal of the observer stops the copying. */
export interface BackupObserver {
  readonly onStart: (bytes: number) => void;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Writes a backup: a copy of a data file with the signing keys in an additional table. Other processes may write to the data file
 * during the copy. The copy is a consistent snapshot. It is checked and synchronized to disk before it gets its name, and has
 * mode 0600.
 *
 * @param source path of a data file
 * @param target path of the backup; an existing file is replaced
 * @throws Error if the source cannot be read, the target cannot be written, or the check finds damage; the reason of the signal
 *   if it aborts. After an error, no new file remains.
 */
export async function writeBackup(
  source: string,
  target: string,
  keys: readonly StoredKey[],
  observer: BackupObserver,
): Promise<void> {
  await atomically(target, async (temporary) => {
    const database = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
    try {
      await copyPages(database, temporary, observer);
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      if (!code.startsWith('SQLITE_')) throw error;
      const isOfTarget = /^SQLITE_(?:FULL|IOERR)/.test(code);
      throw new Error(`${isOfTarget ? target : source}: ${fileFaultText(error)}`, { cause: error });
    } finally {
      database.close();
    }
    observer.signal.throwIfAborted();
    withDatabase(temporary, (copy) => {
      copy.exec(`CREATE TABLE backup_key (
        id TEXT NOT NULL PRIMARY KEY,
        content TEXT NOT NULL -- a StoredKey as JSON
      ) STRICT, WITHOUT ROWID`);
      const insert = copy.prepare('INSERT INTO backup_key (id, content) VALUES (?, ?)');
      for (const key of keys) insert.run(key.id, JSON.stringify(key));
      assertIntact(copy, source, 'data file');
    });
  });
}

/** Copies a database in pieces. */
async function copyPages(database: Database, target: string, observer: BackupObserver): Promise<void> {
  // The copy is made within one read transaction. Otherwise SQLite would start the backup again each time it notices that another
  // process has written.
  database.exec('BEGIN');
  const pages = database.pragma('page_count', { simple: true }) as number;
  const bytes = database.pragma('page_size', { simple: true }) as number;
  observer.onStart(pages * bytes);
  let copied = 0;
  await database.backup(target, {
    progress: ({ totalPages, remainingPages }) => {
      observer.signal.throwIfAborted();
      observer.onBytes((totalPages - remainingPages - copied) * bytes);
      copied = totalPages - remainingPages;
      return COPY_PAGES;
    },
  });
}

/**
 * Reads the keys in a backup.
 *
 * @throws Error if the file is not a backup of this program, is from a newer version, is damaged or lacks tables
 */
export function readBackup(file: string): readonly StoredKey[] {
  const descriptor = openSync(file, constants.O_RDONLY); // Throws the error of the system if it cannot be read.
  const { size } = fstatSync(descriptor);
  closeSync(descriptor);
  // SQLite would treat an empty file as a database without tables.
  if (size === 0) throw new Error(`${file} is empty: name the file of a backup.`);
  const database = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    assertKnownSchema(database);
    assertIntact(database, file, 'backup');
    const keys = keysIn(database);
    assertExpectedSchema(database);
    return keys;
  } catch (error) {
    throw new Error(`${file}: ${fileFaultText(error, 'backup')}`, { cause: error });
  } finally {
    database.close();
  }
}

/** Whether observations in a data file or a backup were found damaged and have not been discarded. */
export function hasDamage(file: string): boolean {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return database.prepare('SELECT 1 FROM damaged LIMIT 1').get() !== undefined;
  } finally {
    database.close();
  }
}

/**
 * Creates a data file from a backup, without the signing keys. An existing data file gets another name.
 *
 * @param aside the new name of an existing data file
 * @param beforeRename called when the new file is on disk
 * @throws Error if the file cannot be written, or if a process has the existing data file open; the reason of the signal if it
 *   aborts. After an error, the existing file is unchanged.
 */
export async function restoreBackup(
  backup: string,
  target: string,
  aside: string,
  beforeRename: () => Promise<void>,
  observer: BackupObserver,
): Promise<void> {
  if (existsSync(target)) assertUnused(target);
  await atomically(target, async (temporary) => {
    await copyBytes(backup, temporary, observer);
    withDatabase(temporary, (copy) => {
      copy.pragma('secure_delete = ON'); // Overwrites the private keys with zeros.
      copy.exec('DROP TABLE backup_key');
    });
    observer.signal.throwIfAborted();
    await beforeRename();
    if (existsSync(target)) setAside(target, aside);
    // The write-ahead log of the old file gets another name too, because SQLite would apply it to the new file.
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(`${target}${suffix}`)) renameSync(`${target}${suffix}`, `${aside}${suffix}`);
  });
}

/**
 * Gives the file the new name `aside`. If possible, the new name is added with a hard link. The file then also keeps its old
 * name, until a new file with the old name replaces it. A file with the old name thus exists at every moment.
 */
function setAside(file: string, aside: string): void {
  try {
    linkSync(file, aside);
  } catch {
    renameSync(file, aside); // Some file systems have no hard links.
  }
}

async function copyBytes(from: string, to: string, observer: BackupObserver): Promise<void> {
  const [source, target] = [await open(from, 'r'), await open(to, 'r+')];
  try {
    observer.onStart((await source.stat()).size);
    const buffer = Buffer.alloc(COPY_BYTES);
    for (;;) {
      observer.signal.throwIfAborted();
      const { bytesRead } = await source.read(buffer, 0, COPY_BYTES);
      if (bytesRead === 0) return;
      await target.writeFile(buffer.subarray(0, bytesRead));
      observer.onBytes(bytesRead);
    }
  } finally {
    await source.close();
    await target.close();
  }
}

/** @throws Error if another process has the data file open. A process keeps a lock as long as it has the file open. */
export function assertUnused(file: string): void {
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') return; // A damaged file may be replaced.
    throw new Error(`${file} is open in another process: stop the service first.`, { cause: error });
  } finally {
    database.close();
  }
}

/** @throws Error with the name of the file, its first fault and what to do */
function assertIntact(database: Database, file: string, kind: FaultyFile): void {
  const result = String(database.pragma('integrity_check(1)', { simple: true }));
  if (result === 'ok') return;
  // The text of the result has several lines. The message is one line.
  throw new Error(`${file} is damaged (${result.replaceAll(/\s+/g, ' ')}): ${DAMAGE_ADVICE[kind]}`);
}

function withDatabase(file: string, work: (database: Database) => void): void {
  const database = new Sqlite(file);
  try {
    database.pragma('journal_mode = DELETE'); // A single file, without -wal and -shm.
    work(database);
  } finally {
    database.close();
  }
}

/**
 * Writes `target` atomically. `write` writes a temporary file in the same folder. When the temporary file is on disk, it is
 * renamed to `target`.
 */
async function atomically(target: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    closeSync(openSync(temporary, 'wx', 0o600)); // SQLite would create it readable by all users.
    await write(temporary);
    sync(temporary);
    renameSync(temporary, target);
    sync(dirname(target));
  } catch (error) {
    const { syscall, path } = error as NodeJS.ErrnoException;
    // Node's error for a failed write does not contain the path of the file, so the path is added here.
    if (syscall === undefined || path !== undefined) throw error;
    throw new Error(`${target} cannot be written:`, { cause: error });
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${temporary}${suffix}`, { force: true });
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
