import { closeSync, openSync, writeFileSync } from 'node:fs';
import { checkOutput, type OutputRules } from '../output-file.js';
import type { Terminal } from '../terminal.js';
import type { RejectedRow } from '#adapters/formats/files/file-row.js';

/** Rows that are printed; all of them go to the file. */
const PRINTED = 100;
/** Characters that are gathered before they are written to the file. */
const PIECE = 65_536;

type ReportRules = Omit<OutputRules, 'force'>;

/** @throws DomainError REQUEST_INVALID for a file that must not be written */
export function checkReport(file: string | undefined, rules: ReportRules): string | undefined {
  return file === undefined ? undefined : checkOutput(file, { ...rules, force: true }).path;
}

/** Lists rows that were not taken as they are: the first on standard error, all in a file. */
export class RejectionReport {
  readonly #file?: number;
  readonly #terminal: Terminal;
  readonly #prefix: string;
  #text = '';
  #count = 0;

  /**
   * @param file that is made or replaced; none when undefined
   * @param options.goesOn whether the rows of an attempt, or a file, before are in the file and stay there
   * @param options.prefix of each line: the name of the file, where there are several
   * @throws DomainError REQUEST_INVALID for a file that must not be written; Error when it cannot be written
   */
  constructor(
    file: string | undefined,
    rules: ReportRules,
    terminal: Terminal,
    { goesOn = false, prefix = '' }: { goesOn?: boolean; prefix?: string } = {},
  ) {
    this.#prefix = prefix;
    this.#terminal = terminal;
    const path = checkReport(file, rules);
    if (path !== undefined) this.#file = openSync(path, goesOn ? 'a' : 'w');
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
    if (this.#count <= PRINTED) this.#terminal.errors.write(text);
    else if (this.#count === PRINTED + 1) {
      this.#terminal.printError('… and more; --rejections FILE has all of them');
    }
  }

  /** Writes to the file what has gathered. @throws Error when it cannot be written */
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
