// Runs before `npm pack`: builds the project and adds the type declarations of the exports of the package.
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
await ensureInstalled(ensureBuilt);
run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.types.json']);
