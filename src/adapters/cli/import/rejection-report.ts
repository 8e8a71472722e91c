import { closeSync, openSync, writeFileSync } from 'node:fs';
import { checkOutput, type OutputRules } from '../output-file.js';
import type { Terminal } from '../terminal.js';
import type { RejectedRow } from '#adapters/formats/files/file-row.js';

/** Largest number of rejections that are printed. The file of `--rejections` has all of them. */
const PRINTED = 100;
/** Number of characters that are collected before they are written to the file. */
const PIECE = 65_536;

type ReportRules = Omit<OutputRules, 'force'>;

/** @throws DomainError REQUEST_INVALID for a file that must not be written */
export function checkReport(file: string | undefined, rules: ReportRules): string | undefined {
  return file === undefined ? undefined : checkOutput(file, { ...rules, force: true }).path;
}

/** Lists rows and cells that were not imported: the first ones on standard error, all of them in a file. */
export class RejectionReport {
  readonly #file?: number;
  readonly #terminal: Terminal;
  readonly #prefix: string;
  #text = '';
  #count = 0;

  /**
   * @param file path of a file that is created or replaced; undefined for no file
   * @param options.continues whether the file has rejections of an earlier file or attempt, which are kept
   * @param options.prefix prefix of each line: the name of the file, if there are several
   * @throws DomainError REQUEST_INVALID for a file that must not be written; Error if it cannot be written
   */
  constructor(
    file: string | undefined,
    rules: ReportRules,
    terminal: Terminal,
    { continues = false, prefix = '' }: { continues?: boolean; prefix?: string } = {},
  ) {
    this.#prefix = prefix;
    this.#terminal = terminal;
    const path = checkReport(file, rules);
    if (path !== undefined) this.#file = openSync(path, continues ? 'a' : 'w');
  }

  add({ line, column, problem }: RejectedRow): void {
    this.#count += 1;
    const place =
      column === undefined ? `line ${line}: ` : `line ${line}, column ${JSON.stringify(column)}: `;
    const text = `${this.#prefix}${place}${problem}\n`;
    if (this.#file !== undefined) {
      this.#text += text;
      if (this.#text.length > PIECE) this.flush();
    }
    if (this.#count <= PRINTED) this.#terminal.writeError(text);
    else if (this.#count === PRINTED + 1) {
      this.#terminal.printError('… and more. --rejections FILE writes all of them to a file.');
    }
  }

  /** Writes the collected text to the file. @throws Error if the file cannot be written */
  flush(): void {
    const text = this.#text;
    this.#text = '';
    if (this.#file !== undefined) writeFileSync(this.#file, text);
  }

  close(): void {
    if (this.#file === undefined) return;
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
    }
  }
}
