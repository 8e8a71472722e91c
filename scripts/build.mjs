// `npm run build`: installs and compiles what is missing.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
