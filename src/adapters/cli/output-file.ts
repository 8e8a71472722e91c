import {
  accessSync,
  type BigIntStats,
  constants,
  existsSync,
  lstatSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { DomainError } from '#domain/domain-error.js';

/** Restrictions for the files that a command may write. */
export interface OutputRules {
  /** Files and folders with the data of the service, whether or not they exist. */
  readonly dataPaths: readonly string[];
  /** The input file of the command. */
  readonly source?: string;
  /** Whether an existing regular file may be replaced. */
  readonly force: boolean;
}

export interface OutputFile {
  /** The path. For a regular file it is absolute and contains no symbolic links. */
  readonly path: string;
  /** False for an existing pipe or device such as /dev/null, which cannot be replaced. */
  readonly isRegular: boolean;
}

/**
 * Checks a file that a command is about to write. Every file that a user names for output must pass this check.
 *
 * @throws DomainError REQUEST_INVALID for a folder, a file of the data, the input file, an existing file without `force`, or a
 *   file in a folder that does not exist; Error of the system if the user may not create files in the folder
 */
export function checkOutput(file: string, { dataPaths, source, force }: OutputRules): OutputFile {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (stats?.isDirectory() === true) throw invalid(`${file} is a folder. Name a file in the folder.`);
  if (stats !== undefined && !stats.isFile()) return { path: file, isRegular: false };
  const path = realPath(file);
  const owner = dataPaths.find((data) => isWithin(path, realPath(data)) || isSame(stats, data));
  if (owner !== undefined) {
    throw invalid(`${file} is among the data of the service (${owner}). Choose another path.`);
  }
  if (source !== undefined && isSame(stats, source)) {
    throw invalid(`${file} is the input file. Choose another path.`);
  }
  if (stats !== undefined && !force) throw invalid(`${file} exists already. --force replaces it.`);
  if (stats === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw invalid(`${file} is a symbolic link to a file that does not exist. Remove the link.`);
  }
  const folder = dirname(path);
  if (!existsSync(folder)) throw invalid(`The folder ${folder} of ${file} does not exist. Create it.`);
  accessSync(folder, constants.W_OK | constants.X_OK);
  return { path, isRegular: true };
}

/** The absolute path without symbolic links. Parts of the path that do not exist are kept unchanged. */
export function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), basename(whole));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Whether both paths are the same file, for example through hard links or in a file system that ignores case. */
function isSame(stats: BigIntStats | undefined, other: string): boolean {
  if (stats === undefined) return false;
  try {
    const { dev, ino } = statSync(other, { bigint: true });
    return dev === stats.dev && ino === stats.ino;
  } catch {
    return false; // The file does not exist or cannot be examined.
  }
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
