import { MILLISECONDS } from '#domain/time.js';
import { runExtentOf } from '#adapters/packed-store/run-extent.js';
import type { Runs } from '#adapters/packed-store/station-states.js';
import type { BlockRun } from './block-run.js';

/*
 * Rows wait in runs until a station has enough of them to be worth the rewriting of its chunks. An example of one block
 * with a fan of 3; each letter is a run:
 *
 *     commits          a b c d e f g …          all stations; in the memory of every thread
 *                        |  merged by block
 *     level 1          A   B                    at most 2 runs; the third merge makes a run of level 2 of them
 *     level 2          C                        at most 2 runs
 *                        |  enough rows a station, or a day old
 *     chunks           station 1 | station 2 | …
 *
 * Each level holds rows that are older than those of the levels above it in this drawing. So the number of runs that
 * may hold rows of a station is small (`FAN` - 1 for each level), and a row is rewritten once for each level.
 */
/** Runs of commits are merged when their number, or their size in memory in bytes, reaches this limit. */
const MAX_RUNS = 64;
const MAX_BYTES = 20 * 2 ** 20;
/** The number of runs of a level of which a run of the next level is made. */
export const FAN = 6;
/** Rows of each station, on average, at which a block is merged into chunks. */
const WORTH = 192;
/** Longest time that rows wait in runs of blocks, in milliseconds. */
export const MAX_AGE = MILLISECONDS.day;

/** @param added number of the rows and stations that come from runs of commits */
export function isWorthChunks(
  stored: readonly BlockRun[],
  added: { readonly rows: number; readonly stations: number },
  now: number,
): boolean {
  const rows = stored.reduce((sum, run) => sum + run.rows, added.rows);
  const stations = Math.max(added.stations, ...stored.map((run) => run.stations));
  return rows >= WORTH * stations || stored.some(({ since }) => since <= now - MAX_AGE);
}

/** The runs with which new rows of a block are merged, and the level of the result. */
export function target(stored: readonly BlockRun[]): { level: number; inputs: readonly BlockRun[] } {
  let level = 1;
  while (stored.filter((run) => run.level === level).length >= FAN - 1) level += 1;
  return { level, inputs: stored.filter((run) => run.level < level) };
}

/** The amount of runs of commits. From 1 on a merge is requested; from 2 on writes merge first. */
export function load({ all }: Runs): number {
  const bytes = all.reduce((sum, run) => sum + runExtentOf(run).bytes, 0);
  return Math.max(all.length / MAX_RUNS, bytes / MAX_BYTES);
}
