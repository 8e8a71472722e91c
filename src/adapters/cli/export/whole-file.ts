import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkOutput, type OutputRules } from '../output-file.js';

/**
 * Writes a file beside its place and moves it there when it is whole. What is no regular file, such as a pipe or /dev/null,
 * is written to directly. The mode is that of the umask.
 *
 * @param signal ends the writing; nothing is left of the file then
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
    throw error;
  }
}
