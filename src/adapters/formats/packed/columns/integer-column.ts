/**
 * If this number is added to a number below 2^51 and subtracted again, the result is rounded to an integer. This way of rounding
 * is faster than Math.round.
 */
export const ROUNDS = 1.5 * 2 ** 52;

/** Integers that will be packed, with their range and count. */
export class IntegerColumn {
  /** The integers; NaN for an absent value. */
  readonly values: Float64Array;
  min = Infinity;
  max = -Infinity;
  /** The lowest and the highest difference between neighboring integers that are not absent. */
  low = Infinity;
  high = -Infinity;
  /** Number of values that are not absent. */
  present = 0;

  /** @param values memory for the integers */
  constructor(values: Float64Array) {
    this.values = values;
  }

  /** Computes the other fields from the current values. */
  measure(): void {
    const { values } = this;
    let min = Infinity;
    let max = -Infinity;
    let low = Infinity;
    let high = -Infinity;
    let before = Number.NaN;
    let present = 0;
    for (let row = 0; row < values.length; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      present += 1;
      if (value < min) min = value;
      if (value > max) max = value;
      // The difference of the first value is NaN, for which both comparisons are false.
      const difference = value - before;
      if (difference < low) low = difference;
      if (difference > high) high = difference;
      before = value;
    }
    this.set(min, max, low, high, present);
  }

  set(min: number, max: number, low: number, high: number, present: number): void {
    this.min = min;
    this.max = max;
    this.low = low;
    this.high = high;
    this.present = present;
  }
}
