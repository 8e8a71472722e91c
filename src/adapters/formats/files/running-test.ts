/** Rises without a fall between them that make a running total likely. */
const RISES = 8;
/** The same for rows that do not fall, where some of them rise. */
const [ROWS, SOME_RISES] = [24, 3];

/**
 * Tells whether amounts look like the levels of a running total: they go on without a fall far longer than rain does.
 *
 * A few values may be either. Where none of them falls, other than to 0, and one stands behind another that it is not less
 * than, the two kinds give other amounts (1 and 1.2 are 1.2 or 0.2 in the second row), and nothing tells which one it is.
 */
export class RunningTest {
  readonly #isNewestFirst: boolean;
  #rows = 0;
  #rises = 0;
  #last = Number.NaN;
  #differs = false;
  #falls = false;

  constructor(isNewestFirst = false) {
    this.#isNewestFirst = isNewestFirst;
  }

  /** Whether the values up to here may be amounts or levels, and it matters which. */
  get isOpen(): boolean {
    return this.#differs && !this.#falls;
  }

  /** @returns whether the values up to this one look like a running total */
  next(value: number): boolean {
    if (Number.isNaN(value)) return false;
    const [before, behind] = this.#isNewestFirst ? [value, this.#last] : [this.#last, value];
    if (behind < before || value === 0) [this.#rows, this.#rises] = [0, 0];
    else {
      this.#rows += 1;
      if (behind > before) this.#rises += 1;
    }
    if (before > 0 && behind >= before) this.#differs = true;
    if (behind > 0 && behind < before) this.#falls = true;
    this.#last = value;
    return this.#rises >= RISES || (this.#rows >= ROWS && this.#rises >= SOME_RISES);
  }
}
