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
run('node_modules/.bin/mocha', process.argv.slice(2), { NODE_V8_COVERAGE: 'coverage/raw' });
