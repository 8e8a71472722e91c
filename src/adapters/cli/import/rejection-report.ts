import { closeSync, openSync, writeSync } from 'node:fs';
import { checkOutput, type OutputRules } from '../output-file.js';
import type { Terminal } from '../terminal.js';
import type { BadRow } from './sent-row.js';

/** Rows that are printed; all of them go to the file. */
const PRINTED = 100;
/** Characters that are gathered before they are written to the file. */
const PIECE = 65_536;

/** Lists rows that were not taken as they are: the first on standard error, all in a file. */
export class RejectionReport {
  readonly #file?: number;
  readonly #terminal: Terminal;
  #text = '';
  #count = 0;

  /**
   * @param file that is made or replaced; none when undefined
   * @throws DomainError REQUEST_INVALID for a file that must not be written; Error when it cannot be written
   */
  constructor(file: string | undefined, rules: Omit<OutputRules, 'force'>, terminal: Terminal) {
    this.#terminal = terminal;
    if (file !== undefined) this.#file = openSync(checkOutput(file, { ...rules, force: true }).path, 'w');
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
    if (this.#count <= PRINTED) this.#terminal.errors.write(text);
    else if (this.#count === PRINTED + 1) {
      this.#terminal.tell('… and more; --rejections FILE has all of them');
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
