import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkOutput, type OutputRules } from '../output-file.js';

/**
 * Writes a file whole or not at all: a temporary file in the same folder is written, and renamed when it is complete. A pipe,
 * /dev/null or another file that is not regular is written directly. The umask sets the mode of the file.
 *
 * @param signal cancels the writing; the temporary file is then removed
 * @throws DomainError REQUEST_INVALID for a file that must not be written
 */
export async function writeWhole(
  file: string,
  content: Readable,
  rules: OutputRules,
  signal: AbortSignal,
): Promise<void> {
  const { path, isRegular } = checkOutput(file, rules);
  if (!isRegular) return await pipeline(content, createWriteStream(path), { signal });
  const temporary = `${path}.${process.pid}.partial`;
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx' }), { signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // The name of the file is added only to the error of a failed write, because only this error does not contain the name.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error;
    throw new Error(`${path} cannot be written:`, { cause: error });
  }
}
