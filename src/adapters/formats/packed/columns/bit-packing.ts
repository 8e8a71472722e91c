/**
 * Packed numbers: numbers of `width` bits each, 0 to 32, without gaps and with the lowest bit first. They are in an array of
 * 32-bit words. The first number may begin at any bit of the array. A number is in at most two words:
 *
 *     word    |        0        |        1        |
 *     number     |  0  |  1  |  2  |  3  ...
 *
 * The loops read or write one word after another. They do not test for absent values, because the test would take a third of
 * their time.
 */

/**
 * The numbers that convert an integer to its packed number and back. If integers are packed, the packed number is
 * `(integer - base) / step`. If the differences between neighboring integers are packed, it is `difference / step - low`.
 */
export interface Factors {
  readonly base: number;
  /**
   * Only used if the differences between neighboring integers are packed: the lowest difference, divided by `step`. It is
   * subtracted from every difference (also divided by `step`), so that no packed number is negative.
   */
  readonly low: number;
  readonly step: number;
}

/** The number of bits of `number`; 33 if it has more than 32. */
export function bitWidth(number: number): number {
  return number < 2 ** 32 ? 32 - Math.clz32(number) : 33;
}

/** The number of bytes of `count` packed numbers. */
export function packedSize(count: number, width: number): number {
  return Math.ceil((count * width) / 8);
}

/**
 * Packs the first `count` integers into `words`, from the bit with the index `bit` on. The packed number of an integer is
 * `(integer - base) / step`. The unused bits of the last word become zero.
 */
export function packOffsets(
  integers: Float64Array,
  count: number,
  { base, step }: Factors,
  width: number,
  words: Uint32Array,
  bit: number,
): void {
  // The division by `step` is done as a multiplication. The exact quotient is an integer, and the product differs from it by less
  // than 0.5, so that the rounded product is the quotient.
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
    // In JavaScript, a shift by 32 bits shifts by 0 bits. This case is therefore handled without a shift.
    current = used === 0 ? 0 : number >>> (width - used);
  }
  if (used > 0) words[word] = current;
}

/**
 * Packs the differences between neighboring integers into `words`, from the bit with the index `bit` on. The packed number is
 * `(integer - previous integer) / step - low`. For the first integer, the previous integer is `base`. The unused bits of the last
 * word become zero.
 */
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

/**
 * Reads `count` packed numbers from the bit with the index `bit` on, and writes their values to `values`, from the index `at` on.
 * The integer of a packed number is `base + number × step`, and its value is `integer / divisor`.
 */
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

/**
 * Reads `count` packed differences from the bit with the index `bit` on, and writes their values to `values`, from the index `at`
 * on. An integer is `previous integer + (low + number) × step`, and its value is `integer / divisor`. For the first integer, the
 * previous integer is `base`.
 */
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
  if (width === 0) {
    const difference = low * step;
    for (let row = at; row < end; row += 1) values[row] = (integer += difference) / divisor;
    return;
  }
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

/** Reads numbers of 32 bits. The other functions would shift by 32 bits, which JavaScript does not support. */
function readWide(words: Uint32Array, bit: number, values: Float64Array, at: number, end: number): void {
  const used = bit & 31;
  let word = bit >>> 5;
  for (let row = at; row < end; row += 1) {
    const number = (words[word] as number) >>> used;
    word += 1;
    values[row] = used === 0 ? number : (number | ((words[word] as number) << (32 - used))) >>> 0;
  }
}
