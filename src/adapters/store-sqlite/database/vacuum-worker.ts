import { parentPort, workerData } from 'node:worker_threads';
import { sendableError } from '../files/faults.js';
import { Sqlite } from './driver.js';

/**
 * Rewrites a data file without free pages. In a thread of its own, because this takes long and cannot be interrupted. It
 * is one transaction: if the process ends meanwhile, the file is as it was. It sends a message when it is done.
 */
const database = new Sqlite(workerData as string, { fileMustExist: true, timeout: 0 });
try {
  // Nobody else can open the file until it is closed.
  database.pragma('locking_mode = EXCLUSIVE');
  database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  database.pragma('synchronous = FULL');
  database.exec('VACUUM');
  // Only this makes the file smaller.
  database.pragma('wal_checkpoint(TRUNCATE)');
} catch (error) {
  throw sendableError(error);
} finally {
  database.close();
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage('done');
