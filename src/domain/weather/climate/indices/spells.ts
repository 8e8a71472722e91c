/**
 * Of each day with which a spell ends, the length of the spell; 0 for other days. A spell is an unbroken run of days that meet a
 * condition, over the ends of years too. A missing day ends it. The last day of all ends a spell.
 */
export function lengthsAtEnds(values: Float64Array, meets: (value: number) => boolean): Float64Array {
  const lengths = new Float64Array(values.length);
  let length = 0;
  for (const [row, value] of values.entries()) {
    length = meets(value) ? length + 1 : 0;
    const goesOn = row + 1 < values.length && meets(values[row + 1] as number);
    if (!goesOn) lengths[row] = length;
  }
  return lengths;
}

/**
 * The longest spell that ends in the rows from `from` to `to`. NaN where none ends and no day is known to be outside of a spell: then
 * the spell goes on in the next year, and counts there.
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

/** The first row from `from` on that begins `length` rows in a row which meet a condition, all before `to`; -1 if there is none. */
export function firstRun(
  values: Float64Array,
  meets: (value: number) => boolean,
  length: number,
  from: number,
  to: number,
): number {
  let found = 0;
  for (let row = from; row < to; row += 1) {
    found = meets(values[row] as number) ? found + 1 : 0;
    if (found === length) return row - length + 1;
  }
  return -1;
}
