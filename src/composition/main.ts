#!/usr/bin/env node
import { Terminal } from '../adapters/cli/terminal.js';
import { runCommand } from './command.js';

const terminal = new Terminal(process.stdin, process.stdout, process.stderr, process);
const status = await runCommand(process.argv.slice(2), terminal);
if (status !== undefined) process.exitCode = status;
