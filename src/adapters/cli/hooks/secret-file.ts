import { readFileSync, statSync } from 'node:fs';

/** Largest size of the file in bytes. The secret is the first line, with at most 200 characters. */
const MAX_SIZE = 65_536;

/** Reads the first line of the file of `--secret-file`. @throws Error that names the option and the file */
export function readSecretFile(file: string): string {
  try {
    // Only regular files are read, because reading a named pipe, for example, may never end.
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('the path is not a regular file.');
    if (stats.size > MAX_SIZE) throw new Error(`the file has more than ${MAX_SIZE} bytes.`);
    const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
    return line.trim();
  } catch (error) {
    throw new Error(`--secret-file ${file}: ${(error as Error).message}`, { cause: error });
  }
}
