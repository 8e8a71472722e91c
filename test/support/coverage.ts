/**
 * The folder for the coverage of the processes that run the tests; undefined if it is not measured. Threads and processes
 * that tests start write no coverage: that would take longer than the tests, and the core is covered without them.
 */
export const coverageFolder = process.env['NODE_V8_COVERAGE'];
delete process.env['NODE_V8_COVERAGE'];

/** Whether this process runs files for another one, which reports their results. */
const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;

// Mocha sends the signal to a worker that has not ended after a second. Writing the coverage may take longer.
if (isWorker && coverageFolder !== undefined) process.on('SIGTERM', () => undefined);

/** Makes the workers that mocha starts measure their coverage. Mocha starts them after it has made its reporter. */
export function measureWorkers(): void {
  if (coverageFolder !== undefined) process.env['NODE_V8_COVERAGE'] = coverageFolder;
}
