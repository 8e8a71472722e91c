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

/** Waits until all threads have come this far. */
function meet(counter: number, round: number): void {
  Atomics.add(counters, counter, 1);
  while (Atomics.load(counters, counter) < threads * round);
}

for (const [index, file] of files.entries()) {
  meet(0, index + 1);
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file);
  } catch (error) {
    faults.push(String(error));
  }
  meet(1, index + 1);
  connection?.database.close();
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(faults);
