import { type Factors, packedSize, bitWidth } from './bit-packing.js';
import type { ColumnPacker } from './column-packer.js';
import type { IntegerColumn } from './integer-column.js';
import { ABSENCE, HAS_STEP, LAYOUT } from './packed-integers.js';

/**
 * Packs the integers in `packer.column`.
 *
 * @param mayDiffer whether the differences between neighboring integers may be packed instead of the integers, if the column is
 *   then shorter. A row of such a column can be read only after all rows before it
 * @returns false without writing anything, if the range of the integers exceeds 32 bits
 */
export function packIntegers(packer: ColumnPacker, mayDiffer: boolean): boolean {
  const { column, rows } = packer;
  const plan = planOf(column, rows, mayDiffer);
  if (plan.width > 32) return false;
  const { layout, absent, width, factors, count } = plan;
  const { base, low, step } = factors;
  const { head } = packer;
  head.bytes.push(layout | absent | (step === 1 ? 0 : HAS_STEP), width);
  head.signed(base);
  if (layout === LAYOUT.differences) head.signed(low);
  if (step !== 1) head.number(step);
  if (absent === ABSENCE.bitmap) {
    head.number(count);
    packer.add(bitmapOf(column.values));
    moveTogether(column.values);
  }
  if (width === 0) return true;
  if (absent === ABSENCE.highest) fillAbsent(column.values, base + (2 ** width - 1) * step);
  packer.pack(layout === LAYOUT.differences, factors, width, count);
  return true;
}

interface Plan {
  readonly layout: number;
  readonly absent: number;
  readonly width: number;
  readonly factors: Factors;
  /** Number of packed numbers. */
  readonly count: number;
  /** Bytes of the body. */
  readonly size: number;
}

function planOf(column: IntegerColumn, rows: number, mayDiffer: boolean): Plan {
  const { values, min, max, present } = column;
  if (present === 0) {
    const factors = { base: 0, low: 0, step: 1 };
    return { layout: LAYOUT.offsets, absent: ABSENCE.highest, width: 0, factors, count: rows, size: 0 };
  }
  const step = commonStep(values);
  const offsets = planOffsets(rows, present, (max - min) / step, { base: min, low: 0, step });
  if (!mayDiffer || offsets.width === 0) return offsets;
  const differences = planDifferences(column, step);
  return differences.size < offsets.size ? differences : offsets;
}

/** Chooses the shorter of the two ways to mark absent values. */
function planOffsets(rows: number, present: number, range: number, factors: Factors): Plan {
  const { offsets: layout } = LAYOUT;
  const width = bitWidth(range);
  const bitmap = withBitmap(layout, rows, present, width, factors);
  if (present === rows) return bitmap;
  const withAbsent = bitWidth(range + 1);
  const size = packedSize(rows, withAbsent);
  if (size > bitmap.size || withAbsent > 32) return bitmap;
  return { layout, absent: ABSENCE.highest, width: withAbsent, factors, count: rows, size };
}

function withBitmap(layout: number, rows: number, count: number, width: number, factors: Factors): Plan {
  const isComplete = count === rows;
  const absent = isComplete ? ABSENCE.none : ABSENCE.bitmap;
  const size = packedSize(count, width) + (isComplete ? 0 : packedSize(rows, 1));
  return { layout, absent, width, factors, count, size };
}

function planDifferences({ values, low, high, present }: IntegerColumn, step: number): Plan {
  let row = 0;
  while (Number.isNaN(values[row])) row += 1;
  // With this base, the packed number of the first value is 0.
  const factors = { base: (values[row] as number) - low, low: low / step, step };
  return withBitmap(LAYOUT.differences, values.length, present, bitWidth((high - low) / step), factors);
}

/** The greatest common divisor of the differences between neighboring integers; 1 if there are no differences. */
function commonStep(integers: Float64Array): number {
  let step = 0;
  let before = Number.NaN;
  let known = 0;
  for (let row = 0; row < integers.length && step !== 1; row += 1) {
    const integer = integers[row] as number;
    if (Number.isNaN(integer)) continue;
    const difference = Math.abs(integer - before);
    before = integer;
    // A difference that is already known is skipped to save time, because many differences in a column are equal.
    if (difference === known || !(difference > 0)) continue;
    known = difference;
    if (step === 0 || !Number.isInteger(difference / step)) step = commonDivisor(difference, step);
  }
  return step === 0 ? 1 : step;
}

function commonDivisor(a: number, b: number): number {
  let [divisor, remainder] = [a, b];
  while (remainder !== 0) [divisor, remainder] = [remainder, divisor % remainder];
  return divisor;
}

function bitmapOf(integers: Float64Array): Uint8Array {
  const bitmap = new Uint8Array(packedSize(integers.length, 1));
  for (let row = 0; row < integers.length; row += 1) {
    if (!Number.isNaN(integers[row])) (bitmap[row >>> 3] as number) |= 1 << (row & 7);
  }
  return bitmap;
}

/** Moves the present values to the front. */
function moveTogether(integers: Float64Array): void {
  let count = 0;
  for (let row = 0; row < integers.length; row += 1) {
    const integer = integers[row] as number;
    if (!Number.isNaN(integer)) integers[count++] = integer;
  }
}

function fillAbsent(integers: Float64Array, value: number): void {
  for (let row = 0; row < integers.length; row += 1) if (Number.isNaN(integers[row])) integers[row] = value;
}
