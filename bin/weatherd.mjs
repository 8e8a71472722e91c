#!/usr/bin/env node
// Here before anything is built: npm links commands when it installs, and only to files that are there.
import { existsSync } from 'node:fs';

const main = new URL('../dist/service/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('weatherd: It has not been built; npm start and npm run build do that.\n');
  process.exitCode = 1;
}
