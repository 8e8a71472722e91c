import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';

/** The parameters of a thread that opens new data files at the same moments as the other threads. */
export interface OpeningThread {
  readonly files: readonly string[];
  /** Number of threads. */
  readonly threads: number;
  /** Two counters: of threads that are about to open a file, and of threads that have tried to. Their sums go over all files. */
  readonly counters: Int32Array;
}

const { files, threads, counters } = workerData as OpeningThread;
const faults: string[] = [];

/** Waits until all threads are about to open a file. The wait is active, so that the threads go on at the same moment. */
function meet(round: number): void {
  Atomics.add(counters, 0, 1);
  while (Atomics.load(counters, 0) < threads * round);
}

/** Waits until all threads have tried to open a file, without CPU time. */
function waitForOthers(round: number): void {
  Atomics.add(counters, 1, 1);
  Atomics.notify(counters, 1);
  for (let count = 0; count < threads * round; count = Atomics.load(counters, 1))
    Atomics.wait(counters, 1, count);
}

for (const [index, file] of files.entries()) {
  meet(index + 1);
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file);
  } catch (error) {
    faults.push(String(error));
  }
  waitForOthers(index + 1);
  connection?.database.close();
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(faults);
