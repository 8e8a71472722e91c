import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { shellWord } from '../shell-word.js';
import { dataFile, isEmpty, keysFolder } from './data-location.js';

/** The permission bits of the group and of other users. */
const OTHERS = 0o077;

/** Warnings about the data before they are opened, one sentence each. */
export function dataWarnings(config: Config): string[] {
  const warnings: string[] = [];
  const directory = statsOf(config.DATA_DIR);
  if (directory?.isDirectory() === true && (directory.mode & OTHERS) !== 0) {
    // The mode is not changed, because a group may have access on purpose.
    const mode = (directory.mode & 0o777).toString(8).padStart(4, '0');
    warnings.push(
      `the data directory ${config.DATA_DIR} has mode ${mode}, so that other users have access; chmod 700 restricts it to its owner`,
    );
  }
  const file = dataFile(config);
  if (file !== undefined && isEmpty(file)) {
    warnings.push(`the data file ${file} is empty; the service starts without data`);
  }
  return warnings;
}

/**
 * Warnings about signing keys to which other users have access, one sentence each.
 *
 * @throws Error of the system if the folder cannot be read
 */
export function keyWarnings(config: Config): string[] {
  const folder = keysFolder(config);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((path) => ((statsOf(path)?.mode ?? 0) & OTHERS) !== 0)
    .map((path) => `The mode of the signing key ${path} lets other users read or change it: chmod 600 ${shellWord(path)}`);
}

/**
 * The status of a file. Undefined if the file does not exist or cannot be examined. Opening the file later reports the reason.
 */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
