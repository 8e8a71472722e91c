import { parentPort, workerData } from 'node:worker_threads';
import { sendableError } from '../files/file-faults.js';
import { Sqlite } from './driver.js';

/**
 * Rewrites a data file without free pages. A separate thread does this, because the rewriting takes long and cannot be
 * interrupted. The rewriting is one transaction: if the process ends before the end, the file is unchanged. The thread sends a
 * message when it has finished.
 */
const database = new Sqlite(workerData as string, { fileMustExist: true, timeout: 0 });
try {
  // With this lock, no other process can open the file until this thread closes it.
  database.pragma('locking_mode = EXCLUSIVE');
  database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  database.pragma('synchronous = FULL');
  database.exec('VACUUM');
  // VACUUM writes to the write-ahead log. Only this checkpoint makes the file itself smaller.
  database.pragma('wal_checkpoint(TRUNCATE)');
} catch (error) {
  throw sendableError(error);
} finally {
  database.close();
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage('done');
