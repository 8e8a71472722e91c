import { mergeAll } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import type { Chunk } from '#adapters/formats/packed/chunk-codec.js';
import {
  decodeAll,
  decodeRows,
  type PackedRows,
  rowsOfChunk,
  withValues,
} from '#adapters/formats/packed/decoded-series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { gatherRows } from './run-rows.js';

/**
 * The packed rows of a station: its chunks (each with its rows of some days) in order of time, and runs (each with rows of many
 * stations). A value in a run replaces the value of the same time in a chunk or in an earlier run.
 */
export interface PackedStation {
  readonly station: number;
  readonly chunks: readonly Chunk[];
  readonly runs: readonly Run[];
}

/** The rows of a station: from `first` to `end` (not included) of columns that may have rows of other stations too. */
export interface StationRows {
  readonly columns: Series;
  readonly first: number;
  readonly end: number;
}

/** Decodes the rows of a station in `[from, to)`. */
export function stationRows(
  { station, chunks, runs }: PackedStation,
  from: number,
  to: number,
  variables: ReadonlySet<number> | undefined,
): Series {
  return rowsOf(chunks, gatherRows(runs, station, from, to, variables), from, to, variables);
}

/**
 * Decodes the rows of chunks in `[from, to)`. A value in `later` replaces the value of the same time in a chunk.
 *
 * @param chunks each with its rows of some days, in order of time
 * @param later rows in `[from, to)`
 */
export function rowsOf(
  chunks: readonly Chunk[],
  later: Series,
  from: number,
  to: number,
  variables: ReadonlySet<number> | undefined,
): Series {
  return withValues(mergeAll([decodeAll(chunks, variables, from, to), later]));
}

/**
 * Decodes the rows of several stations in `[from, to)` into common columns, because columns of their own for each station take
 * longer than the decoding of a few rows. Rows without a value are not removed.
 */
export function decodeStations(
  stations: readonly PackedStation[],
  from: number,
  to: number,
  variables: ReadonlySet<number> | undefined,
): StationRows[] {
  const parts: PackedRows[] = [];
  const ends = stations.map(({ station, chunks, runs }) => {
    for (const chunk of chunks) parts.push(rowsOfChunk(chunk, from, to));
    for (const run of runs) {
      const found = run.find(station, from, to);
      if (found !== undefined) parts.push({ source: run, first: found[0], end: found[1] });
    }
    return parts.length;
  });
  const columns = decodeRows(parts, variables);
  let [part, row] = [0, 0];
  return stations.map((station, index) => {
    const first = row;
    let isRising = true;
    for (; part < (ends[index] as number); part += 1) {
      const { first: begin, end } = parts[part] as PackedRows;
      if (begin === end) continue;
      if (row > first && (columns.times[row - 1] as number) >= (columns.times[row] as number))
        isRising = false;
      row += end - begin;
    }
    if (isRising) return { columns, first, end: row };
    const merged = stationRows(station, from, to, variables);
    return { columns: merged, first: 0, end: merged.times.length };
  });
}
