import { randomUUID } from 'node:crypto';
import {
  closeSync,
  chmodSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  constants,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { StoredKey } from '../../../application/ports/key-store.js';
import { Sqlite } from './driver.js';
import { assertKnownSchema } from './migrations.js';

/** Milliseconds to wait for a writer that is about to finish. */
const BUSY_TIMEOUT = 5000;

/**
 * Writes a copy of a data file that others may be writing to, with the signing keys in a table of it. The copy is one
 * moment's, checked, on disk and there as a whole or not at all; its mode is 0600.
 *
 * @param source a data file
 * @param target replaced when it is there
 * @throws Error when the source cannot be read, the target cannot be written or the check finds damage
 */
export function writeBackup(source: string, target: string, keys: readonly StoredKey[]): void {
  atomically(target, (temporary) => {
    const database = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
    try {
      // One read transaction, which no writer waits for. SQLite's own backup begins anew after every commit of others.
      database.prepare('VACUUM INTO ?').run(temporary);
    } finally {
      database.close();
    }
    withDatabase(temporary, (copy) => {
      copy.exec(`CREATE TABLE backup_key (
        id TEXT NOT NULL PRIMARY KEY,
        content TEXT NOT NULL -- a StoredKey as JSON
      ) STRICT, WITHOUT ROWID`);
      const insert = copy.prepare('INSERT INTO backup_key (id, content) VALUES (?, ?)');
      for (const key of keys) insert.run(key.id, JSON.stringify(key));
      assertIntact(copy, source);
    });
  });
}

/**
 * The keys in a backup.
 *
 * @throws Error when the file is no backup of this program, of a newer version of it, or damaged
 */
export function readBackup(file: string): readonly StoredKey[] {
  closeSync(openSync(file, constants.O_RDONLY)); // The system's reason, where it cannot be read.
  const database = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    assertKnownSchema(database);
    assertIntact(database, file);
    const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_key'");
    if (find.get() === undefined) throw new Error('it is a data file and no backup');
    const contents = database.prepare<[], string>('SELECT content FROM backup_key').pluck().all();
    return contents.map((content) => JSON.parse(content) as StoredKey);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
  }
}

/**
 * Makes a data file of a backup, in the place of one that may be there. The keys of the backup do not stay in it.
 *
 * @throws Error when it cannot be written, or when a process has the data file open that is there
 */
export function restoreBackup(backup: string, target: string): void {
  if (existsSync(target)) assertUnused(target);
  atomically(target, (temporary) => {
    copyFileSync(backup, temporary);
    chmodSync(temporary, 0o600); // The backup may have been made readable on its way here.
    withDatabase(temporary, (copy) => {
      copy.pragma('secure_delete = ON'); // Overwrites the private keys with zeros.
      copy.exec('DROP TABLE backup_key');
    });
    // A log that belongs to another file would be played into this one.
    for (const companion of ['-wal', '-shm']) rmSync(`${target}${companion}`, { force: true });
  });
}

/** @throws Error when another process has the data file open: each holds a lock for as long as it does */
function assertUnused(file: string): void {
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') return; // Damaged: all the more reason to restore.
    throw new Error(`${file} is open in another process: stop the service first.`, { cause: error });
  } finally {
    database.close();
  }
}

/** @throws Error that names the file and what is wrong with it */
function assertIntact(database: Database, file: string): void {
  const found = database.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw new Error(`${file} is damaged: ${String(found)}`);
}

function withDatabase(file: string, work: (database: Database) => void): void {
  const database = new Sqlite(file);
  try {
    database.pragma('journal_mode = DELETE'); // One file, without companions.
    work(database);
  } finally {
    database.close();
  }
}

/** Has `write` make a file beside `target`, and puts it there once it is on disk. */
function atomically(target: string, write: (temporary: string) => void): void {
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    closeSync(openSync(temporary, 'wx', 0o600)); // SQLite itself would make it readable by everyone.
    write(temporary);
    sync(temporary);
    renameSync(temporary, target);
    sync(dirname(target));
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
