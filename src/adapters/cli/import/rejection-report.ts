import { type FileHandle, open } from 'node:fs/promises';
import type { BadRow } from './sent-row.js';

/** Rejected rows that are printed; all of them go to the file. */
const PRINTED = 100;

/** Tells of rejected rows: the first on standard error, all in a file. */
export class RejectionReport {
  readonly #file: FileHandle | undefined;
  #lines: string[] = [];
  #count = 0;

  private constructor(file: FileHandle | undefined) {
    this.#file = file;
  }

  static async open(path: string | undefined): Promise<RejectionReport> {
    return new RejectionReport(path === undefined ? undefined : await open(path, 'w'));
  }

  add({ line, problem }: BadRow): void {
    this.#count += 1;
    const text = `line ${line}: ${problem}`;
    if (this.#file !== undefined) this.#lines.push(text);
    if (this.#count <= PRINTED) process.stderr.write(`${text}\n`);
    else if (this.#count === PRINTED + 1) {
      process.stderr.write('… and more; --rejections FILE has all of them\n');
    }
  }

  async close(): Promise<void> {
    await this.#file?.writeFile(this.#lines.map((line) => `${line}\n`).join(''));
    await this.#file?.close();
  }
}
