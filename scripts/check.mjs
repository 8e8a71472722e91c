// `npm run check`: the part of `npm test` that ends within a minute: types, lint, and the tests of the domain, the application and
// the formats. At the end it prints the sizes of `src` and compares them with the recorded sizes.
import { compile, ensureInstalled, ensureNode, run, runBeside } from './ensure.mjs';

ensureNode();
await ensureInstalled();
// The linter runs beside the compiler and the tests, which do not use all processors all the time. Its output comes after theirs.
const linted = runBeside(process.execPath, ['scripts/lint.mjs']);
await compile();
// These tests run without source maps, which would take 6 s. Stack traces show the lines of dist/.
run('node_modules/.bin/mocha', ['--config', '.mocharc.fast.json', ...process.argv.slice(2)]);
await linted;
await import('./sizes.mjs');
