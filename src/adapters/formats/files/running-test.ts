/** Number of rises without a fall from which a running total is likely. */
const RISES = 8;
/** Number of rows without a fall from which a running total is likely, if at least three of them rise. */
const [ROWS, SOME_RISES] = [24, 3];

/**
 * Detects whether amounts look like the levels of a running total, which rise without a fall for far longer than rain does.
 *
 * A few values may be amounts or levels, and then the stored amounts depend on the kind: if two rows have 1 and 1.2, the second
 * row has 1.2 as an amount, but 0.2 as a level. Both kinds remain possible while no value falls, except to 0. The kind matters as
 * soon as a value above 0 is followed by a value that is not smaller.
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

  /** Whether the values so far may be amounts or levels, and the stored amounts would differ. */
  get isOpen(): boolean {
    return this.#differs && !this.#falls;
  }

  /** @returns whether the values up to `value` look like a running total */
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
