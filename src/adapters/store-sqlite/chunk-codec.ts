import { DAY, type Series } from '../../domain/observations.js';

/**
 * One station's UTC day as a blob. Every part begins at a multiple of 8 bytes and is little-endian:
 *
 *     u32 rows, u8 time mode, u8 columns, u16 zero, u32 flags, u32 zero
 *     columns × (u8 variable, u8 encoding)
 *     times     mode 0: u32 milliseconds of the day of the first row, u32 milliseconds from row to row; mode 1: u32 each
 *     columns   encoding 0 to 3: i16 = value × 10^encoding; 4 to 7: i32 likewise; 8: float64
 *     flags ×   (u32 row, u8 variable, u8 flags, u16 zero)
 *
 * A column is scaled only where every one of its values comes back bit for bit.
 */
const HEADER = 16;
const FLAG_SIZE = 8;
const POWERS = [1, 10, 100, 1000] as const;
const ABSENT_16 = -32_768;
const ABSENT_32 = -2_147_483_648;
const FLOAT = 8;

const aligned = (length: number) => (length + 7) & ~7;

export function encodeChunk(day: number, { times, values, flags }: Series): Buffer {
  const rows = times.length;
  const columns = [...values].filter(([, column]) => hasValue(column));
  const encodings = columns.map(([, column]) => encodingOf(column));
  const step = regularStep(times);
  const flagged = listFlags(flags);
  const timeSize = step === undefined ? aligned(rows * 4) : 8;
  const sizes = encodings.map((encoding) => aligned(rows * widthOf(encoding)));
  const length =
    HEADER +
    aligned(columns.length * 2) +
    timeSize +
    sizes.reduce((sum, size) => sum + size, 0) +
    flagged.length * FLAG_SIZE;
  const data = new ArrayBuffer(length);
  const view = new DataView(data);
  view.setUint32(0, rows, true);
  view.setUint8(4, step === undefined ? 1 : 0);
  view.setUint8(5, columns.length);
  view.setUint32(8, flagged.length, true);
  for (const [index, [variable]] of columns.entries()) {
    view.setUint8(HEADER + index * 2, variable);
    view.setUint8(HEADER + index * 2 + 1, encodings[index] as number);
  }
  let at = HEADER + aligned(columns.length * 2);
  const midnight = day * DAY;
  if (step === undefined) {
    const offsets = new Uint32Array(data, at, rows);
    for (let row = 0; row < rows; row += 1) offsets[row] = (times[row] as number) - midnight;
  } else {
    view.setUint32(at, (times[0] as number) - midnight, true);
    view.setUint32(at + 4, step, true);
  }
  at += timeSize;
  for (const [index, [, column]] of columns.entries()) {
    writeColumn(column, encodings[index] as number, data, at);
    at += sizes[index] as number;
  }
  for (const [row, variable, found] of flagged) {
    view.setUint32(at, row, true);
    view.setUint8(at + 4, variable);
    view.setUint8(at + 5, found);
    at += FLAG_SIZE;
  }
  return Buffer.from(data);
}

/** Where the parts of a chunk go: arrays that hold many chunks, at the row `at`. */
export interface ChunkTarget {
  readonly times: Float64Array;
  /** The columns that are wanted, NaN where nothing has been written; made by `column` when a chunk has one. */
  column(variable: number): Float64Array | undefined;
  flag(variable: number): Uint8Array;
}

/** Decodes a chunk into `target` and returns its rows. */
export function decodeChunk(day: number, blob: Buffer, target: ChunkTarget, start: number): number {
  const data = blob.byteOffset % 8 === 0 ? blob : Buffer.from(blob);
  const { buffer, byteOffset } = data;
  const view = new DataView(buffer, byteOffset, data.byteLength);
  const rows = view.getUint32(0, true);
  const columns = view.getUint8(5);
  let at = HEADER + aligned(columns * 2);
  const midnight = day * DAY;
  const { times } = target;
  if (view.getUint8(4) === 1) {
    const offsets = new Uint32Array(buffer, byteOffset + at, rows);
    for (let row = 0; row < rows; row += 1) times[start + row] = midnight + (offsets[row] as number);
    at += aligned(rows * 4);
  } else {
    const first = midnight + view.getUint32(at, true);
    const step = view.getUint32(at + 4, true);
    for (let row = 0; row < rows; row += 1) times[start + row] = first + row * step;
    at += 8;
  }
  for (let index = 0; index < columns; index += 1) {
    const encoding = view.getUint8(HEADER + index * 2 + 1);
    const column = target.column(view.getUint8(HEADER + index * 2));
    if (column !== undefined) readColumn(buffer, byteOffset + at, rows, encoding, column, start);
    at += aligned(rows * widthOf(encoding));
  }
  for (let count = view.getUint32(8, true); count > 0; count -= 1) {
    const variable = view.getUint8(at + 4);
    if (target.column(variable) !== undefined) {
      target.flag(variable)[start + view.getUint32(at, true)] = view.getUint8(at + 5);
    }
    at += FLAG_SIZE;
  }
  return rows;
}

export function hasValue(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row += 1) if (!Number.isNaN(column[row])) return true;
  return false;
}

function widthOf(encoding: number): number {
  if (encoding === FLOAT) return 8;
  return encoding < 4 ? 2 : 4;
}

/** The narrowest encoding that loses nothing. */
function encodingOf(column: Float64Array): number {
  for (const [digits, power] of POWERS.entries()) {
    let most = 0;
    let exact = true;
    for (let row = 0; row < column.length && exact; row += 1) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      const scaled = Math.round(value * power);
      exact = scaled / power === value && !Object.is(value, -0);
      most = Math.max(most, Math.abs(scaled));
    }
    if (!exact) continue;
    if (most < -ABSENT_16) return digits;
    if (most < -ABSENT_32) return digits + 4;
    return FLOAT;
  }
  return FLOAT;
}

function writeColumn(column: Float64Array, encoding: number, data: ArrayBuffer, at: number): void {
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

function readColumn(
  buffer: ArrayBufferLike,
  at: number,
  rows: number,
  encoding: number,
  column: Float64Array,
  start: number,
): void {
  if (encoding === FLOAT) {
    column.set(new Float64Array(buffer, at, rows), start);
    return;
  }
  const power = POWERS[encoding % 4] as number;
  // Two loops: one over two kinds of array would be slow for both.
  if (encoding < 4) {
    const source = new Int16Array(buffer, at, rows);
    for (let row = 0; row < rows; row += 1) {
      const scaled = source[row] as number;
      column[start + row] = scaled === ABSENT_16 ? Number.NaN : scaled / power;
    }
    return;
  }
  const source = new Int32Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) {
    const scaled = source[row] as number;
    column[start + row] = scaled === ABSENT_32 ? Number.NaN : scaled / power;
  }
}

/** Milliseconds from each row to the next where they are always the same. */
function regularStep(times: Float64Array): number | undefined {
  if (times.length < 2) return times.length === 1 ? 0 : undefined;
  const step = (times[1] as number) - (times[0] as number);
  for (let row = 2; row < times.length; row += 1) {
    if ((times[row] as number) - (times[row - 1] as number) !== step) return undefined;
  }
  return step;
}

function listFlags(flags: ReadonlyMap<number, Uint8Array>): [row: number, variable: number, flags: number][] {
  const found: [number, number, number][] = [];
  for (const [variable, column] of flags) {
    for (let row = 0; row < column.length; row += 1) {
      const value = column[row] as number;
      if (value !== 0) found.push([row, variable, value]);
    }
  }
  return found;
}
