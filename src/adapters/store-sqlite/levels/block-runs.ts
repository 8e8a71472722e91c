import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DamagedRunError, Run } from '../../formats/packed/run-codec.js';
import type { Damage } from '../../packed-store/damage.js';
import { extentOf } from '../../packed-store/run-extent.js';

/** Number of stations in a block. Their numbers follow each other. */
export const BLOCK = 64;
/** Memory for opened runs of blocks, in bytes, for each thread that reads. */
const MAX_CACHED = 24 * 2 ** 20;

export const blockOf = (station: number): number => Math.floor(station / BLOCK);

/** The columns of a run of a block without its blob. */
export interface BlockRun {
  readonly id: number;
  readonly block: number;
  /** 1 if it was made of runs of commits; one more than the highest level of the runs of the block it was made of. */
  readonly level: number;
  /** Id of the newest run of a commit in it. All older rows of the block are in it, in older runs of the block or in chunks. */
  readonly through: number;
  /** When the oldest of the runs it was made of was written, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  readonly rows: number;
  /** Number of stations that have rows in it. */
  readonly stations: number;
  /** Times of its oldest and newest row. */
  readonly first: number;
  readonly last: number;
}

const COLUMNS = 'id, block, level, through, since, rows, stations, first, last';

/**
 * Runs of blocks: rows of up to 64 stations that are not in chunks yet (levels.ts). They are opened when a station of
 * their block is read, because all of them together may be large.
 */
export class BlockRuns {
  /** Never out of date, because a run of a block never changes and its id is not used again. */
  readonly #opened = new LRUCache<number, Run>({
    maxSize: MAX_CACHED,
    sizeCalculation: (run) => extentOf(run).bytes + 1,
  });
  /** Runs of the blocks that this transaction has asked for. */
  readonly #lists = new Map<number, readonly BlockRun[]>();
  readonly #list;
  readonly #all;
  readonly #one;
  readonly #data;

  constructor(database: Database) {
    // The newest rows are in the lowest level, because a merge takes all runs of the levels below its result.
    this.#list = database.prepare<[number], BlockRun>(
      `SELECT ${COLUMNS} FROM block_run WHERE block = ? ORDER BY level DESC, id`,
    );
    this.#all = database.prepare<[], BlockRun>(
      `SELECT ${COLUMNS} FROM block_run ORDER BY block, level DESC, id`,
    );
    this.#one = database.prepare<[number], BlockRun>(`SELECT ${COLUMNS} FROM block_run WHERE id = ?`);
    this.#data = database.prepare<[number], Buffer>('SELECT data FROM block_run WHERE id = ?').pluck();
  }

  /** Must be called in each new transaction, and when a run of a block has been written. */
  forget(): void {
    this.#lists.clear();
  }

  /** Must be called when runs of blocks have been deleted. */
  drop(ids: readonly number[]): void {
    for (const id of ids) this.#opened.delete(id);
    this.forget();
  }

  /** The runs of a block, oldest rows first. */
  of(block: number): readonly BlockRun[] {
    let list = this.#lists.get(block);
    if (list === undefined) this.#lists.set(block, (list = this.#list.all(block)));
    return list;
  }

  /** The runs of all blocks. */
  all(): BlockRun[] {
    return this.#all.all();
  }

  /**
   * The opened runs of the block of a station that may have rows of it in `[from, to)`, oldest rows first.
   *
   * @param onDamage called for damaged runs, which are left out
   */
  opened(station: number, from: number, to: number, onDamage: (damage: Damage) => void): Run[] {
    const runs: Run[] = [];
    for (const run of this.of(blockOf(station))) {
      if (run.first >= to || run.last < from) continue;
      const opened = this.open(run);
      if (opened instanceof Run) runs.push(opened);
      else onDamage(opened);
    }
    return runs;
  }

  /** Opens a run of a block again if it still exists. */
  check(id: number, onDamage: (damage: Damage) => void): void {
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
      opened = new Run(run.id, this.#data.get(run.id) ?? Buffer.alloc(0));
    } catch (error) {
      if (!(error instanceof DamagedRunError)) throw error;
      return damagedRun(run, error);
    }
    this.#opened.set(run.id, opened);
    return opened;
  }
}

function damagedRun({ id, block, first, last, rows }: BlockRun, error: DamagedRunError): Damage {
  const all = Array.from({ length: BLOCK }, (_, index) => block * BLOCK + index);
  return {
    kind: 'block',
    key: id,
    stations: error.stations ?? all,
    first,
    last,
    rows,
    reason: error.message,
  };
}
