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
  /** Number of values that are not absent. */
  present = 0;

  constructor(rows: number) {
    this.values = new Float64Array(rows);
  }

  /** Computes the other fields from the current values. */
  measure(): void {
    const { values } = this;
    let min = Infinity;
    let max = -Infinity;
    let present = 0;
    for (let row = 0; row < values.length; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      present += 1;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    this.set(min, max, present);
  }

  set(min: number, max: number, present: number): void {
    this.min = min;
    this.max = max;
    this.present = present;
  }
}
