import { MILLISECONDS } from '#domain/time.js';
import { lowerBound, type Series } from '#domain/weather/series.js';
import { DamagedBlobError, seal, unseal } from './blob.js';
import { ByteReader } from './columns/byte-lists.js';
import { ColumnPacker } from './columns/column-packer.js';
import { FixedChunk } from './fixed/fixed-chunk.js';
import { type ColumnTarget, packSeries, PackedSeries } from './columns/packed-series.js';

/**
 * The content of a chunk, which is a blob with rows of one station in order of time, usually the rows of one UTC day. The content
 * comes after the envelope, with which every blob begins (blob.ts). From format version 2 on, the content is:
 *
 *     part     bytes      content
 *     day      1 or more  signed number (byte-lists.ts): the UTC day from which times are counted, in days since 1970
 *     rows                times, values and flags (packed-series.ts)
 *
 * The rows are of the days of the key, of which `day` is the first. Columns without values are left out. fixed-chunk.ts explains versions 0 and 1.
 */

/** The key of a chunk (a blob with the rows of one station in some days). */
export interface ChunkKey {
  /** Number of the station. */
  readonly station: number;
  /** The first day, in days since 1970. */
  readonly day: number;
  /** Number of days. */
  readonly days: number;
}

const keyOf = ({ station, day, days }: ChunkKey) => [station, day, days];

export function encodeChunk(place: ChunkKey, { times, values, flags }: Series): Buffer {
  const { day } = place;
  const columns = new Map([...values].filter(([, column]) => hasValue(column)));
  const packer = new ColumnPacker(times.length, columns.size + 1);
  packer.head.signed(day);
  const midnight = day * MILLISECONDS.day;
  packSeries(packer, { times: times.map((time) => time - midnight), values: columns, flags }, true);
  return seal('chunk', keyOf(place), packer.finish());
}

/**
 * The rows of a chunk (a blob with the rows of one station in some days), whose checksum is correct. The columns of values are
 * decoded only when they are needed.
 */
export class Chunk {
  readonly #rows: PackedSeries | FixedChunk;
  /** The days of the chunk: `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly #from: number;
  readonly #to: number;

  /** @throws DamagedBlobError */
  constructor(place: ChunkKey, blob: Buffer) {
    const { day, days } = place;
    this.#from = day * MILLISECONDS.day;
    this.#to = (day + days) * MILLISECONDS.day;
    const { version, content, isValid } = unseal('chunk', keyOf(place), blob);
    if (!isValid) throw new DamagedBlobError('its checksum is wrong');
    this.#rows = version < 2 ? new FixedChunk(day, content) : packedRows(day, content);
  }

  /** Number of rows. */
  get rows(): number {
    return this.#rows.rows;
  }

  /** Times of all rows, in milliseconds since 1970-01-01T00:00:00Z. */
  get times(): Float64Array {
    return this.#rows.times;
  }

  /** The range of rows in `[from, to)`. */
  rowsBetween(from: number, to: number): readonly [first: number, end: number] {
    // The times are decoded only for a range that begins or ends within the days of the chunk.
    if (from <= this.#from && to >= this.#to) return [0, this.rows];
    return [lowerBound(this.times, from), lowerBound(this.times, to)];
  }

  /** Decodes the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void {
    this.#rows.decode(target, first, end, at);
  }
}

function packedRows(day: number, content: Uint8Array<ArrayBuffer>): PackedSeries {
  const reader = new ByteReader(content, 0);
  const storedDay = reader.signed();
  if (storedDay !== day) throw new DamagedBlobError(`it contains the day ${storedDay}`);
  return new PackedSeries(content, reader.at, day * MILLISECONDS.day);
}

export function hasValue(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row += 1) if (!Number.isNaN(column[row])) return true;
  return false;
}
