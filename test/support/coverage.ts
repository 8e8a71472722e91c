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

// Mocha sends SIGTERM to a worker that has not ended after one second. The worker ignores this signal, because writing the
// coverage can take longer.
if (isWorker && coverageFolder !== undefined) process.on('SIGTERM', () => undefined);

/** Enables coverage in the workers of mocha. The reporter calls this function, because mocha creates the reporter before the workers. */
export function measureWorkers(): void {
  if (coverageFolder !== undefined) process.env['NODE_V8_COVERAGE'] = coverageFolder;
}

/**
 * The tests of the core, which are the first ones in `.mocharc.json`. Only they count: other tests cover the core by chance, and
 * counting costs a tenth of their CPU time.
 */
const CORE_TESTS = /\/test\/(?:domain|application|adapters\/http|contracts\/http)\//;
let isCounting = isWorker && coverageFolder !== undefined;

/** Ends the counting in this worker of mocha before its first test file outside of `CORE_TESTS`. @param file that follows */
export function countCoreOnly(file: string): void {
  const isOfCore = CORE_TESTS.test(file);
  if (isOfCore && isWorker && coverageFolder !== undefined && !isCounting)
    throw new Error(`The coverage of ${file} is not counted: .mocharc.json must name it before other tests.`);
  if (isOfCore || !isCounting) return;
  takeCoverage();
  stopCoverage();
  isCounting = false;
}
