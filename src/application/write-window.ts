/** The rows of one sender that are on their way to the disk: so many and no more, so that a sender waits for the disk. */
export class WriteWindow {
  readonly #size: number;
  readonly #underWay: { readonly rows: number; readonly done: Promise<void> }[] = [];
  #rows = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves when there is room for more. Rejects when a write has failed that it has waited for. */
  async add(rows: number, done: Promise<void>): Promise<void> {
    done.catch(() => undefined); // It is awaited later, perhaps after another one.
    this.#underWay.push({ rows, done });
    this.#rows += rows;
    while (this.#rows > this.#size) await this.#settle();
  }

  /** Resolves when all is written. */
  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.#settle();
  }

  async #settle(): Promise<void> {
    const oldest = this.#underWay.shift();
    this.#rows -= oldest?.rows ?? 0;
    await oldest?.done;
  }
}
