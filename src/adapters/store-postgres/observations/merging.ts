import { type DomainError, isDomainError } from '#domain/domain-error.js';
import type { MergePosition } from '#adapters/packed-store/merge-schedule.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { together } from '../database/query.js';
import { mergeBlock, type BlockProgress } from './block-merger.js';
import { type OpenBlock, tryLockForMerging } from './blocks.js';
import type { RunCache } from './run-cache.js';

/**
 * The rows of a commit are stored as runs, one for each block of 64 stations. Merging later moves them into chunks, which contain
 * the packed rows of some days of a station. A block is merged when it has `MAX_RUNS` runs, or when its runs have `MAX_ROWS` rows
 * in total. Stations that report every ten minutes then have four days in the runs of a full block. With fewer rows, each merge
 * would rewrite more chunks of days that earlier merges have begun.
 */
const MAX_RUNS = 64;
const MAX_ROWS = 40_000;
/** A merge is split into transactions. A transaction ends after this time in milliseconds. */
const SLICE = 1000;

/**
 * One pass of `Merging`: a list of blocks (groups of 64 stations). One block after the other, the runs of the block (packed rows
 * of one commit each) are merged into chunks (packed rows of some days of a station).
 */
interface Pass {
  readonly blocks: readonly number[];
  next: number;
  progress: BlockProgress | undefined;
  /** The error of the first block that was skipped because its server in a distributed database cannot be reached. */
  failure: DomainError | undefined;
}

/**
 * Merges the runs of blocks into chunks, one block after the other. A block is a group of 64 stations. A run contains the packed
 * rows of one commit, and a chunk contains the packed rows of 1, 8 or 64 days of a station.
 */
export class Merging {
  readonly #database: PostgresDatabase;
  readonly #runs: RunCache;
  /** Blocks (groups of 64 stations) that should be merged, because a write has found many runs or rows in them. */
  readonly #due = new Set<number>();
  #pass: Pass | undefined;

  constructor(database: PostgresDatabase, runs: RunCache) {
    this.#database = database;
    this.#runs = runs;
  }

  /**
   * Remembers which of the given blocks (groups of 64 stations) must be merged. A block must be merged if it has `MAX_RUNS` or
   * more runs (packed rows of one commit each), or if its runs have `MAX_ROWS` or more rows in total.
   *
   * @returns whether any block must be merged
   */
  note(blocks: Iterable<OpenBlock>): boolean {
    for (const { block, all } of blocks) {
      const rows = all.reduce((sum, run) => sum + run.rows, 0);
      if (all.length >= MAX_RUNS || rows >= MAX_ROWS) this.#due.add(block);
    }
    return this.#due.size > 0;
  }

  /**
   * Makes the next call of `mergeSome` begin a pass over all blocks (groups of 64 stations) that have unmerged runs (packed rows
   * of one commit each), even over blocks with few runs.
   */
  includeAll(): void {
    this.#due.clear();
    this.#pass = undefined;
  }

  /**
   * Makes the next step begin a new pass. Call this method when a connection breaks: the next connection may reach a server that
   * lacks the last steps of the current pass. A step that went on behind them would delete runs (packed rows of one commit each)
   * whose rows are in no chunk (packed rows of some days of a station).
   */
  restart(): void {
    this.#pass = undefined;
  }

  /**
   * Does the next step of merging: merges the runs of one block (group of 64 stations), or of some stations of the block if the
   * whole block would take longer than a second.
   *
   * @returns the progress; undefined if no block is left
   */
  async mergeSome(): Promise<MergePosition | undefined> {
    const pass = (this.#pass ??= await this.#begin());
    const block = pass.blocks[pass.next];
    if (block === undefined) {
      this.#pass = undefined;
      if (pass.failure !== undefined) throw pass.failure;
      return undefined;
    }
    try {
      pass.progress = await this.#merge(block, pass);
    } catch (error) {
      const isOfPart = isDomainError(error) && error.partOnly;
      if (!isOfPart) this.#pass = undefined;
      if (!isOfPart) throw error;
      pass.failure ??= error;
      pass.progress = undefined;
    }
    if (pass.progress === undefined) pass.next += 1;
    return { run: pass.next, stations: pass.progress?.next ?? 0 };
  }

  /**
   * Merges a block (group of 64 stations): moves the rows of its runs (packed rows of one commit each) into chunks (packed rows
   * of some days of a station). If another transaction is merging this block, the block is skipped.
   */
  async #merge(block: number, pass: Pass): Promise<BlockProgress | undefined> {
    this.#due.delete(block);
    return await this.#database.pipelined(async (query) => {
      const [, isLocked] = await together([
        // The commit does not wait for the disk: if the server crashes and loses the merge, the runs are still there.
        query('SET LOCAL synchronous_commit = off'),
        tryLockForMerging(query, block),
      ]);
      // A connection may have broken while this step waited for one; see `restart`.
      const progress = this.#pass === pass ? pass.progress : undefined;
      const result = isLocked
        ? await mergeBlock(query, block, this.#runs, progress, performance.now() + SLICE)
        : undefined;
      return { result, sent: [] };
    });
  }

  async #begin(): Promise<Pass> {
    const start = { next: 0, progress: undefined, failure: undefined };
    if (this.#due.size > 0) return { blocks: [...this.#due], ...start };
    const { rows } = await this.#database.query<{ block: number }>(
      'SELECT block FROM weatherd.block WHERE last > merged_through ORDER BY block',
    );
    return { blocks: rows.map(({ block }) => block), ...start };
  }
}
