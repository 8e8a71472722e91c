import { MILLISECONDS } from '#domain/time.js';
import { aligned, DamagedBlobError } from '../blob.js';
import { FLOAT, readColumn, widthOf } from './fixed-columns.js';
import type { ColumnTarget } from '../columns/packed-series.js';

/**
 * The content of a chunk in format versions 0 and 1, which are only read: one UTC day of one station. All numbers are
 * little-endian, and each part is padded to a multiple of 8 bytes:
 *
 *     part      bytes         content
 *     header    16            u32 rows, u8 time mode, u8 columns, u16 zero, u32 number of flags, u32 zero
 *     columns   2 a column    u8 variable, u8 encoding
 *     times     8             mode 0: u32 time of the first row in ms of the day, u32 ms between two rows
 *               4 a row       mode 1: u32 ms of the day, for rows at irregular times
 *     values    2 a row       values of each column; encoding 0 to 3: i16 = value × 10^encoding
 *               4 a row       encoding 4 to 7: i32 = value × 10^(encoding - 4)
 *               8 a row       encoding 8: float64
 *     flags     8 a flag      u32 row, u8 variable, u8 flags, u16 zero
 *
 * The lowest integer of a column means an absent value.
 */
const HEADER = 16;
const FLAG_SIZE = 8;

interface Column {
  readonly variable: number;
  readonly encoding: number;
  /** Offset of the values of the column in the buffer that contains the chunk, in bytes. */
  readonly at: number;
}

export class FixedChunk {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  readonly #content: Uint8Array<ArrayBuffer>;
  readonly #columns: readonly Column[];
  readonly #flagsAt: number;

  /** @throws DamagedBlobError */
  constructor(day: number, content: Uint8Array<ArrayBuffer>) {
    if (content.length < HEADER) throw new DamagedBlobError('it is too short');
    const { buffer, byteOffset: start } = content;
    const view = new DataView(buffer, start, content.length);
    const rows = view.getUint32(0, true);
    const count = view.getUint8(5);
    const isIrregular = view.getUint8(4) === 1;
    this.#content = content;
    // The lengths are checked before they are used, because a blob without a checksum may have wrong lengths.
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
      throw new DamagedBlobError('its length differs from the length of its parts');
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

  get rows(): number {
    return this.times.length;
  }

  /** Decodes the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void {
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
      if (row < first || row >= end || !target.has(variable)) continue;
      target.flag(variable)[at + row - first] = view.getUint8(place + 5);
    }
  }
}
