import { readFileSync } from 'node:fs';

/** The first line of the file of `--secret-file`. @throws Error that names the option and the file if it cannot be read */
export function readSecret(file: string): string {
  try {
    const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
    return line.trim();
  } catch (error) {
    throw new Error(`--secret-file ${file}: ${(error as Error).message}`, { cause: error });
  }
}
