import { MILLISECONDS } from '../../../domain/time.js';
import { lowerBound, type Series } from '../../../domain/weather/series.js';
import { aligned, DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';
import { encodingOf, FLOAT, readColumn, widthOf, writeColumn } from './fixed/fixed-columns.js';

/**
 * A chunk: one UTC day of one station. This content follows the envelope (blob.ts). All numbers are little-endian, and
 * each part is padded to a multiple of 8 bytes:
 *
 *     part      bytes         content
 *     header    16            u32 rows, u8 time mode, u8 columns, u16 zero, u32 number of flags, u32 zero
 *     columns   2 a column    u8 variable, u8 encoding
 *     times     8             mode 0: u32 time of the first row in ms of the day, u32 ms between two rows
 *               4 a row       mode 1: u32 ms of the day, for rows at irregular times
 *     values    2 a row       of each column; encoding 0 to 3: i16 = value × 10^encoding
 *               4 a row       encoding 4 to 7: i32 = value × 10^(encoding - 4)
 *               8 a row       encoding 8: float64
 *     flags     8 a flag      u32 row, u8 variable, u8 flags, u16 zero
 *
 * A column is scaled to integers only if decoding gives back each of its values bit for bit. The lowest integer stands
 * for an absent value.
 */
const HEADER = 16;
const FLAG_SIZE = 8;

export function encodeChunk(day: number, { times, values, flags }: Series): Buffer {
  const rows = times.length;
  const columns = [...values].filter(([, column]) => hasValue(column));
  const encodings = columns.map(([, column]) => encodingOf(column));
  const step = regularStep(times);
  const flagged = listFlags(flags);
  const timeSize = step === undefined ? aligned(rows * 4) : 8;
  const sizes = encodings.map((encoding) => aligned(rows * widthOf(encoding)));
  const length =
    ENVELOPE +
    HEADER +
    aligned(columns.length * 2) +
    timeSize +
    sizes.reduce((sum, size) => sum + size, 0) +
    flagged.length * FLAG_SIZE;
  const data = new ArrayBuffer(length);
  const view = new DataView(data, ENVELOPE);
  view.setUint32(0, rows, true);
  view.setUint8(4, step === undefined ? 1 : 0);
  view.setUint8(5, columns.length);
  view.setUint32(8, flagged.length, true);
  for (const [index, [variable]] of columns.entries()) {
    view.setUint8(HEADER + index * 2, variable);
    view.setUint8(HEADER + index * 2 + 1, encodings[index] as number);
  }
  let at = HEADER + aligned(columns.length * 2);
  const midnight = day * MILLISECONDS.day;
  if (step === undefined) {
    const offsets = new Uint32Array(data, ENVELOPE + at, rows);
    for (let row = 0; row < rows; row += 1) offsets[row] = (times[row] as number) - midnight;
  } else {
    view.setUint32(at, (times[0] as number) - midnight, true);
    view.setUint32(at + 4, step, true);
  }
  at += timeSize;
  for (const [index, [, column]] of columns.entries()) {
    writeColumn(column, encodings[index] as number, data, ENVELOPE + at);
    at += sizes[index] as number;
  }
  for (const [row, variable, found] of flagged) {
    view.setUint32(at, row, true);
    view.setUint8(at + 4, variable);
    view.setUint8(at + 5, found);
    at += FLAG_SIZE;
  }
  return seal('chunk', data);
}

/** Columns into which several chunks are decoded. */
export interface ChunkTarget {
  readonly times: Float64Array;
  /** The column of a requested variable, filled with NaN at first, created on demand; undefined for other variables. */
  column(variable: number): Float64Array | undefined;
  flag(variable: number): Uint8Array;
}

interface Column {
  readonly variable: number;
  readonly encoding: number;
  /** Offset in the buffer of the content, in bytes. */
  readonly at: number;
}

/** A chunk that has been checked. Its columns are decoded on demand. */
export class Chunk {
  /** Times of all rows, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  readonly #content: Uint8Array<ArrayBuffer>;
  readonly #columns: readonly Column[];
  readonly #flagsAt: number;

  /** @throws DamagedBlobError */
  constructor(day: number, blob: Buffer) {
    const { content, isSound } = unseal('chunk', blob);
    if (!isSound) throw new DamagedBlobError('its checksum is wrong');
    if (content.length < HEADER) throw new DamagedBlobError('it is too short');
    const { buffer, byteOffset: start } = content;
    const view = new DataView(buffer, start, content.length);
    const rows = view.getUint32(0, true);
    const count = view.getUint8(5);
    const isIrregular = view.getUint8(4) === 1;
    this.#content = content;
    // The lengths are checked before they are used, because those in a blob without a checksum may be wrong.
    let at = HEADER + aligned(count * 2);
    const timesAt = at;
    at += isIrregular ? aligned(rows * 4) : 8;
    const columns: Column[] = [];
    for (let index = 0; index < count && at <= content.length; index += 1) {
      const encoding = content[HEADER + index * 2 + 1] as number;
      if (encoding > FLOAT) throw new DamagedBlobError(`a column has the encoding ${encoding}`);
      columns.push({ variable: content[HEADER + index * 2] as number, encoding, at: start + at });
      at += aligned(rows * widthOf(encoding));
    }
    this.#columns = columns;
    this.#flagsAt = at;
    if (at + view.getUint32(8, true) * FLAG_SIZE !== content.length) {
      throw new DamagedBlobError('its length is not that of its parts');
    }
    this.times = new Float64Array(rows);
    const midnight = day * MILLISECONDS.day;
    if (isIrregular) {
      const offsets = new Uint32Array(buffer, start + timesAt, rows);
      for (let row = 0; row < rows; row += 1) this.times[row] = midnight + (offsets[row] as number);
    } else {
      const first = midnight + view.getUint32(timesAt, true);
      const step = view.getUint32(timesAt + 4, true);
      for (let row = 0; row < rows; row += 1) this.times[row] = first + row * step;
    }
  }

  /** The range of rows in `[from, to)`. */
  rowsBetween(from: number, to: number): readonly [first: number, end: number] {
    return [lowerBound(this.times, from), lowerBound(this.times, to)];
  }

  /** Decodes the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ChunkTarget, first: number, end: number, at: number): void {
    const { buffer, byteOffset, length } = this.#content;
    for (let row = first; row < end; row += 1) target.times[at + row - first] = this.times[row] as number;
    for (const { variable, encoding, at: offset } of this.#columns) {
      const column = target.column(variable);
      if (column !== undefined) readColumn(buffer, offset, encoding, first, end, column, at);
    }
    const view = new DataView(buffer, byteOffset, length);
    for (let place = this.#flagsAt; place < length; place += FLAG_SIZE) {
      const row = view.getUint32(place, true);
      const variable = view.getUint8(place + 4);
      if (row < first || row >= end || target.column(variable) === undefined) continue;
      target.flag(variable)[at + row - first] = view.getUint8(place + 5);
    }
  }
}

export function hasValue(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row += 1) if (!Number.isNaN(column[row])) return true;
  return false;
}

/** Milliseconds between two rows if always the same, otherwise undefined. */
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
