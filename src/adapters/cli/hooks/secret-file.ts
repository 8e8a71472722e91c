import { readFileSync, statSync } from 'node:fs';

/** Largest size of the file in bytes. A secret has at most 1000 characters. */
const MAX_SIZE = 65_536;

/** Reads the first line of the file of `--secret-file`. @throws Error that names the option and the file */
export function readSecretFile(file: string): string {
  const [line = ''] = readLines(file);
  return line.trim();
}

/**
 * Reads the lines `name=value` of the file of `--secret-file`. Empty lines and lines that begin with `#` are skipped.
 *
 * @throws Error that names the option, the file and the number of a wrong line, never its text
 */
export function readNamedSecrets(file: string): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const [index, line] of readLines(file).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const end = text.indexOf('=');
    const [name, value] = [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1).trim()];
    if (!/^[a-z][a-z-]{0,40}$/.test(name) || value === '')
      throw new Error(`--secret-file ${file}: line ${index + 1} is not "name=value".`);
    secrets[name] = value;
  }
  return secrets;
}

function readLines(file: string): readonly string[] {
  return readSmallFile('--secret-file', file).split(/\r?\n/);
}

/** Reads a text file. @throws Error that names the option and the file */
export function readSmallFile(option: string, file: string): string {
  try {
    // Only regular files are read, because reading a named pipe, for example, may never end.
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('the path is not a regular file.');
    if (stats.size > MAX_SIZE) throw new Error(`the file has more than ${MAX_SIZE} bytes.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${option} ${file}: ${(error as Error).message}`, { cause: error });
  }
}
