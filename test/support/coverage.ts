/**
 * Folder for the coverage data of the test processes; undefined if coverage is not measured. Threads and processes that tests
 * start write no coverage, because writing would take longer than the tests. The coverage of the measured folders (`CORE` in
 * reporter.ts) is complete without these data.
 */
export const coverageFolder = process.env['NODE_V8_COVERAGE'];
delete process.env['NODE_V8_COVERAGE'];

/** Whether this process is a worker of mocha. */
const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;

// Mocha sends SIGTERM to a worker that has not ended after one second. The worker ignores this signal, because writing the
// coverage can take longer.
if (isWorker && coverageFolder !== undefined) process.on('SIGTERM', () => undefined);

/** Enables coverage in the workers of mocha. The reporter calls this function, because mocha creates the reporter before the workers. */
export function measureWorkers(): void {
  if (coverageFolder !== undefined) process.env['NODE_V8_COVERAGE'] = coverageFolder;
}
