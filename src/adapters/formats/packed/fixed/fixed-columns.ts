/**
 * The encoding of a column of numbers. A column has integers of 16 or 32 bits if they reproduce every value exactly, otherwise
 * float64. Three kinds of packed data have such columns:
 *
 * - chunks (the rows of one station for a day) in format versions 0 and 1
 * - daily aggregates
 * - journal entries (the values that an import changed)
 */
const POWERS = [1, 10, 100, 1000] as const;
const ABSENT_16 = -32_768;
const ABSENT_32 = -2_147_483_648;
/** The encoding number that means float64. It is the largest encoding number. */
export const FLOAT = 8;

export function widthOf(encoding: number): number {
  if (encoding === FLOAT) return 8;
  return encoding < 4 ? 2 : 4;
}

/** The narrowest encoding that reproduces every value. */
export function encodingOf(column: Float64Array): number {
  for (const [digits, power] of POWERS.entries()) {
    let largest = 0;
    let exact = true;
    for (let row = 0; row < column.length && exact; row += 1) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      const scaled = Math.round(value * power);
      exact = scaled / power === value && !Object.is(value, -0);
      largest = Math.max(largest, Math.abs(scaled));
    }
    if (!exact) continue;
    if (largest < -ABSENT_16) return digits;
    if (largest < -ABSENT_32) return digits + 4;
    return FLOAT;
  }
  return FLOAT;
}

export function writeColumn(column: Float64Array, encoding: number, data: ArrayBuffer, at: number): void {
  const rows = column.length;
  if (encoding === FLOAT) {
    new Float64Array(data, at, rows).set(column);
    return;
  }
  const narrow = encoding < 4;
  const power = POWERS[encoding % 4] as number;
  const target = narrow ? new Int16Array(data, at, rows) : new Int32Array(data, at, rows);
  const absent = narrow ? ABSENT_16 : ABSENT_32;
  for (let row = 0; row < rows; row += 1) {
    const value = column[row] as number;
    target[row] = Number.isNaN(value) ? absent : Math.round(value * power);
  }
}

/**
 * Decodes the rows from `first` to `end` (not included) of the encoded column at `offset` into the rows of `column` from `at`
 * on.
 */
export function readColumn(
  buffer: ArrayBuffer,
  offset: number,
  encoding: number,
  first: number,
  end: number,
  column: Float64Array,
  at: number,
): void {
  const start = offset + first * widthOf(encoding);
  const rows = end - first;
  if (encoding === FLOAT) {
    column.set(new Float64Array(buffer, start, rows), at);
    return;
  }
  const power = POWERS[encoding % 4] as number;
  // There are two loops, because one loop over two array types would be slow for both types.
  if (encoding < 4) {
    const source = new Int16Array(buffer, start, rows);
    for (let row = 0; row < rows; row += 1) {
      const scaled = source[row] as number;
      column[at + row] = scaled === ABSENT_16 ? Number.NaN : scaled / power;
    }
    return;
  }
  const source = new Int32Array(buffer, start, rows);
  for (let row = 0; row < rows; row += 1) {
    const scaled = source[row] as number;
    column[at + row] = scaled === ABSENT_32 ? Number.NaN : scaled / power;
  }
}
