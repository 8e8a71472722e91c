// `npm run build`: installs missing packages and builds the project if the build is outdated.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs';

ensureNode();
await ensureInstalled(ensureBuilt);
