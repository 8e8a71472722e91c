import { readFileSync, statSync } from 'node:fs';

/** Largest size of the file in bytes. The secret is its first line, of at most 200 characters. */
const MAX_SIZE = 65_536;

/** The first line of the file of `--secret-file`. @throws Error that names the option and the file if it cannot be read */
export function readSecretFile(file: string): string {
  try {
    // Reading another kind, such as a named pipe, may never end.
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is no regular file.');
    if (stats.size > MAX_SIZE) throw new Error(`it has more than ${MAX_SIZE} bytes.`);
    const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
    return line.trim();
  } catch (error) {
    throw new Error(`--secret-file ${file}: ${(error as Error).message}`, { cause: error });
  }
}
