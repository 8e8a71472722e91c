import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DamagedRunError, Run } from '#adapters/formats/packed/run-codec.js';
import { ALL_TIMES, type Damage } from '#adapters/packed-store/damage.js';
import { BlockLedger } from '../ledgers/block-ledger.js';
import { RUN_BLOCK, stationBlockOf, type BlockRun, KEY_COLUMNS, keyOfRun } from './block-run.js';
import { runExtentOf } from '#adapters/packed-store/run-extent.js';

/** Maximum memory for opened runs of blocks in bytes, for each reading thread. */
const MAX_CACHED = 24 * 2 ** 20;

/**
 * Runs of blocks: rows of up to 64 stations that are not in chunks yet (run-levels.ts). A run is opened when a station of its
 * block is read, because all runs together may be large.
 */
export class BlockRuns {
  /** Cache of opened runs. The cache is never outdated, because a run of a block never changes and its id is not used again. */
  readonly #opened = new LRUCache<number, Run>({
    maxSize: MAX_CACHED,
    sizeCalculation: (run) => runExtentOf(run).bytes + 1,
  });
  /** Runs of the blocks that this transaction has read. */
  readonly #lists = new Map<number, readonly BlockRun[]>();
  readonly #ledger: BlockLedger;
  readonly #all;
  readonly #one;
  readonly #data;

  constructor(database: Database) {
    this.#ledger = new BlockLedger(database);
    this.#all = database.prepare<[], BlockRun>(
      `SELECT ${KEY_COLUMNS} FROM block_run ORDER BY block, level DESC, id`,
    );
    this.#one = database.prepare<[number], BlockRun>(`SELECT ${KEY_COLUMNS} FROM block_run WHERE id = ?`);
    this.#data = database.prepare<[number], Buffer>('SELECT data FROM block_run WHERE id = ?').pluck();
  }

  /** Clears the cached lists of runs. Call it at the beginning of each transaction, and after a run of a block was written. */
  forget(): void {
    this.#lists.clear();
  }

  /** Removes runs from the cache. Call it after runs of blocks were deleted. */
  drop(ids: readonly number[]): void {
    for (const id of ids) this.#opened.delete(id);
    this.forget();
  }

  /** The runs of a block, oldest rows first. */
  of(block: number): readonly BlockRun[] {
    let list = this.#lists.get(block);
    if (list === undefined) this.#lists.set(block, (list = this.#ledger.runsOf(block)));
    return list;
  }

  /** Checks a block. Returns the damage if a run is missing or its columns have changed; undefined for an intact block. */
  loss(block: number): Damage | undefined {
    if (this.#ledger.isOf(block, this.of(block))) return undefined;
    const reason = 'the runs of the block are not the runs that were written';
    return {
      kind: 'block',
      key: -1 - block,
      stations: stationsOf(block),
      ...ALL_TIMES,
      rows: 0,
      reason,
      isMissing: true,
    };
  }

  /** The runs of all blocks. */
  all(): BlockRun[] {
    return this.#all.all();
  }

  /**
   * Opens the runs of the block of a station. Returns only the runs that may have rows of the station in `[from, to)`, oldest
   * rows first.
   *
   * @param onDamage called for damaged runs; they are skipped
   */
  opened(station: number, from: number, to: number, onDamage: (damage: Damage) => void): Run[] {
    const runs: Run[] = [];
    const loss = this.loss(stationBlockOf(station));
    if (loss !== undefined) onDamage(loss);
    for (const run of this.of(stationBlockOf(station))) {
      if (run.first >= to || run.last < from) continue;
      const opened = this.open(run);
      if (opened instanceof Run) runs.push(opened);
      else onDamage(opened);
    }
    return runs;
  }

  /**
   * Reads a run of a block again, if it still exists, and reports damage. A negative id, `-1 - block`, checks the completeness of a
   * block.
   */
  check(id: number, onDamage: (damage: Damage) => void): void {
    const loss = id < 0 ? this.loss(-1 - id) : undefined;
    if (loss !== undefined) onDamage(loss);
    const run = this.#one.get(id);
    if (run === undefined) return;
    this.#opened.delete(id);
    const opened = this.open(run);
    if (!(opened instanceof Run)) onDamage(opened);
    this.forget();
  }

  open(run: BlockRun): Run | Damage {
    let opened = this.#opened.get(run.id);
    if (opened !== undefined) return opened;
    try {
      opened = new Run(run.id, keyOfRun(run), this.#data.get(run.id) ?? Buffer.alloc(0));
    } catch (error) {
      if (!(error instanceof DamagedRunError)) throw error;
      return damagedRun(run, error);
    }
    this.#opened.set(run.id, opened);
    return opened;
  }
}

function damagedRun({ id, block, first, last, rows }: BlockRun, error: DamagedRunError): Damage {
  const stations = error.stations ?? stationsOf(block);
  return { kind: 'block', key: id, stations, first, last, rows, reason: error.message };
}

/** The numbers that stations of a block can have. */
const stationsOf = (block: number) =>
  Array.from({ length: RUN_BLOCK }, (_, index) => block * RUN_BLOCK + index);
