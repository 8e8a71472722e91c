import type { BlobKey } from '#adapters/formats/packed/blob.js';

/** Number of stations in a block. A block is a group of stations with consecutive numbers, whose new rows are packed together. */
export const RUN_BLOCK = 64;

export const stationBlockOf = (station: number): number => Math.floor(station / RUN_BLOCK);

/**
 * The columns of a run of a block, except the column with the blob. A block is a group of 64 stations, and a run of a block is a
 * blob with new rows of these stations.
 *
 * A run of a block is made by joining smaller runs: runs of commits, which have the rows of one commit each, and other runs of
 * the block.
 */
export interface BlockRun {
  readonly id: number;
  readonly block: number;
  /**
   * The level is 1 if only runs of commits (rows of one commit each) were joined into this run. If other runs of the block were
   * joined into it too, the level is one more than the highest level of those runs.
   */
  readonly level: number;
  /**
   * Id of the newest run of a commit (a blob with rows of one commit) that was joined into this run.
   *
   * A merge moves rows of commits into larger blobs. After an interruption, the merge starts again. For this block, it then
   * skips the runs of commits up to this id, because their rows of this block were already moved before the interruption: into
   * this run, into older runs of the block, or into chunks (blobs of one station).
   */
  readonly through: number;
  /**
   * Earliest time at which a row of this run was moved from a run of a commit into a run of the block, in milliseconds since
   * 1970-01-01T00:00:00Z. A run that is made by joining runs of the block gets the earliest of their times.
   *
   * A day after this time, the rows of the block are moved into chunks (blobs of one station).
   */
  readonly since: number;
  readonly rows: number;
  /** Number of stations that have rows in this run. */
  readonly stations: number;
  /** Times of the oldest and the newest row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
}

/**
 * The key of the blob of a run of a block (blob.ts). The key has all columns of the row in the table `block_run` except the id,
 * which is not known before the row is inserted.
 */
export function keyOfRun(run: Omit<BlockRun, 'id'>): BlobKey {
  const { block, level, through, since, rows, stations, first, last } = run;
  return [block, level, through, since, rows, stations, first, last];
}

/** The columns of the table `block_run`, except the column with the blob. */
export const KEY_COLUMNS = 'id, block, level, through, since, rows, stations, first, last';
