/**
 * The folder where this process writes its coverage; undefined where it is not measured. Threads and processes that tests start
 * write none: that would take longer than the tests, and the core is covered within this process.
 */
export const coverageFolder = process.env['NODE_V8_COVERAGE'];
delete process.env['NODE_V8_COVERAGE'];
