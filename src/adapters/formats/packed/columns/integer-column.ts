/**
 * Adding this number to a number below 2^51 and subtracting it again rounds to an integer. It is faster than
 * Math.round.
 */
export const ROUNDS = 1.5 * 2 ** 52;

/** Integers that are to be packed, with what must be known of them. */
export class IntegerColumn {
  /** NaN where a value is absent. */
  readonly values: Float64Array;
  min = Infinity;
  max = -Infinity;
  /** Number of values that are not absent. */
  present = 0;

  constructor(rows: number) {
    this.values = new Float64Array(rows);
  }

  /** Sets the other fields for the current values. */
  measure(): void {
    const { values } = this;
    let [min, max, present] = [Infinity, -Infinity, 0];
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
