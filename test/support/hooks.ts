import './coverage.js';
import { removePostgresServer } from './postgres.js';

/** What mocha runs around all suites. */
export const mochaHooks = { afterAll: removePostgresServer };
