/**
 * The folder for the coverage of this process; undefined if it is not measured. Threads and processes that tests start
 * write no coverage: that would take longer than the tests, and the core is covered by this process.
 */
export const coverageFolder = process.env['NODE_V8_COVERAGE'];
delete process.env['NODE_V8_COVERAGE'];
