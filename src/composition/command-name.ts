import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package-info.js';
import { shellWord } from './shell-word.js';

/**
 * The command that starts this program: `weatherd` if the program was started with this name, otherwise `node` with the path of
 * the script. Another name alone is never returned, because it might be the name of a foreign package in a package registry.
 */
export function commandName(): string {
  if (basename(process.argv[1] ?? '') === 'weatherd') return 'weatherd';
  const script = relative('', fileURLToPath(packageFile('bin/weatherd.mjs')));
  return `node ${shellWord(script)}`;
}
