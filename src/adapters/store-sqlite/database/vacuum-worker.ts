import { parentPort, workerData } from 'node:worker_threads';
import { sendableError } from '../files/file-faults.js';
import { Sqlite } from './driver.js';

/**
 * Rewrites a data file without free pages. It runs in a separate thread, because it takes long and cannot be interrupted. It is one
 * transaction:
 * if the process ends before the end, the file is unchanged. It sends a message when it has finished.
 */
const database = new Sqlite(workerData as string, { fileMustExist: true, timeout: 0 });
try {
  // No other process can open the file until it is closed.
  database.pragma('locking_mode = EXCLUSIVE');
  database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  database.pragma('synchronous = FULL');
  database.exec('VACUUM');
  // Only this step makes the file smaller.
  database.pragma('wal_checkpoint(TRUNCATE)');
} catch (error) {
  throw sendableError(error);
} finally {
  database.close();
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage('done');
