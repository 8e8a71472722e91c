import { packedSize, unpackDifferences, unpackOffsets } from './bit-packing.js';
import { DamagedBlobError } from '../blob.js';
import type { ByteReader } from './byte-lists.js';
import type { PackedContent } from './column-packer.js';

/**
 * A column of integers, some of which may be absent. The integers are stored as packed numbers, which are not negative and have
 * few bits. There are two layouts: offsets from a base, or differences between neighboring rows. Absent values are marked in one
 * of two ways: by a bitmap of the rows, or by the highest packed number.
 *
 * The head of the column:
 *
 *     part       bytes      content
 *     form       1          bit 0: layout; bits 2 and 3: how absent values are marked; bit 4: whether the head has a `step`
 *     width      1          bits of a packed number, 0 to 32
 *     base       1 or more  signed number
 *     low        1 or more  signed number; only in the layout of differences
 *     step       1 or more  number; without it the step is 1
 *     present    1 or more  number of values that are not absent; only with a bitmap
 *
 * The body of the column is a bitmap of the rows, if there is one, and after it the packed numbers (bit-packing.ts). A column
 * whose packed numbers are all 0 has the width 0, and its body has no packed numbers.
 *
 *     layout                 value that belongs to a packed number
 *     offsets                base + number × step
 *     differences            value of the previous row + (low + number) × step; the value before the first row is `base`
 *
 *     absent values          body
 *     none                   a packed number for each row
 *     by the highest number  a packed number for each row; the highest one of this width means an absent value. Only with offsets
 *     by a bitmap            a bit for each row, which is set if the row has a value; then a packed number for each value
 */
export const LAYOUT = { offsets: 0, differences: 1 } as const;
export const ABSENCE = { none: 0, highest: 4, bitmap: 8 } as const;
export const HAS_STEP = 16;
const ABSENT_BITS = 12;
const FORM_BITS = LAYOUT.differences | ABSENT_BITS | HAS_STEP;

/** Largest absolute value of an integer. Sums and products of such integers are exact. */
export const MAX_INTEGER = 2 ** 50;

/** A packed column of integers. */
export class PackedIntegers {
  #rows = 0;
  #layout: number = LAYOUT.offsets;
  #width = 0;
  readonly #factors = { base: 0, low: 0, step: 1 };
  /** Number of values; undefined without a bitmap. */
  #present: number | undefined;
  /** Whether the highest packed number means an absent value. */
  #hasAbsent = false;

  /** Reads the head of a column. @throws DamagedBlobError */
  readHead(reader: ByteReader, rows: number): void {
    const form = reader.byte();
    const marks = form & ABSENT_BITS;
    const width = reader.byte();
    const isKnown =
      (form & ~FORM_BITS) === 0 && marks !== ABSENT_BITS && form !== (LAYOUT.differences | ABSENCE.highest);
    if (!isKnown || width > 32) {
      throw new DamagedBlobError('a column is malformed');
    }
    const factors = this.#factors;
    factors.base = reader.signed();
    this.#rows = rows;
    this.#layout = form & LAYOUT.differences;
    this.#width = width;
    factors.low = this.#layout === LAYOUT.differences ? reader.signed() : 0;
    factors.step = (form & HAS_STEP) === 0 ? 1 : reader.number();
    this.#present = marks === ABSENCE.bitmap ? reader.number() : undefined;
    this.#hasAbsent = marks === ABSENCE.highest;
  }

  /** Bytes of the body. */
  get size(): number {
    return this.#present === undefined
      ? packedSize(this.#rows, this.#width)
      : packedSize(this.#rows, 1) + packedSize(this.#present, this.#width);
  }

  /**
   * Reads the integers of the rows from `first` to `end` (not included), divided by `divisor`, into the rows of
   * `values` from `into` on.
   *
   * @param at offset of the body in the content
   */
  read(
    { bytes, words }: PackedContent,
    at: number,
    divisor: number,
    first: number,
    end: number,
    values: Float64Array,
    into: number,
  ): void {
    if (this.#present === undefined) {
      this.#readNumbers(words, at, divisor, first, end, values, into);
      return;
    }
    const before = presentIn(bytes, at, 0, first);
    let next = presentIn(bytes, at, first, end);
    const numbersAt = at + packedSize(this.#rows, 1);
    this.#readNumbers(words, numbersAt, divisor, before, before + next, values, into);
    // The loop begins at the last row, so that no value is overwritten before it is moved.
    for (let row = end - 1; row >= first; row -= 1) {
      const isPresent = ((bytes[at + (row >>> 3)] as number) >>> (row & 7)) & 1;
      values[into + row - first] = isPresent === 1 ? (values[into + --next] as number) : Number.NaN;
    }
  }

  #readNumbers(
    words: Uint32Array,
    at: number,
    divisor: number,
    first: number,
    end: number,
    values: Float64Array,
    into: number,
  ): void {
    const width = this.#width;
    const factors = this.#factors;
    const count = end - first;
    if (this.#layout === LAYOUT.offsets) {
      unpackOffsets(words, at * 8 + first * width, width, count, factors, divisor, values, into);
      if (this.#hasAbsent) this.#removeAbsent(divisor, values, into, into + count);
    } else if (first === 0) {
      unpackDifferences(words, at * 8, width, count, factors, divisor, values, into);
    } else {
      const all = new Float64Array(end);
      unpackDifferences(words, at * 8, width, end, factors, divisor, all, 0);
      values.set(all.subarray(first), into);
    }
  }

  /** Replaces the value that belongs to the highest packed number with NaN, because this number means an absent value. */
  #removeAbsent(divisor: number, values: Float64Array, from: number, to: number): void {
    const { base, step } = this.#factors;
    const absent = (base + (2 ** this.#width - 1) * step) / divisor;
    for (let row = from; row < to; row += 1) if (values[row] === absent) values[row] = Number.NaN;
  }
}

/** Number of set bits from `first` to `end` (not included). */
function presentIn(bytes: Uint8Array, at: number, first: number, end: number): number {
  let count = 0;
  for (let row = first; row < end;) {
    const behind = Math.min(end, (row | 7) + 1);
    const byte = (bytes[at + (row >>> 3)] as number) >>> (row & 7);
    count += SET_BITS[byte & ((1 << (behind - row)) - 1)] as number;
    row = behind;
  }
  return count;
}

/** The number of set bits of each byte. */
const SET_BITS = new Uint8Array(256);
for (let byte = 1; byte < 256; byte += 1) SET_BITS[byte] = (SET_BITS[byte >>> 1] as number) + (byte & 1);
