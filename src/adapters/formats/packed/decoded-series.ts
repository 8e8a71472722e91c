import { pickRows } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { DamagedBlobError } from './blob.js';
import { Chunk } from './chunk-codec.js';
import { SeriesTarget } from './columns/packed-series.js';
import { dayOfKey, stationOfKey } from './chunk-key.js';

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
  const storedRows = chunk.times.length;
  if (storedRows !== rows) throw new DamagedBlobError(`it has ${storedRows} rows instead of ${rows}`);
  return chunk;
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
  const parts = chunks.map((chunk) => ({ chunk, rows: chunk.rowsBetween(from, to) }));
  const rows = parts.reduce((sum, { rows: [first, end] }) => sum + end - first, 0);
  const target = new SeriesTarget(rows, variables);
  let at = 0;
  for (const {
    chunk,
    rows: [first, end],
  } of parts) {
    if (first === end) continue;
    chunk.decode(target, first, end, at);
    at += end - first;
  }
  return target.series;
}

/** Removes the rows without any value. */
export function withValues(series: Series): Series {
  const columns = [...series.values.values()];
  const chosen = new Uint8Array(series.times.length);
  let count = 0;
  for (let row = 0; row < chosen.length; row += 1) {
    if (!columns.some((column) => !Number.isNaN(column[row]))) continue;
    chosen[row] = 1;
    count += 1;
  }
  return count === chosen.length ? series : pickRows(series, chosen);
}
