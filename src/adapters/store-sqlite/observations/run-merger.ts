import type { Database } from 'better-sqlite3';
import { sliceSeries } from '#domain/weather/series.js';
import { discardedColumns } from '#adapters/formats/garbage.js';
import { Run } from '#adapters/formats/packed/run-codec.js';
import { type JoinedRows, joinRuns } from '#adapters/packed-store/join-runs.js';
import type { MergePosition, MergeScope } from '#adapters/packed-store/merge-schedule.js';
import { mergeIntoChunks, type StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import { gatherRows, mergeWindows } from '#adapters/packed-store/run-rows.js';
import type { StationStates } from '#adapters/packed-store/station-states.js';
import { isCorrupt } from '../damage/corrupt.js';
import type { Quarantine } from '../damage/quarantine.js';
import { type BlockRun, RUN_BLOCK, stationBlockOf } from '../levels/block-run.js';
import { BlockWriter } from '../levels/block-writer.js';
import { shouldMergeIntoChunks, MAX_AGE, target } from '../levels/run-levels.js';
import type { ObservationReader, Snapshot } from './observation-reader.js';

/**
 * The blobs into which a merge moves new rows. In each case, the rows are moved out of all runs of commits, which are blobs with
 * rows of one commit each. A block is a group of 64 stations, and a chunk is a blob with the rows of one station.
 *
 * - `due`: the rows of a block are moved into chunks if there are enough of them (run-levels.ts), otherwise into a run of the
 *   block, which is a blob with rows of the stations of the block
 * - `all`: the rows of all blocks are moved into chunks
 * - a number: like `due`, but the rows of the block of the station with this number are moved into chunks
 */
export type MergeReach = MergeScope | number;

/** Maximum number of rows of a block that are joined in memory, before they are moved into chunks: 3 MiB with 12 variables. */
const MAX_JOINED_ROWS = 32_768;

/**
 * A block (64 stations with consecutive numbers), those of its stations that have rows in runs of commits, and the ids of these
 * runs. A run of a commit is a blob with rows of one commit.
 */
interface MergedBlock {
  readonly block: number;
  readonly stations: readonly number[];
  readonly runs: ReadonlySet<number>;
}

/**
 * The stations of a block, whose rows are being moved into chunks, one station after the other. A block is a group of 64 stations,
 * and a chunk is a blob with the rows of one station.
 */
interface CurrentBlock {
  readonly stations: readonly number[];
  next: number;
  /** Ids of the runs of the block (blobs with rows of its stations) that are moved. */
  readonly ids: readonly number[];
  /** The rows of all stations; undefined if they are too many, so that the rows of each station are collected when it is moved. */
  readonly joined: JoinedRows | undefined;
}

interface Progress {
  readonly reach: MergeReach;
  /** Id of the last run (a blob with rows of one commit) whose rows this merge moves. Later runs wait for the next merge. */
  readonly last: number;
  readonly blocks: readonly MergedBlock[];
  /** Index in `blocks` of the block (group of 64 stations) that is merged next. */
  next: number;
  /** Number of stations whose rows were already merged, that is, moved into larger blobs. */
  done: number;
  /** The current block (a group of 64 stations), if its rows are being moved into chunks (blobs with the rows of one station). */
  current: CurrentBlock | undefined;
}

/**
 * Merges runs, some stations at a time, so that other operations do not wait long. A run is a blob with rows of one commit. Its
 * rows are moved, block by block, into larger blobs; a block is a group of 64 stations. The larger blob is either a run of the
 * block, which has rows of all its stations, or a chunk, which has the rows of one station. An example (x: rows of a station):
 *
 *                            run 7   run 8   run 9 | run 10, written after the first call
 *     block 0, station 1       x               x   |   x
 *              station 2               x       x   |
 *     block 1, station 64              x           |
 *
 * 1. The first call determines the last run (9) and the blocks of all runs up to it.
 * 2. Each call merges the rows of these runs, one block after the other, until its time is over. A block is merged into
 *    a run of the block or, one station after the other, into chunks.
 * 3. When all blocks are done, the runs up to 9 are deleted.
 *
 * The caller provides the transaction. If merging is interrupted, it starts again at 1. Blocks that have been merged
 * into a run of the block are then skipped. Merging a station into its chunks a second time does not change them.
 */
export class RunMerger {
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #quarantine: Quarantine;
  readonly #chunks: StationChunks;
  readonly #blocks: BlockWriter;
  readonly #deleteRuns;
  #progress: Progress | undefined;
  /** Blocks (groups of 64 stations) whose chunks (blobs with the rows of one station) are in damaged pages of the file. */
  readonly #unreadable = new Set<number>();

  constructor(
    database: Database,
    reader: ObservationReader,
    states: StationStates,
    quarantine: Quarantine,
    chunks: StationChunks,
  ) {
    this.#reader = reader;
    this.#states = states;
    this.#quarantine = quarantine;
    this.#chunks = chunks;
    this.#blocks = new BlockWriter(database);
    this.#deleteRuns = database.prepare('DELETE FROM run WHERE id <= ?');
  }

  /**
   * Starts or continues a merge, which moves new rows from runs into larger blobs (see `RunMerger`). Merges the rows of at least
   * one station if there are runs.
   *
   * @param duration milliseconds after which the call returns even if the merge is not finished
   * @returns the progress; undefined if nothing is left to merge
   */
  merge(duration: number, reach: MergeReach = 'all'): MergePosition | undefined {
    const until = performance.now() + duration;
    const runs = this.#reader.snapshot();
    for (const damage of runs.damage) if (damage.kind === 'run') this.#quarantine.add(damage);
    if (reach !== 'due' && this.#progress?.reach !== reach) this.#progress = undefined;
    const progress = (this.#progress ??= this.#begin(runs.all, reach));
    if (progress === undefined) return undefined;
    const merged = runs.all.filter(({ id }) => id <= progress.last);
    while (progress.next < progress.blocks.length) {
      this.#stepOrMarkUnreadable(progress, runs, merged);
      if (performance.now() > until) break;
    }
    if (progress.next < progress.blocks.length)
      return { run: merged[0]?.id ?? progress.last + 1, stations: progress.done };
    this.#deleteRuns.run(progress.last);
    this.#progress = undefined;
    return undefined;
  }

  /**
   * Makes the next call of `merge` start again, instead of continuing an earlier merge. Call this method after the transaction
   * was rolled back.
   */
  forget(): void {
    this.#progress = undefined;
  }

  #begin(runs: readonly Run[], reach: MergeReach): Progress | undefined {
    /** For each block, which of its 64 stations have new rows, and the ids of the runs with these rows. */
    const found = new Map<number, { has: Uint8Array; runs: Set<number> }>();
    const note = (block: number) => {
      let one = found.get(block);
      if (one === undefined) found.set(block, (one = { has: new Uint8Array(RUN_BLOCK), runs: new Set() }));
      return one;
    };
    for (const run of runs) {
      let block = -1;
      let has: Uint8Array | undefined;
      for (const station of run.stations) {
        if (has === undefined || stationBlockOf(station) !== block) {
          block = stationBlockOf(station);
          const own = note(block);
          own.runs.add(run.id);
          has = own.has;
        }
        has[station % RUN_BLOCK] = 1;
      }
    }
    const oldest = Date.now() - MAX_AGE;
    for (const { block, since } of this.#reader.blocks.all())
      if (isForced(reach, block) || since <= oldest) note(block);
    if (found.size === 0) return undefined;
    const blocks = [...found].map(([block, { has, runs: ids }]): MergedBlock => {
      const stations = Array.from(has, (_, slot) => block * RUN_BLOCK + slot);
      return { block, stations: stations.filter((_, slot) => has[slot] === 1), runs: ids };
    });
    blocks.sort((a, b) => a.block - b.block);
    return { reach, last: runs.at(-1)?.id ?? 0, blocks, next: 0, done: 0, current: undefined };
  }

  /**
   * Calls `#step`, which merges a block (64 stations) or a part of it. If `#step` finds a damaged page of the file, it throws,
   * and this merge ends.
   *
   * The next merge would end at the same block, and would never reach the blocks after it. The block is therefore remembered:
   * later merges do not move its rows into chunks (blobs of one station).
   */
  #stepOrMarkUnreadable(progress: Progress, runs: Snapshot, merged: readonly Run[]): void {
    const { block } = progress.blocks[progress.next] as MergedBlock;
    try {
      this.#step(progress, runs, merged);
    } catch (error) {
      if (isCorrupt(error)) this.#unreadable.add(block);
      throw error;
    }
  }

  /**
   * Does one step of the merge of a block of 64 stations: it moves new rows into larger blobs. If only few rows are new, one step
   * moves the rows of all stations of the block, otherwise the rows of the next station.
   */
  #step(progress: Progress, runs: Snapshot, merged: readonly Run[]): void {
    const { block, stations, runs: ids } = progress.blocks[progress.next] as MergedBlock;
    const loss = this.#reader.blocks.loss(block);
    if (loss !== undefined) this.#quarantine.add(loss);
    const stored = this.#reader.blocks.of(block);
    // If an earlier merge was interrupted, the rows of some commits are already in runs of the block, which are blobs with rows
    // of its 64 stations. These are the commits up to the id `through`.
    const through = Math.max(0, ...stored.map((run) => run.through));
    const added = merged.filter(({ id }) => id > through && ids.has(id));
    if (progress.current === undefined) {
      const rows = countOf(added, block);
      const isWorth = shouldMergeIntoChunks(stored, { rows, stations: stations.length }, Date.now());
      if ((!isWorth || this.#unreadable.has(block)) && !isForced(progress.reach, block)) {
        if (rows > 0) this.#toBlockRun(block, stations, runs, stored, added);
        progress.done += stations.length;
        progress.next += 1;
        return;
      }
      const inputs = [...this.#open(stored), ...added];
      const joined = countOf(inputs, block) <= MAX_JOINED_ROWS ? joinBlock(inputs, block) : undefined;
      const all = new Set([...stations, ...this.#open(stored).flatMap((run) => [...run.stations])]);
      const sorted = [...all].sort((a, b) => a - b);
      progress.current = { stations: sorted, next: 0, ids: stored.map(({ id }) => id), joined };
    }
    const { current } = progress;
    const station = current.stations[current.next];
    if (station !== undefined) {
      const cached = this.#states.of(station, runs);
      this.#reader.lists.savedOnce(() => {
        if (current.joined === undefined) this.#collectIntoChunks(station, [...this.#open(stored), ...added]);
        else this.#toChunks(station, current.joined);
      });
      // The stored state (such as the newest values) is outdated if new commits have rows of the station.
      if (stations.includes(station)) this.#states.save(station, cached);
      progress.done += 1;
      current.next += 1;
    }
    if (current.next < current.stations.length) return;
    this.#blocks.remove(block, current.ids);
    this.#reader.blocks.drop(current.ids);
    progress.current = undefined;
    progress.next += 1;
  }

  /**
   * Joins new rows of a block (64 stations) and the rows of some of its runs into a new run. A run of a block is a packed piece
   * of its rows.
   */
  #toBlockRun(
    block: number,
    stations: readonly number[],
    runs: Snapshot,
    stored: readonly BlockRun[],
    added: readonly Run[],
  ): void {
    const { level, inputs } = target(stored);
    const opened = this.#open(inputs);
    const joined = joinBlock([...opened, ...added], block);
    const through = added.at(-1)?.id ?? 0;
    const since = Math.min(Date.now(), ...inputs.map((run) => run.since));
    this.#blocks.put({ block, level, through, since }, joined.places, joined.columns);
    const replaced = inputs.map(({ id }) => id);
    this.#blocks.remove(block, replaced);
    this.#reader.blocks.drop(replaced);
    for (const station of stations) this.#states.save(station, this.#states.of(station, runs));
  }

  /** Moves the joined rows of a station into its chunks, which are blobs with its rows of some days. */
  #toChunks(station: number, { places, columns }: JoinedRows): void {
    const index = places.findIndex((place) => place.station === station);
    const from = places[index]?.from;
    if (from === undefined) return;
    const to = places[index + 1]?.from ?? columns.times.length;
    mergeIntoChunks(this.#chunks, station, sliceSeries(columns, from, to));
  }

  /** Collects rows of a station from runs, and moves them into its chunks, which are blobs with its rows of some days. */
  #collectIntoChunks(station: number, added: readonly Run[]): void {
    for (const [from, to] of mergeWindows(added, station)) {
      const all = gatherRows(added, station, from, to);
      mergeIntoChunks(this.#chunks, station, all);
      discardedColumns(all);
    }
  }

  /**
   * Decodes runs of a block, which are packed pieces of rows of its 64 stations. Damaged runs are skipped, and moved to the table
   * `damaged`.
   */
  #open(stored: readonly BlockRun[]): Run[] {
    return stored.flatMap((run) => {
      const opened = this.#reader.blocks.open(run);
      if (opened instanceof Run) return [opened];
      this.#quarantine.add(opened);
      return [];
    });
  }
}

/** Number of rows of the stations of a block in several runs. */
function countOf(runs: readonly Run[], block: number): number {
  return runs.reduce((sum, run) => {
    const [from, to] = run.rowsBetween(block * RUN_BLOCK, (block + 1) * RUN_BLOCK);
    return sum + to - from;
  }, 0);
}

function joinBlock(runs: readonly Run[], block: number): JoinedRows {
  return joinRuns(runs, block * RUN_BLOCK, (block + 1) * RUN_BLOCK);
}

/**
 * Whether the new rows of a block (64 stations) are moved into chunks (blobs of one station) even if there are few rows; see
 * `MergeReach`.
 */
function isForced(reach: MergeReach, block: number): boolean {
  return reach === 'all' || (reach !== 'due' && block === stationBlockOf(reach));
}
