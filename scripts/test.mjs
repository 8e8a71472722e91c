// `npm test`: installs missing packages, checks types, runs the linter, and runs all suites.
import { rmSync } from 'node:fs';
import { ensureBuilt, ensureClientInstalled, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
await ensureInstalled(async () => {
  ensureClientInstalled();
  ensureBuilt(); // The build also checks all types.
  await import('./lint.mjs');
});
rmSync('coverage', { recursive: true, force: true });
run('node_modules/.bin/mocha', process.argv.slice(2), { NODE_V8_COVERAGE: 'coverage/raw' });
