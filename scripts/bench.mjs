// `npm run bench NAME`: builds the project and runs one of the programs in bench/.
import { existsSync } from 'node:fs';
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
await ensureInstalled(ensureBuilt);
const [name, ...parameters] = process.argv.slice(2);
if (!existsSync(`dist/bench/${name}.js`)) {
  process.stderr.write(
    'There is no such benchmark. Usage: npm run bench http|sign-in|tokens|store|weather|scale|columns|pair|soak|servers|instances|reads|compression|events|forecast|internal|upload|consoles|import|quality|site|telemetry|disk-writes|workers|mutants\n',
  );
  process.exit(2);
}
run(process.execPath, [`dist/bench/${name}.js`, ...parameters]);
