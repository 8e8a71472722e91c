// `npm start`: installs missing packages, builds the project if the build is outdated, and runs the service in this process.
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs';

ensureNode();
await ensureInstalled(ensureBuilt);
await import('../dist/service/main.js');

// When npm is stopped, the service must stop too. The signal ends the shell between npm and this process, but the shell does not
// forward the signal. So the service stops when its parent process changes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();
