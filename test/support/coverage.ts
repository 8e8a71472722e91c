import { stopCoverage, takeCoverage } from 'node:v8';

/**
 * Folder for the coverage data of the test processes; undefined if coverage is not measured. Threads and processes that tests
 * start write no coverage, because writing would take longer than the tests. The coverage of the measured folders (`CORE` in
 * reporter.ts) is complete without these data.
 */
export const coverageFolder = process.env['NODE_V8_COVERAGE'];
delete process.env['NODE_V8_COVERAGE'];

/** Whether this process is a worker of mocha. */
const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;
let isMeasured = isWorker && coverageFolder !== undefined;

// Mocha sends SIGTERM to a worker that has not ended after one second. The worker ignores this signal, because writing the
// coverage can take longer.
if (isMeasured) process.on('SIGTERM', () => undefined);

/** Enables coverage in the workers of mocha. The reporter calls this function, because mocha creates the reporter before the workers. */
export function measureWorkers(): void {
  if (coverageFolder !== undefined) process.env['NODE_V8_COVERAGE'] = coverageFolder;
}

/** The tests that are enough for the coverage of the core. `.mocharc.json` names them before all others. */
const MEASURING = /\/dist\/test\/(?:adapters\/http|application|contracts\/http|domain)\//;

/**
 * Ends the coverage of a worker before its first file of tests that the coverage of the core does not need: counting takes a
 * seventh of the CPU time of a worker.
 *
 * @param file a file of tests that begins
 */
export function measureFile(file: string): void {
  if (!isMeasured || MEASURING.test(file)) return;
  isMeasured = false;
  takeCoverage();
  stopCoverage();
}
