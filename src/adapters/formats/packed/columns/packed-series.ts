import type { Series } from '#domain/weather/series.js';
import { DamagedBlobError } from '../blob.js';
import { ByteReader } from './byte-lists.js';
import { type ColumnPacker, contentOf, type PackedContent } from './column-packer.js';
import { packColumn, PackedColumn } from './packed-columns.js';
import { hasFlag, readFlags, writeFlags } from './packed-flags.js';

/**
 * The rows in a chunk or a run, the two kinds of blobs that contain rows (blob.ts). They may start at any byte of the blob:
 *
 *     part        bytes      content
 *     counts      3 or more  numbers of rows, columns of values and columns of flags
 *     columns     5 or more  the head of the column of times, as variable 0, and of each column of values (packed-columns.ts)
 *     flags       5 or more  flags of each variable with flags (packed-flags.ts)
 *     bodies                 bodies of the columns
 *     padding     0 to 3     zero, up to a multiple of 4 bytes from the start of the blob
 *
 * Numbers are encoded as in byte-lists.ts. Times are in ms since a time that the chunk or run defines.
 */

/**
 * Packs rows.
 *
 * @param isThorough whether the columns of values get their smallest form. A column in its smallest form may have to be read as a
 *   whole, even if only some of its rows are needed; see `packColumn`. The column of times always gets its smallest form, because
 *   it is always read as a whole
 */
export function packSeries(
  packer: ColumnPacker,
  { times, values, flags }: Series,
  isThorough: boolean,
): void {
  const { head } = packer;
  const flagged = [...flags].filter(([, column]) => hasFlag(column));
  head.number(times.length);
  head.number(values.size);
  head.number(flagged.length);
  packColumn(packer, 0, times, true);
  for (const [variable, column] of values) packColumn(packer, variable, column, isThorough);
  for (const [variable, column] of flagged) writeFlags(head, variable, column);
}

/** A range of rows from `start` to `end` (not included) with equal flags of a variable. */
interface FlagRange {
  readonly variable: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
}

/** Columns into which rows are read. */
export interface ColumnTarget {
  readonly times: Float64Array;
  /** Returns the column of a variable, filled with NaN at the first call; undefined if the variable was not requested. */
  column(variable: number): Float64Array | undefined;
  flag(variable: number): Uint8Array;
}

/**
 * Packed rows. The constructor unpacks all times. Of each other column it reads only the head, which describes how the column is
 * packed.
 */
export class PackedSeries {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  readonly #columns: readonly PackedColumn[];
  readonly #flags: readonly FlagRange[];
  readonly #content: PackedContent;

  /**
   * @param bytes the content of a blob, which ends with the packed rows. The content must begin at a multiple of 4 both in its
   *   buffer and in the blob
   * @param at offset of the packed rows in `bytes`
   * @param origin the instant from which times are counted, in milliseconds since 1970-01-01T00:00:00Z
   * @throws DamagedBlobError
   */
  constructor(bytes: Uint8Array<ArrayBuffer>, at: number, origin: number) {
    const reader = new ByteReader(bytes, at);
    const rows = reader.number();
    const columnCount = reader.number();
    const flagCount = reader.number();
    const times = new PackedColumn(reader, rows);
    const columns: PackedColumn[] = [];
    while (columns.length < columnCount) columns.push(new PackedColumn(reader, rows));
    const flags: FlagRange[] = [];
    for (let index = 0; index < flagCount; index += 1) {
      readFlags(reader, (variable, start, end, value) => flags.push({ variable, start, end, flags: value }));
    }
    let end = times.place(reader.at);
    for (const column of columns) end = column.place(end);
    const padding = bytes.length - end;
    if (!(padding >= 0 && padding < 4))
      throw new DamagedBlobError('its length differs from the length of its parts');
    this.#content = contentOf(bytes);
    this.#columns = columns;
    this.#flags = flags;
    this.times = new Float64Array(rows);
    times.read(this.#content, 0, rows, this.times, 0);
    if (origin !== 0) for (let row = 0; row < rows; row += 1) (this.times[row] as number) += origin;
  }

  /** Number of variables. */
  get width(): number {
    return this.#columns.length;
  }

  /** Reads the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void {
    for (let row = first; row < end; row += 1) target.times[at + row - first] = this.times[row] as number;
    for (const packed of this.#columns) {
      const column = target.column(packed.variable);
      if (column !== undefined) packed.read(this.#content, first, end, column, at);
    }
    for (const { variable, start, end: behind, flags } of this.#flags) {
      const from = Math.max(start, first);
      const to = Math.min(behind, end);
      if (from >= to || target.column(variable) === undefined) continue;
      target.flag(variable).fill(flags, at + from - first, at + to - first);
    }
  }

  /** Reads the rows from `first` to `end` (not included). */
  read(first: number, end: number): Series {
    const values = new Map<number, Float64Array>();
    for (const packed of this.#columns) {
      const column = new Float64Array(end - first);
      packed.read(this.#content, first, end, column, 0);
      values.set(packed.variable, column);
    }
    const flags = new Map<number, Uint8Array>();
    for (const { variable, start, end: behind, flags: value } of this.#flags) {
      const [from, to] = [Math.max(start, first), Math.min(behind, end)];
      if (from >= to) continue;
      let column = flags.get(variable);
      if (column === undefined) flags.set(variable, (column = new Uint8Array(end - first)));
      column.fill(value, from - first, to - first);
    }
    return { times: this.times.subarray(first, end), values, flags };
  }
}
