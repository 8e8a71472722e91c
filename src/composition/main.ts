#!/usr/bin/env node
import { Terminal } from '../adapters/cli/terminal.js';
import { runCommand } from './command.js';
import { withSourceLines } from './source-lines.js';

// Node.js prints the stack and ends the process.
process.on('uncaughtExceptionMonitor', (error) => {
  if (error instanceof Error && error.stack !== undefined) error.stack = withSourceLines(error.stack);
});

const terminal = new Terminal(process.stdin, process.stdout, process.stderr, process);
const status = await runCommand(process.argv.slice(2), terminal);
if (status !== undefined) process.exitCode = status;
