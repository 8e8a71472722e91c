import './coverage.js';
import { makeServersFolder, removeServers } from './postgres.js';

/**
 * Mocha calls both functions in its main process: the first before all suites, the second after all suites and workers have
 * ended.
 */
export const [mochaGlobalSetup, mochaGlobalTeardown] = [makeServersFolder, removeServers];
