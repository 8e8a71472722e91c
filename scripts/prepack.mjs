// Before `npm pack`: builds, and adds the type declarations of what the package exports.
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.types.json']);
