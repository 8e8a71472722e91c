import './coverage.js';
import { removePostgresServer } from './postgres.js';

/** Hooks that mocha runs around all suites. */
export const mochaHooks = { afterAll: removePostgresServer };
