import { type Stats, statSync } from 'node:fs';
import type { Config } from '../config.js';
import { dataFile, isEmpty } from './data-place.js';

/** Permissions of a group and of everybody else. */
const OTHERS = 0o077;

/** What somebody should know of the data before it is opened, a sentence each. */
export function dataWarnings(config: Config): string[] {
  const warnings: string[] = [];
  const directory = statsOf(config.DATA_DIR);
  if (directory !== undefined && (directory.mode & OTHERS) !== 0) {
    // Left as it is: somebody may have given a group access on purpose.
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

/** Undefined where it is not there, or cannot be looked at: what opens it then says why. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
