export interface Rejection {
  /** Row of the batch, from 0. */
  readonly index: number;
  /** Name of a variable, `time`, or `row` for all of it. */
  readonly field: string;
  readonly reason: string;
}

/** Largest number of rejections that are listed. All refused rows are counted. */
export const MAX_REJECTIONS = 1000;

/** The refused rows of a request: the first reasons as text, and a byte for each row. */
export class Refusals {
  /** The first `MAX_REJECTIONS` that were added. */
  readonly listed: Rejection[] = [];
  #rows: Uint8Array;
  #count = 0;

  /** @param rows how many there are; more may follow */
  constructor(rows = 0) {
    this.#rows = new Uint8Array(rows);
  }

  /** Number of rows that are refused. */
  get count(): number {
    return this.#count;
  }

  has(row: number): boolean {
    return this.#rows[row] === 1;
  }

  /** @param reason is called only for a rejection that is listed */
  add(index: number, field: string, reason: () => string): void {
    if (this.listed.length < MAX_REJECTIONS) this.listed.push({ index, field, reason: reason() });
    this.mark(index);
  }

  /** Refuses a row whose reason is not kept. */
  mark(index: number): void {
    if (this.#rows[index] === 1) return;
    if (index >= this.#rows.length) this.#grow(index + 1);
    this.#rows[index] = 1;
    this.#count += 1;
  }

  /** @returns a byte for each of `rows` rows: 1 for a refused row */
  bytes(rows: number): Uint8Array {
    if (rows > this.#rows.length) this.#grow(rows);
    return this.#rows.subarray(0, rows);
  }

  #grow(rows: number): void {
    const larger = new Uint8Array(Math.max(rows, 2 * this.#rows.length));
    larger.set(this.#rows);
    this.#rows = larger;
  }
}
