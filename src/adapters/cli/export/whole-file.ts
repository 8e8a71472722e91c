import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../../domain/domain-error.js';

/**
 * Writes a file beside its place and moves it there when it is whole. What is no regular file, such as a pipe or /dev/null,
 * is written to directly. The mode is that of the umask.
 *
 * @param force replaces a file that exists
 * @param dataPaths directories and files with the data of the service, in which nothing is written
 * @throws DomainError REQUEST_INVALID for a file that exists, or a place among the data
 */
export async function writeWhole(
  file: string,
  content: Readable,
  force: boolean,
  dataPaths: readonly string[],
): Promise<void> {
  const path = realPath(file);
  const owner = dataPaths.map(realPath).find((data) => path === data || isBelow(path, data));
  if (owner !== undefined) {
    throw invalid(`${file} lies among the data of the service (${owner}): choose another place.`);
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw invalid(`${file} is a directory.`);
  if (stats !== undefined && !stats.isFile()) return await pipeline(content, createWriteStream(path));
  if (stats !== undefined && !force) throw invalid(`${file} exists already; --force replaces it.`);
  const temporary = `${path}.${process.pid}.partial`;
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx' }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Without symbolic links, as far as there is something. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), basename(whole));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
