// `npm start`: installs and builds what is missing, then serves in this same process.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
await import('../dist/src/composition/main.js');
