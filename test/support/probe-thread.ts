import { threadId } from 'node:worker_threads';
import { workerData } from 'piscina';
import { count, type ThreadData } from '#adapters/store-sqlite/database/progress.js';

/**
 * Operations of a thread for the tests of `Threads`: they hang, work, exit, fail or succeed. One operation returns the id of its
 * thread and the file that the thread got.
 */
export default function perform({
  file,
  operation,
  parameters,
}: {
  file: string;
  operation: string;
  parameters: unknown[];
}): unknown {
  const { shared } = workerData as ThreadData;
  count(shared);
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  switch (operation) {
    case 'hang':
      Atomics.wait(nothing, 0, 0);
      return undefined;
    case 'work':
      // Reports progress until the test stops the operation, and counts each report for the test.
      while (Atomics.wait(parameters[0] as Int32Array, 0, 0, 5) === 'timed-out') {
        count(shared);
        Atomics.add(parameters[0] as Int32Array, 1, 1);
      }
      return 'worked';
    case 'exit':
      // oxlint-disable-next-line unicorn/no-process-exit
      process.exit(3);
    case 'who':
      return { threadId, file };
    case 'close':
      if (file === 'fails to close') throw new Error('it does not close');
      return undefined;
    case 'fail':
      throw new Error('it fails');
    default:
      return parameters[0];
  }
}
