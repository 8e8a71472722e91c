// `npm test`: installs missing packages, checks types, runs the linter, and runs all suites.
import { rmSync } from 'node:fs';
import {
  ensureBuilt,
  ensureClientInstalled,
  ensureInstalled,
  ensureNode,
  run,
  runBeside,
} from './ensure.mjs';

ensureNode();
const client = ensureClientInstalled();
await ensureInstalled(async () => {
  await client;
  // The linter runs beside the build, which also checks all types.
  await Promise.all([ensureBuilt(), runBeside(process.execPath, ['scripts/lint.mjs'])]);
});
rmSync('coverage', { recursive: true, force: true });
// Before Node.js 22, V8 has only one compiler for functions that run often. It optimizes a function thirty times later than usual here,
// because most functions of a test run too seldom to be worth it.
const later =
  Number(process.versions.node.split('.')[0]) < 22 ? ['--node-option', 'interrupt-budget=2000000'] : [];
run('node_modules/.bin/mocha', [...later, ...process.argv.slice(2)], { NODE_V8_COVERAGE: 'coverage/raw' });
