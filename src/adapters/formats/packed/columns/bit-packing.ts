/**
 * Numbers of `width` bits one after the other, 0 to 32 bits each, the lowest bit first. The first number begins at any
 * bit of an array of 32-bit words, so a number touches at most two of them:
 *
 *     word    |        0        |        1        |
 *     number     |  0  |  1  |  2  |  3  ...
 *
 * The loops read or write one word after the other and have no test for absent values, which would take a third of
 * their time.
 */

/** How a number becomes an integer. */
export interface Factors {
  readonly base: number;
  /** The lowest difference between two integers, in steps; only for differences. */
  readonly low: number;
  readonly step: number;
}

/** The number of bits that `number` takes; 33 if it takes more than 32. */
export function bitWidth(number: number): number {
  return number < 2 ** 32 ? 32 - Math.clz32(number) : 33;
}

/** Bytes of `count` numbers. */
export function packedSize(count: number, width: number): number {
  return Math.ceil((count * width) / 8);
}

/** Writes the first `count` integers from `bit` on: (integer - base) / step. The rest of the last word becomes zero. */
export function packOffsets(
  integers: Float64Array,
  count: number,
  { base, step }: Factors,
  width: number,
  words: Uint32Array,
  bit: number,
): void {
  // A product with it differs from the quotient, an integer, by less than 0.5.
  const inverse = 1 / step;
  let word = bit >>> 5;
  let used = bit & 31;
  let current = used === 0 ? 0 : (words[word] as number) & ((1 << used) - 1);
  for (let index = 0; index < count; index += 1) {
    const number = (((integers[index] as number) - base) * inverse + 0.5) | 0;
    current |= number << used;
    used += width;
    if (used < 32) continue;
    words[word] = current;
    word += 1;
    used -= 32;
    // A shift by 32 bits would be a shift by 0.
    current = used === 0 ? 0 : number >>> (width - used);
  }
  if (used > 0) words[word] = current;
}

/** As `packOffsets`: (integer - the integer before) / step - low. Before the first integer comes `base`. */
export function packDifferences(
  integers: Float64Array,
  count: number,
  { base, low, step }: Factors,
  width: number,
  words: Uint32Array,
  bit: number,
): void {
  const inverse = 1 / step;
  let before = base;
  let word = bit >>> 5;
  let used = bit & 31;
  let current = used === 0 ? 0 : (words[word] as number) & ((1 << used) - 1);
  for (let index = 0; index < count; index += 1) {
    const integer = integers[index] as number;
    const number = ((integer - before) * inverse - low + 0.5) | 0;
    before = integer;
    current |= number << used;
    used += width;
    if (used < 32) continue;
    words[word] = current;
    word += 1;
    used -= 32;
    current = used === 0 ? 0 : number >>> (width - used);
  }
  if (used > 0) words[word] = current;
}

/** Reads `count` numbers from `bit` on as (base + number × step) / divisor into the rows of `values` from `at` on. */
export function unpackOffsets(
  words: Uint32Array,
  bit: number,
  width: number,
  count: number,
  { base, step }: Factors,
  divisor: number,
  values: Float64Array,
  at: number,
): void {
  const end = at + count;
  if (width === 0) {
    values.fill(base / divisor, at, end);
    return;
  }
  if (width === 32) {
    readWide(words, bit, values, at, end);
    for (let row = at; row < end; row += 1) values[row] = (base + (values[row] as number) * step) / divisor;
    return;
  }
  const mask = (1 << width) - 1;
  let word = bit >>> 5;
  let remaining = 32 - (bit & 31);
  let current = (words[word] as number) >>> (bit & 31);
  for (let row = at; row < end; row += 1) {
    let number = current & mask;
    if (remaining >= width) {
      current >>>= width;
      remaining -= width;
    } else {
      word += 1;
      const next = words[word] as number;
      number = (current | (next << remaining)) & mask;
      current = next >>> (width - remaining);
      remaining += 32 - width;
    }
    values[row] = (base + number * step) / divisor;
  }
}

/** As `unpackOffsets`: each integer is the integer before + (low + number) × step. Before the first comes `base`. */
export function unpackDifferences(
  words: Uint32Array,
  bit: number,
  width: number,
  count: number,
  { base, low, step }: Factors,
  divisor: number,
  values: Float64Array,
  at: number,
): void {
  const end = at + count;
  let integer = base;
  if (width === 32) {
    readWide(words, bit, values, at, end);
    for (let row = at; row < end; row += 1) {
      integer += (low + (values[row] as number)) * step;
      values[row] = integer / divisor;
    }
    return;
  }
  const mask = (1 << width) - 1;
  let word = bit >>> 5;
  let remaining = 32 - (bit & 31);
  let current = (words[word] as number) >>> (bit & 31);
  for (let row = at; row < end; row += 1) {
    let number = current & mask;
    if (remaining >= width) {
      current >>>= width;
      remaining -= width;
    } else {
      word += 1;
      const next = words[word] as number;
      number = (current | (next << remaining)) & mask;
      current = next >>> (width - remaining);
      remaining += 32 - width;
    }
    integer += (low + number) * step;
    values[row] = integer / divisor;
  }
}

/** Reads numbers of 32 bits. The shifts of the other loops would be by 32 bits, which is by 0. */
function readWide(words: Uint32Array, bit: number, values: Float64Array, at: number, end: number): void {
  const used = bit & 31;
  let word = bit >>> 5;
  for (let row = at; row < end; row += 1) {
    const number = (words[word] as number) >>> used;
    word += 1;
    values[row] = used === 0 ? number : (number | ((words[word] as number) << (32 - used))) >>> 0;
  }
}
