/** Maximum number of rows that may wait for the disk at a time. */
const MAX_WAITING_ROWS = 32_768;

/** Limits the number of rows that wait for the disk, of all callers together. Further callers wait in the order of arrival. */
export class RowBudget {
  readonly #size: number;
  readonly #waiting: { readonly rows: number; readonly admit: () => void }[] = [];
  #used = 0;

  constructor(size = MAX_WAITING_ROWS) {
    this.#size = size;
  }

  /** Number of rows that were acquired and are not released yet. */
  get used(): number {
    return this.#used;
  }

  /**
   * Acquires `rows` rows of the budget. The caller must release them. A request for more rows than the whole budget is admitted
   * when no other rows wait for the disk.
   *
   * @returns undefined if the rows fit at once; otherwise a promise that resolves when they fit
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
