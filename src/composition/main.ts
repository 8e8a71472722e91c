#!/usr/bin/env node
import { namedCommand } from '#adapters/cli/named-command.js';
import { Terminal } from '#adapters/cli/terminal.js';
import { withSourceLines } from './source-lines.js';
import { postponeGrowth } from './start/young-objects.js';
import { WORKER_COMMAND } from './workers/worker-start.js';

// Node.js calls this listener, then prints the stack and ends the process.
process.on('uncaughtExceptionMonitor', (error) => {
  if (error instanceof Error && error.stack !== undefined) error.stack = withSourceLines(error.stack);
});

const parameters = process.argv.slice(2);
// This command is only for worker processes, so it is not part of the command line for people.
const isWorker = parameters[0] === WORKER_COMMAND && process.send !== undefined;
// Before most modules are loaded, and only where the start is followed by a rest: an import makes many objects at once.
if (isWorker || (namedCommand(parameters) ?? 'serve') === 'serve') postponeGrowth();

if (isWorker) {
  (await import('./workers/serve-external.js')).serveExternal();
} else {
  const { commandName, runCommand } = await import('./command.js');
  const terminal = new Terminal(process.stdin, process.stdout, process.stderr, process, commandName());
  const status = await runCommand(parameters, terminal);
  if (status !== undefined) process.exitCode = status;
}
