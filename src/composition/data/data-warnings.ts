import { type Stats, statSync } from 'node:fs';
import type { Config } from '../config.js';
import { dataFile, isEmpty } from './data-place.js';

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/** Warnings about the data before they are opened, one sentence each. */
export function dataWarnings(config: Config): string[] {
  const warnings: string[] = [];
  const directory = statsOf(config.DATA_DIR);
  if (directory?.isDirectory() === true && (directory.mode & OTHERS) !== 0) {
    // The mode is not changed, because a group may have access on purpose.
    const mode = (directory.mode & 0o777).toString(8).padStart(4, '0');
    warnings.push(
      `the data directory ${config.DATA_DIR} has mode ${mode} and is not for its owner alone; chmod 700 makes it so`,
    );
  }
  const file = dataFile(config);
  if (file !== undefined && isEmpty(file)) {
    warnings.push(`the data file ${file} was empty; the service starts without any data`);
  }
  return warnings;
}

/** Undefined if the file does not exist or cannot be examined. Opening it then reports the reason. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
