import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How far an import of a file has come, kept in a folder, so that the next attempt goes on from there. */
export class ImportProgress {
  readonly #file: string;

  /** @param options everything that makes another import of the same file */
  constructor(folder: string, source: string, options: unknown) {
    const path = resolve(source);
    const { size, mtimeMs } = statSync(path);
    const key = JSON.stringify([path, size, mtimeMs, options]);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }

  /** The last line that has been dealt with; 0 at the beginning. */
  read(): number {
    if (!existsSync(this.#file)) return 0;
    try {
      return (JSON.parse(readFileSync(this.#file, 'utf8')) as { line: number }).line;
    } catch {
      return 0; // Writing again what is there already changes nothing.
    }
  }

  /** Whole or not at all. */
  write(line: number): void {
    writeFileSync(`${this.#file}.tmp`, JSON.stringify({ line }));
    renameSync(`${this.#file}.tmp`, this.#file);
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
