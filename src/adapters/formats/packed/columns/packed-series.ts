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

/** The flags of a variable: ranges of rows with equal flags, in ascending order. */
interface FlagRanges {
  readonly variable: number;
  /** First row of each range. */
  readonly starts: number[];
  /** Row after the last row of each range. */
  readonly ends: number[];
  readonly flags: number[];
}

/** The place of a packed column. */
interface ColumnPlace {
  readonly variable: number;
  /** Offset of the head in the content. */
  readonly head: number;
  /** Bytes of the body. */
  readonly size: number;
  /** Offset of the body in the content. */
  body: number;
  /** Undefined until the column is first read. */
  column: PackedColumn | undefined;
}

/** The column whose head is being read. Most columns of a chunk are not wanted, and get no object of their own. */
const HEAD = new PackedColumn();

/** Columns into which rows are read. */
export interface ColumnTarget {
  readonly times: Float64Array;
  /** Returns the column of a variable, whose rows must then be written; undefined if the variable was not requested. */
  column(variable: number): Float64Array | undefined;
  /** Whether the variable was requested. */
  has(variable: number): boolean;
  flag(variable: number): Uint8Array;
}

/** Columns that are created when rows are first read into them. */
export class SeriesTarget implements ColumnTarget {
  readonly times: Float64Array;
  readonly #values = new Map<number, Float64Array>();
  readonly #flags = new Map<number, Uint8Array>();
  readonly #variables: ReadonlySet<number> | undefined;

  /** @param variables the variables that are read; undefined means all */
  constructor(rows: number, variables?: ReadonlySet<number>) {
    this.times = new Float64Array(rows);
    this.#variables = variables;
  }

  get series(): Series {
    return { times: this.times, values: this.#values, flags: this.#flags };
  }

  has(variable: number): boolean {
    return this.#variables?.has(variable) !== false;
  }

  column(variable: number): Float64Array | undefined {
    let column = this.#values.get(variable);
    if (column === undefined && this.has(variable))
      this.#values.set(variable, (column = new Float64Array(this.times.length).fill(Number.NaN)));
    return column;
  }

  flag(variable: number): Uint8Array {
    let column = this.#flags.get(variable);
    if (column === undefined) this.#flags.set(variable, (column = new Uint8Array(this.times.length)));
    return column;
  }
}

/** Packed rows. Of each column the constructor reads only the head, which describes how the column is packed. */
export class PackedSeries {
  /** Number of rows. */
  readonly rows: number;
  readonly #origin: number;
  readonly #timesPlace: ColumnPlace;
  #times: Float64Array | undefined;
  readonly #columns: readonly ColumnPlace[];
  readonly #flags: readonly FlagRanges[];
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
    this.rows = rows;
    this.#origin = origin;
    const columnCount = reader.number();
    const flagCount = reader.number();
    const times = placeOf(reader, rows);
    const columns: ColumnPlace[] = [];
    while (columns.length < columnCount) columns.push(placeOf(reader, rows));
    const flags: FlagRanges[] = [];
    while (flags.length < flagCount) flags.push(readRanges(reader));
    this.#timesPlace = times;
    times.body = reader.at;
    let end = times.body + times.size;
    for (const column of columns) {
      column.body = end;
      end += column.size;
    }
    const padding = bytes.length - end;
    if (!(padding >= 0 && padding < 4))
      throw new DamagedBlobError('its length differs from the length of its parts');
    this.#content = contentOf(bytes);
    this.#columns = columns;
    this.#flags = flags;
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  get times(): Float64Array {
    if (this.#times === undefined) {
      this.#times = new Float64Array(this.rows);
      this.#readTimes(this.#times, 0);
    }
    return this.#times;
  }

  /** Reads the times of all rows into `times`, from the index `at` on. */
  #readTimes(times: Float64Array, at: number): void {
    this.#readColumn(this.#timesPlace, 0, this.rows, times, at);
    if (this.#origin === 0) return;
    for (let row = at; row < at + this.rows; row += 1) times[row] = (times[row] as number) + this.#origin;
  }

  /** Number of variables. */
  get width(): number {
    return this.#columns.length;
  }

  /** Reads the rows from `first` to `end` (not included) into the rows of `target` from `at` on. */
  decode(target: ColumnTarget, first: number, end: number, at: number): void {
    if (this.#times === undefined && end - first === this.rows) this.#readTimes(target.times, at);
    else
      for (let row = first; row < end; row += 1) target.times[at + row - first] = this.times[row] as number;
    for (const place of this.#columns) {
      const column = target.column(place.variable);
      if (column !== undefined) this.#readColumn(place, first, end, column, at);
    }
    for (const { variable, starts, ends, flags } of this.#flags) {
      for (let range = firstAfter(ends, first); range < starts.length; range += 1) {
        const from = Math.max(starts[range] as number, first);
        const to = Math.min(ends[range] as number, end);
        if (from >= to || !target.has(variable)) break;
        target.flag(variable).fill(flags[range] as number, at + from - first, at + to - first);
      }
    }
  }

  /** Reads the rows from `first` to `end` (not included) of a column into the rows of `values` from `at` on. */
  #readColumn(place: ColumnPlace, first: number, end: number, values: Float64Array, at: number): void {
    const { bytes } = this.#content;
    if (place.column === undefined) {
      place.column = new PackedColumn();
      place.column.readHead(new ByteReader(bytes, place.head), this.rows);
    }
    place.column.read(this.#content, place.body, first, end, values, at);
  }
}

/** Reads a head. @throws DamagedBlobError */
function placeOf(reader: ByteReader, rows: number): ColumnPlace {
  const head = reader.at;
  HEAD.readHead(reader, rows);
  return { variable: HEAD.variable, head, size: HEAD.size, body: 0, column: undefined };
}

/** Reads the flags of one variable. @throws DamagedBlobError */
function readRanges(reader: ByteReader): FlagRanges {
  const [starts, ends, flags]: [number[], number[], number[]] = [[], [], []];
  const variable = readFlags(reader, (start, end, value) => {
    starts.push(start);
    ends.push(end);
    flags.push(value);
  });
  return { variable, starts, ends, flags };
}

/** Index of the first number that is larger than `limit`; the numbers are in ascending order. */
function firstAfter(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
