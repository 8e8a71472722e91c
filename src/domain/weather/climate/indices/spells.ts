/**
 * For each day, the length of the spell that ends with this day; 0 if no spell ends with this day. A spell is an unbroken run of
 * days that meet a condition. It may cross the end of a year. A missing day and the end of `values` end a spell.
 */
export function lengthsAtEnds(values: Float64Array, meets: (value: number) => boolean): Float64Array {
  const lengths = new Float64Array(values.length);
  let length = 0;
  for (const [row, value] of values.entries()) {
    length = meets(value) ? length + 1 : 0;
    const continues = row + 1 < values.length && meets(values[row + 1] as number);
    if (!continues) lengths[row] = length;
  }
  return lengths;
}

/**
 * The length of the longest spell that ends in the rows from `from` to `to` (not included). A spell counts only in the period in
 * which it ends.
 *
 * If no spell ends in these rows, the result is 0. But it is NaN if all known days of the rows meet the condition, because they
 * are then the middle of a longer spell. For example, a dry spell of two years has NaN for its first year.
 */
export function longestSpell(
  values: Float64Array,
  lengths: Float64Array,
  meets: (value: number) => boolean,
  from: number,
  to: number,
): number {
  let longest = 0;
  let hasOther = false;
  for (let row = from; row < to; row += 1) {
    longest = Math.max(longest, lengths[row] as number);
    const value = values[row] as number;
    if (!Number.isNaN(value) && !meets(value)) hasOther = true;
  }
  return longest > 0 || hasOther ? longest : Number.NaN;
}

/** The first row of the first run of `length` rows between `from` and `to` (not included) that meet a condition; -1 without a run. */
export function firstRun(
  values: Float64Array,
  meets: (value: number) => boolean,
  length: number,
  from: number,
  to: number,
): number {
  let run = 0;
  for (let row = from; row < to; row += 1) {
    run = meets(values[row] as number) ? run + 1 : 0;
    if (run === length) return row - length + 1;
  }
  return -1;
}
