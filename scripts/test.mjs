// `npm test`: installs, type-checks, lints and runs every suite.
import { rmSync } from 'node:fs';
import { ensureBuilt, ensureClientInstalled, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureClientInstalled();
ensureBuilt(); // The compiler checks every type on the way.
await import('./lint.mjs');
rmSync('coverage', { recursive: true, force: true });
run('node_modules/.bin/mocha', process.argv.slice(2), { NODE_V8_COVERAGE: 'coverage/raw' });
