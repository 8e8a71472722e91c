/** Rises without a fall between them that make a running total likely. */
const RISES = 8;
/** The same for rows that do not fall, where some of them rise. */
const [ROWS, SOME_RISES] = [24, 3];

/** Tells whether amounts look like the levels of a running total: they go on without a fall far longer than rain does. */
export class RunningTest {
  #rows = 0;
  #rises = 0;
  #last = Number.NaN;

  /** @returns whether the values up to this one look so */
  next(value: number): boolean {
    if (Number.isNaN(value)) return false;
    if (value < this.#last || value === 0) [this.#rows, this.#rises] = [0, 0];
    else {
      this.#rows += 1;
      if (value > this.#last) this.#rises += 1;
    }
    this.#last = value;
    return this.#rises >= RISES || (this.#rows >= ROWS && this.#rises >= SOME_RISES);
  }
}
