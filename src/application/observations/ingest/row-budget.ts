/** Largest number of rows that may wait for the disk at a time. */
const ROWS_UNDER_WAY = 32_768;

/** Limits the number of rows of all callers that wait for the disk. Further callers wait in the order of arrival. */
export class RowBudget {
  readonly #size: number;
  readonly #waiting: { readonly rows: number; readonly admit: () => void }[] = [];
  #used = 0;

  constructor(size = ROWS_UNDER_WAY) {
    this.#size = size;
  }

  /** Number of rows that were acquired and not released. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes `rows` rows of the budget, which the caller must release. More rows than the whole budget are admitted when nothing
   * else waits for the disk.
   *
   * @returns undefined where they fit at once; otherwise a promise that resolves when they do
   */
  acquire(rows: number): Promise<void> | undefined {
    if (this.#waiting.length > 0 || !this.#fits(rows))
      return new Promise((admit) => this.#waiting.push({ rows, admit }));
    this.#used += rows;
    return undefined;
  }

  release(rows: number): void {
    this.#used -= rows;
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.rows); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.rows;
      next.admit();
    }
  }

  #fits(rows: number): boolean {
    return this.#used === 0 || this.#used + rows <= this.#size;
  }
}
