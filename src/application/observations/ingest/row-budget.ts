/** Rows that may be on their way to the disk before more are taken on. */
const ROWS_UNDER_WAY = 32_768;

/** How many rows may be on their way to the disk at a time, of all senders together: the others wait, in their order. */
export class RowBudget {
  readonly #size: number;
  readonly #waiting: { readonly rows: number; readonly admit: () => void }[] = [];
  #used = 0;

  constructor(size = ROWS_UNDER_WAY) {
    this.#size = size;
  }

  /** Resolves when there is room; more rows than there can ever be room for go alone. Each is to be released. */
  async acquire(rows: number): Promise<void> {
    if (this.#waiting.length > 0 || !this.#fits(rows)) {
      await new Promise<void>((admit) => this.#waiting.push({ rows, admit }));
      return;
    }
    this.#used += rows;
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
