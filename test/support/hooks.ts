import './coverage.js';
import { makeServersFolder, removeServers } from './postgres.js';

/**
 * Mocha calls both in the process that reports the results: before all suites, and when all suites have ended, and with
 * them the workers.
 */
export const [mochaGlobalSetup, mochaGlobalTeardown] = [makeServersFolder, removeServers];
