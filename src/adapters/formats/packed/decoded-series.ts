import { pickRows } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { DamagedBlobError } from './blob.js';
import { Chunk } from './chunk-codec.js';
import { dayOfKey, stationOfKey } from './chunk-key.js';
import type { ColumnTarget } from './columns/packed-series.js';

/** A stored chunk, which has the packed rows of one station for some days. */
export interface ChunkRow {
  readonly key: number;
  readonly rows: number;
  /** Number of UTC days whose rows the chunk contains. */
  readonly days: number;
  readonly data: Buffer;
}

/** @throws DamagedBlobError */
export function openChunk({ key, rows, days, data }: ChunkRow): Chunk {
  const chunk = new Chunk({ station: stationOfKey(key), day: dayOfKey(key), days }, data);
  if (chunk.rows !== rows) throw new DamagedBlobError(`it has ${chunk.rows} rows instead of ${rows}`);
  return chunk;
}

/** Successive rows of a chunk or of a run: from `first` to `end` (not included). */
export interface PackedRows {
  readonly source: { decode(target: ColumnTarget, first: number, end: number, at: number): void };
  readonly first: number;
  readonly end: number;
}

/**
 * Decodes the rows of chunks whose times are in `[from, to)`. A chunk has the rows of one station for one or more days. The
 * chunks must be in the order of their days.
 */
export function decodeAll(
  chunks: readonly Chunk[],
  variables: ReadonlySet<number> | undefined,
  from = -Infinity,
  to = Infinity,
): Series {
  return decodeRows(
    chunks.map((chunk) => rowsOfChunk(chunk, from, to)),
    variables,
  );
}

/** The rows of a chunk (a blob with the rows of one station in some days) in `[from, to)`. */
export function rowsOfChunk(chunk: Chunk, from: number, to: number): PackedRows {
  const [first, end] = chunk.rowsBetween(from, to);
  return { source: chunk, first, end };
}

/** Decodes rows into common columns, one part after the other. */
export function decodeRows(parts: readonly PackedRows[], variables: ReadonlySet<number> | undefined): Series {
  const rows = parts.reduce((sum, { first, end }) => sum + end - first, 0);
  const columns = new DecodedColumns(rows, variables);
  for (const part of parts) if (part.first < part.end) columns.add(part);
  return columns.finish();
}

/** The columns into which rows are decoded. Each value is written once: NaN is written only where a part has no values. */
class DecodedColumns implements ColumnTarget {
  readonly times: Float64Array;
  readonly #rows: number;
  readonly #variables: ReadonlySet<number> | undefined;
  /** Columns by variable. The rows before `end` are written. */
  readonly #columns = new Map<number, { readonly values: Float64Array; end: number }>();
  readonly #flags = new Map<number, Uint8Array>();
  /** The rows of the current part. */
  #at = 0;
  #end = 0;

  constructor(rows: number, variables: ReadonlySet<number> | undefined) {
    this.#rows = rows;
    this.times = new Float64Array(rows);
    this.#variables = variables;
  }

  add({ source, first, end }: PackedRows): void {
    this.#at = this.#end;
    this.#end += end - first;
    source.decode(this, first, end, this.#at);
  }

  has(variable: number): boolean {
    return this.#variables === undefined || this.#variables.has(variable);
  }

  column(variable: number): Float64Array | undefined {
    if (!this.has(variable)) return undefined;
    let column = this.#columns.get(variable);
    if (column === undefined)
      this.#columns.set(variable, (column = { values: new Float64Array(this.#rows), end: 0 }));
    if (column.end < this.#at) column.values.fill(Number.NaN, column.end, this.#at);
    column.end = this.#end;
    return column.values;
  }

  flag(variable: number): Uint8Array {
    let flags = this.#flags.get(variable);
    if (flags === undefined) this.#flags.set(variable, (flags = new Uint8Array(this.#rows)));
    return flags;
  }

  finish(): Series {
    const values = new Map<number, Float64Array>();
    for (const [variable, column] of this.#columns) {
      if (column.end < this.#rows) column.values.fill(Number.NaN, column.end);
      values.set(variable, column.values);
    }
    return { times: this.times, values, flags: this.#flags };
  }
}

/** Removes the rows without any value. */
export function withValues(series: Series): Series {
  const chosen = new Uint8Array(series.times.length);
  let count = 0;
  // Nearly always the first column has a value in each row, so that the other columns are not searched.
  for (const column of series.values.values()) {
    if (count === chosen.length) break;
    for (let row = 0; row < chosen.length; row += 1) {
      if (chosen[row] === 1 || Number.isNaN(column[row])) continue;
      chosen[row] = 1;
      count += 1;
    }
  }
  return count === chosen.length ? series : pickRows(series, chosen);
}
