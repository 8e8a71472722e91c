import type { BadRow } from './file-row.js';

/** Bad rows that become known before the lines in front of them have been read: each waits for its place in the file. */
export class PendingRows {
  #rows: BadRow[] = [];

  add(row: BadRow): void {
    this.#rows.push(row);
    this.#rows.sort((a, b) => a.line - b.line);
  }

  /** Takes out the rows up to a line, in the order of the file. */
  take(line = Infinity): BadRow[] {
    const after = this.#rows.findIndex((row) => row.line > line);
    return this.#rows.splice(0, after === -1 ? this.#rows.length : after);
  }
}

/** Whether a line belongs to a row that was too long, so that its text is not a row. */
export function isCut(rows: readonly BadRow[], line: number): boolean {
  return rows.some((row) => row.isCut === true && row.line === line);
}
