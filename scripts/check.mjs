// `npm run check`: the part of `npm test` that ends within a minute: types, lint, and the tests of the domain, the application and
// the formats. At the end it prints the sizes of `src` and compares them with the recorded sizes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compile, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
await ensureInstalled();
// The linter runs beside the compiler and the tests, which do not use all processors all the time. Its output comes after theirs.
const linter = spawn(process.execPath, ['scripts/lint.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] });
const linted = once(linter, 'close');
let output = '';
for (const stream of [linter.stdout, linter.stderr]) stream.on('data', (text) => (output += text));
compile();
// These tests run without source maps, which would take 6 s. Stack traces show the lines of dist/.
run('node_modules/.bin/mocha', ['--config', '.mocharc.fast.json', ...process.argv.slice(2)]);
const [status] = await linted;
process.stderr.write(output);
if (status !== 0) process.exit(status ?? 1);
await import('./sizes.mjs');
