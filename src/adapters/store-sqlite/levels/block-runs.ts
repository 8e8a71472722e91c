import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DamagedRunError, Run } from '#adapters/formats/packed/run-codec.js';
import { ALL_TIMES, type Damage } from '#adapters/packed-store/damage.js';
import { BlockLedger } from '../ledgers/block-ledger.js';
import { RUN_BLOCK, stationBlockOf, type BlockRun, KEY_COLUMNS, keyOfRun } from './block-run.js';

/** Maximum memory of opened runs of blocks in bytes, for each reading thread. Such a run is a piece of rows of 64 stations. */
const MAX_CACHED = 24 * 2 ** 20;

/**
 * Runs of blocks. A run of a block is a packed piece of new rows of the 64 stations of the block (run-levels.ts). A run is
 * opened, that is, decoded, when a station of its block is read, because all runs together may be large.
 */
export class BlockRuns {
  /**
   * Cache of opened runs of blocks (decoded pieces of rows), by id. An entry is never outdated, because a run never changes and
   * its id is not used again.
   */
  readonly #opened = new LRUCache<number, Run>({
    maxSize: MAX_CACHED,
    sizeCalculation: (run) => run.bytes + 1,
  });
  /** For each block of 64 stations that this transaction has read, the list of its runs, which are packed pieces of its rows. */
  readonly #lists = new Map<number, readonly BlockRun[]>();
  /** The missing runs of the blocks that this transaction has checked; see `loss`. */
  readonly #losses = new Map<number, Damage | undefined>();
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

  /**
   * Clears the cached lists of the runs of each block, and what is known about missing runs. Call it at the beginning of each transaction, and after a run (a packed
   * piece of rows of the block) was written.
   */
  forget(): void {
    this.#lists.clear();
    this.#losses.clear();
  }

  /** Removes runs of blocks (packed pieces of rows) from the cache. Call it after these runs were deleted from the file. */
  drop(ids: readonly number[]): void {
    for (const id of ids) this.#opened.delete(id);
    this.forget();
  }

  /** The runs of a block (packed pieces of rows of its 64 stations), oldest rows first. */
  of(block: number): readonly BlockRun[] {
    let list = this.#lists.get(block);
    if (list === undefined) this.#lists.set(block, (list = this.#ledger.runsOf(block)));
    return list;
  }

  /**
   * Checks that all runs of a block exist. A run is a packed piece of rows of the 64 stations of the block. Returns the damage if
   * a run is missing or its columns have changed; undefined for an intact block.
   */
  loss(block: number): Damage | undefined {
    if (!this.#losses.has(block)) this.#losses.set(block, this.#lossOf(block));
    return this.#losses.get(block);
  }

  #lossOf(block: number): Damage | undefined {
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

  /** The runs of all blocks, without their blobs. A run of a block is a packed piece of rows of its 64 stations. */
  all(): BlockRun[] {
    return this.#all.all();
  }

  /**
   * Opens runs of the block of a station, which are packed pieces of rows of the 64 stations of the block. Returns only the runs
   * that may have rows of the station in `[from, to)`, oldest rows first.
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
   * Checks a run or a block again, and reports damage:
   *
   * - If `id` is the id of a run of a block (a packed piece of rows), this run is read, if it still exists.
   * - If `id` is negative, the block with the number `-1 - id` is checked for missing runs.
   */
  check(id: number, onDamage: (damage: Damage) => void): void {
    this.forget();
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

/** The numbers that stations of a block (a group of 64 stations) can have. Not every number needs to be in use. */
const stationsOf = (block: number) =>
  Array.from({ length: RUN_BLOCK }, (_, index) => block * RUN_BLOCK + index);
