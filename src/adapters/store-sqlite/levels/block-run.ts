import type { BlobKey } from '#adapters/formats/packed/blob.js';

/** Number of stations in a block. The numbers of these stations are consecutive. */
export const RUN_BLOCK = 64;

export const stationBlockOf = (station: number): number => Math.floor(station / RUN_BLOCK);

/** The columns of a run of a block, except the column with the blob. */
export interface BlockRun {
  readonly id: number;
  readonly block: number;
  /**
   * The level is 1 if only runs of commits were merged into this run. If runs of the block were merged into this run too, the
   * level is one more than the highest level of those runs.
   */
  readonly level: number;
  /**
   * Id of the newest run of a commit that was merged into this run. All rows of the block up to that run of a commit are in this
   * run, in older runs of the block, or in chunks.
   */
  readonly through: number;
  /** The time of the write of the oldest run that was merged into this run, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  readonly rows: number;
  /** Number of stations that have rows in this run. */
  readonly stations: number;
  /** Times of the oldest and the newest row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
}

/** The key of the blob of a run (blob.ts): all columns of its row except the id, which is not known before the row is inserted. */
export function keyOfRun(run: Omit<BlockRun, 'id'>): BlobKey {
  const { block, level, through, since, rows, stations, first, last } = run;
  return [block, level, through, since, rows, stations, first, last];
}

/** The columns of a row, except the column with the blob. */
export const KEY_COLUMNS = 'id, block, level, through, since, rows, stations, first, last';
