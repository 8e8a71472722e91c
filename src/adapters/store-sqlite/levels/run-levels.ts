import { MILLISECONDS } from '#domain/time.js';
import { runExtentOf } from '#adapters/packed-store/run-extent.js';
import type { Runs } from '#adapters/packed-store/station-states.js';
import type { BlockRun } from './block-run.js';

/*
 * Rows wait in runs until a station has enough new rows to justify rewriting its chunks. An example of one block with a
 * fan of 3; each letter is a run:
 *
 *     commits          a b c d e f g …          all stations; in the memory of every thread
 *                        |  merged by block
 *     level 1          A   B                    at most 2 runs; the third merge makes a run of level 2 of them
 *     level 2          C                        at most 2 runs
 *                        |  enough rows a station, or a day old
 *     chunks           station 1 | station 2 | …
 *
 * The rows of each level are older than the rows of the levels above it in this drawing. The number of runs that may
 * contain rows of a station is therefore small (`FAN` - 1 for each level), and a row is rewritten once for each level.
 */
/** Runs of commits are merged when there are `MAX_RUNS` runs, or when the runs take `MAX_BYTES` bytes of memory in total. */
const MAX_RUNS = 64;
const MAX_BYTES = 20 * 2 ** 20;
/** Number of runs of a level that are merged into a run of the next level. */
export const FAN = 6;
/** A block is merged into chunks when it has at least this number of rows for each of its stations, on average. */
const MIN_ROWS_FOR_CHUNKS = 192;
/** Maximum time for which rows wait in runs of blocks, in milliseconds. */
export const MAX_AGE = MILLISECONDS.day;

/** Whether a block is merged into chunks. @param added number of rows and stations that runs of commits add */
export function shouldMergeIntoChunks(
  stored: readonly BlockRun[],
  added: { readonly rows: number; readonly stations: number },
  now: number,
): boolean {
  const rows = stored.reduce((sum, run) => sum + run.rows, added.rows);
  const stations = Math.max(added.stations, ...stored.map((run) => run.stations));
  return rows >= MIN_ROWS_FOR_CHUNKS * stations || stored.some(({ since }) => since <= now - MAX_AGE);
}

/** The runs with which new rows of a block are merged, and the level of the result. */
export function target(stored: readonly BlockRun[]): { level: number; inputs: readonly BlockRun[] } {
  let level = 1;
  while (stored.filter((run) => run.level === level).length >= FAN - 1) level += 1;
  return { level, inputs: stored.filter((run) => run.level < level) };
}

/** The load of runs of commits, relative to the limits. At 1 or more a merge is requested; at 2 or more a write merges first. */
export function load({ all }: Runs): number {
  const bytes = all.reduce((sum, run) => sum + runExtentOf(run).bytes, 0);
  return Math.max(all.length / MAX_RUNS, bytes / MAX_BYTES);
}
