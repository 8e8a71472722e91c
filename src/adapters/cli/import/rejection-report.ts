import { closeSync, openSync, writeSync } from 'node:fs';
import type { BadRow } from './sent-row.js';

/** Rows that are printed; all of them go to the file. */
const PRINTED = 100;
/** Characters that are gathered before they are written to the file. */
const PIECE = 65_536;

/** Lists rows that were not taken as they are: the first on standard error, all in a file. */
export class RejectionReport {
  readonly #file: number | undefined;
  #text = '';
  #count = 0;

  /** @param path of the file; none when undefined. @throws Error when it cannot be written */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, 'w');
  }

  add({ line, column, problem }: BadRow): void {
    this.#count += 1;
    const place =
      column === undefined ? `line ${line}: ` : `line ${line}, column ${JSON.stringify(column)}: `;
    const text = `${place}${problem}\n`;
    if (this.#file !== undefined) {
      this.#text += text;
      if (this.#text.length > PIECE) this.#flush(this.#file);
    }
    if (this.#count <= PRINTED) process.stderr.write(text);
    else if (this.#count === PRINTED + 1) {
      process.stderr.write('… and more; --rejections FILE has all of them\n');
    }
  }

  close(): void {
    if (this.#file === undefined) return;
    this.#flush(this.#file);
    closeSync(this.#file);
  }

  #flush(file: number): void {
    writeSync(file, this.#text);
    this.#text = '';
  }
}
