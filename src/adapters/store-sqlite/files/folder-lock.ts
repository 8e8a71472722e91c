import { Sqlite } from '../database/driver.js';
import { fileFaultText } from './file-faults.js';

/**
 * Locks a folder for one process and one owner. The function locks a SQLite file, because Node.js has no file locks. The lock
 * ends with the process, even if the process is killed.
 *
 * @param file path of the lock file. It is created, and is never removed.
 * @param owner name that the first lock stores in the file
 * @returns a function that unlocks; undefined if another process has the lock
 * @throws Error if the folder belongs to another owner, or the file cannot be written
 */
export function lockFolder(file: string, owner: string): (() => void) | undefined {
  let database: InstanceType<typeof Sqlite> | undefined;
  try {
    database = new Sqlite(file, { timeout: 0 });
    // The lock of the transaction stays until the file is closed.
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS owner (name TEXT NOT NULL) STRICT');
    const found = database.prepare<[], string>('SELECT name FROM owner').pluck().get();
    if (found === undefined) database.prepare('INSERT INTO owner VALUES (?)').run(owner);
    database.exec('COMMIT');
    if (found !== undefined && found !== owner)
      throw new Error(
        `the folder is used for ${found}. Name another folder, or remove ${file} if ${found} no longer uses the folder`,
      );
    return () => void database?.close();
  } catch (error) {
    database?.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw new Error(fileFaultText(error), { cause: error });
  }
}
