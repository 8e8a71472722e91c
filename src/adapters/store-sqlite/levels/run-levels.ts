import { MILLISECONDS } from '#domain/time.js';
import { MAX_CHUNK_DAYS } from '#adapters/packed-store/chunks/chunk-days.js';
import type { Runs } from '#adapters/packed-store/station-states.js';
import type { BlockRun } from './block-run.js';

/*
 * How new rows reach the chunks of their stations. The words in this folder:
 *
 * - A chunk is a blob with the rows of one station and some days. New rows are not written into chunks at once, because rewriting
 *   a chunk for a few rows costs too much.
 * - A run is a blob with rows of many stations, in which new rows wait until a station has enough of them.
 * - A run of a commit has the rows of one commit, of all stations.
 * - A run of a block has rows of a block, which is a group of 64 stations.
 * - To merge is to move rows from runs into larger runs, and finally into chunks.
 * - A run of a block has a level. A run that is made from runs of commits has level 1. `FAN` is the number of runs of a level
 *   that are joined into one run of the next level.
 *
 * An example of one block with a `FAN` of 3; each letter is a run:
 *
 *     commits          a b c d e f g …          all stations; in the memory of every thread
 *                        |  merged by block
 *     level 1          A   B                    at most 2 runs; the next merge joins A, B and new rows into a run of level 2
 *     level 2          C                        at most 2 runs
 *                        |  enough rows a station, or a day old
 *     chunks           station 1 | station 2 | …
 *
 * The rows of each level are older than the rows of the levels above it in this drawing. The number of runs that may
 * contain rows of a station is therefore small (`FAN` - 1 for each level), and a row is rewritten once for each level.
 */
/**
 * Runs of commits have rows of one commit each. Their rows are merged into larger blobs when there are `MAX_RUNS` runs, or when
 * the runs take `MAX_BYTES` bytes of memory in total.
 */
const MAX_RUNS = 64;
const MAX_BYTES = 20 * 2 ** 20;
/**
 * Number of runs of one level that are joined into one run of the next level. A run is a packed piece of rows of a block (64
 * stations). A run that was made from new rows only has level 1. If other runs were joined into a run, its level is one more than
 * the highest of their levels.
 *
 * A block has at most `FAN` - 1 runs of each level.
 */
export const FAN = 6;
/**
 * Minimum number of waiting rows for each station of a block (64 stations), on average, at which the rows of the block are moved
 * into chunks, which are blobs with the rows of one station.
 */
const MIN_ROWS_FOR_CHUNKS = 192;
/**
 * The same for rows that are spread over years, which touch many chunks: `ROWS_FOR_CHUNK` rows for each chunk of `MAX_CHUNK_DAYS`
 * days, but at most `MAX_WAITING_ROWS` rows. With three rows for each chunk, rewriting the chunks took a third of the time of such
 * an import. More waiting rows would not fit into the cache of opened runs with 1,000 stations.
 */
const ROWS_FOR_CHUNK = 9;
const MAX_WAITING_ROWS = 512;
/**
 * Maximum time for which new rows wait in runs of blocks (blobs with rows of 64 stations), in milliseconds. Then they are moved
 * into chunks, which are blobs with the rows of one station.
 */
export const MAX_AGE = MILLISECONDS.day;

/**
 * Whether the waiting rows of a block (64 stations) are moved into chunks, which are blobs with the rows of one station.
 *
 * @param added number of waiting rows in runs of commits (rows of one commit each), and number of their stations
 */
export function shouldMergeIntoChunks(
  stored: readonly BlockRun[],
  added: { readonly rows: number; readonly stations: number },
  now: number,
): boolean {
  const rows = stored.reduce((sum, run) => sum + run.rows, added.rows);
  const stations = Math.max(added.stations, ...stored.map((run) => run.stations));
  const [first, last] = [
    Math.min(...stored.map((run) => run.first)),
    Math.max(...stored.map((run) => run.last)),
  ];
  const chunks = (last - first) / (MAX_CHUNK_DAYS * MILLISECONDS.day);
  const enough = Math.max(MIN_ROWS_FOR_CHUNKS, Math.min(ROWS_FOR_CHUNK * chunks, MAX_WAITING_ROWS));
  return rows >= enough * stations || stored.some(({ since }) => since <= now - MAX_AGE);
}

/**
 * Chooses which stored runs of a block (packed pieces of rows of its 64 stations) are joined with new rows into a new run. A
 * run has a level: 1 if it was made from new rows only, otherwise one more than the highest level of the runs that were joined
 * into it.
 *
 * @returns the level of the new run, which is the lowest level with fewer than `FAN` - 1 stored runs, and the chosen runs
 *   (`inputs`), which are all stored runs of lower levels
 */
export function target(stored: readonly BlockRun[]): { level: number; inputs: readonly BlockRun[] } {
  let level = 1;
  while (stored.filter((run) => run.level === level).length >= FAN - 1) level += 1;
  return { level, inputs: stored.filter((run) => run.level < level) };
}

/**
 * How many runs of commits (rows of one commit each) are waiting, relative to the limits `MAX_RUNS` and `MAX_BYTES`. At 1 or
 * more, a merge is requested, which moves their rows into larger blobs. At 2 or more, a write merges before it writes its own
 * rows.
 */
export function load({ all }: Runs): number {
  const bytes = all.reduce((sum, run) => sum + run.bytes, 0);
  return Math.max(all.length / MAX_RUNS, bytes / MAX_BYTES);
}
