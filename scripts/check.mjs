// `npm run check`: the part of `npm test` that ends within a minute: types, lint, and the tests of the domain, the application and
// the formats. At the end it prints the sizes of `src` and compares them with the recorded sizes.
import { compile, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
ensureInstalled();
compile();
await import('./lint.mjs');
run('node_modules/.bin/mocha', ['--config', '.mocharc.fast.json', ...process.argv.slice(2)]);
await import('./sizes.mjs');
