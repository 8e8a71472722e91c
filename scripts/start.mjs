// `npm start`: installs and builds what is missing, then serves in this same process.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
await import('../dist/service/main.js');

// Whoever ends npm means the service. The signal reaches the shell between the two, which dies of it and passes nothing on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();
