import type { Series } from '#domain/weather/series.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import type { Chunk } from '#adapters/formats/packed/chunk-codec.js';
import { chunkKey } from '#adapters/formats/packed/chunk-key.js';
import { openChunk } from '#adapters/formats/packed/decoded-series.js';
import { DamagedDataError, damagedChunk } from '#adapters/packed-store/damage.js';
import { rowsOf } from '#adapters/packed-store/station-columns.js';
import type { StoredChunk } from '../chunks/chunk-rows.js';

/**
 * A stored chunk (packed rows of some days of a station). If the chunk was read from a replica, it was decoded at once, to
 * find damage, and `opened` is the decoded chunk. If the chunk was read from the primary, it is decoded later, and `opened` is
 * missing.
 */
export interface PageChunk extends StoredChunk {
  readonly opened?: Chunk;
}

/** Rows of a series that were read and are not decoded yet, at times in `[from, to)`. */
export interface PackedPart {
  /** Number of the series. */
  readonly series: number;
  readonly from: number;
  readonly to: number;
  /** Chunks (packed rows of some days each) in order of time. */
  readonly chunks: readonly PageChunk[];
  /**
   * Decoded rows. A value replaces the value of the same time in a chunk. These rows were not merged into chunks yet, or they are
   * already joined from two series.
   */
  readonly rest: Series;
}

/**
 * Decodes the rows of a part.
 *
 * @throws DamagedDataError if a chunk (packed rows of some days) is damaged
 */
export function decodePart(
  { series, from, to, chunks, rest }: PackedPart,
  variables: ReadonlySet<number> | undefined,
): Series {
  const opened = chunks.map((row) => {
    if (row.opened !== undefined) return row.opened;
    const chunk = { ...row, key: chunkKey(series, row.day) };
    try {
      return openChunk(chunk);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      throw new DamagedDataError({ damage: damagedChunk(series, chunk, error), station: series, from });
    }
  });
  return rowsOf(opened, rest, from, to, variables);
}
