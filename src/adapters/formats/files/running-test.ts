/** After this number of rises without a fall, values are likely a running total. */
const RISES = 8;
/** After 24 rows without a fall, of which at least three rise, values are likely a running total. */
const [ROWS, SOME_RISES] = [24, 3];

/**
 * Detects whether values look like a running total, which rises without a fall for far longer than rain does.
 *
 * A few values may be either amounts of intervals or a running total. For example, if two rows have 1 and 1.2, the amount of the
 * second row is 1.2 if the values are amounts, but 0.2 if they are a running total. `isOpen` is true if the stored amounts depend
 * on the kind of the values (amounts or running total), and the kind is still unknown:
 *
 * - The stored amounts depend on the kind as soon as a value above 0 is followed by an equal or larger value.
 * - The kind is known as soon as the values fall to a value above 0: they are amounts, because a running total falls only to 0.
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

  /**
   * Whether the values so far may be amounts of intervals or a running total, and the stored amounts depend on which of the two
   * they are.
   */
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
