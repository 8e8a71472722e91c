import type { Database } from 'better-sqlite3';
import { keyedChecksum } from '#adapters/formats/packed/blob.js';
import { type BlockRun, KEY_COLUMNS, keyOfRun } from '../levels/block-run.js';

const NOTHING = new Uint8Array(0);

/**
 * The checksums of the blocks. A block is 64 stations with consecutive numbers. Its new rows are stored in runs, which are packed
 * pieces of rows (run-levels.ts). A checksum covers the columns of all runs of a block, so that a read notices a missing run.
 */
export class BlockLedger {
  readonly #select;
  readonly #put;
  readonly #remove;
  readonly #find;

  constructor(database: Database) {
    // New rows are first stored in runs (packed pieces of rows) of level 1. When a level has too many runs, their rows and those
    // of all lower levels move into one run of the next level. So a run of a higher level has older rows, and the query returns
    // the runs with the oldest rows first.
    this.#select = database.prepare<[number], BlockRun>(
      `SELECT ${KEY_COLUMNS} FROM block_run WHERE block = ? ORDER BY level DESC, id`,
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO block_ledger (block, checksum) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM block_ledger WHERE block = ?');
    this.#find = database
      .prepare<[number], number>('SELECT checksum FROM block_ledger WHERE block = ?')
      .pluck();
  }

  /** The runs of a block (packed pieces of rows of its 64 stations), oldest rows first. */
  runsOf(block: number): readonly BlockRun[] {
    return this.#select.all(block);
  }

  /** Whether `runs` are all stored runs of a block (packed pieces of rows of its 64 stations), and none is missing. */
  isOf(block: number, runs: readonly BlockRun[]): boolean {
    return this.#find.get(block) === checksumOf(runs);
  }

  /**
   * Computes and stores the checksum of a block again. Call it after runs of the block (packed pieces of rows of its 64 stations)
   * were inserted or deleted.
   */
  seal(block: number): void {
    const checksum = checksumOf(this.runsOf(block));
    if (checksum === undefined) this.#remove.run(block);
    else this.#put.run(block, checksum);
  }
}

/**
 * The checksum of the runs of a block (packed pieces of rows of its 64 stations). A block without runs has no checksum, and no
 * row in the table `block_ledger`.
 */
function checksumOf(runs: readonly BlockRun[]): number | undefined {
  let checksum: number | undefined;
  for (const run of runs) checksum = keyedChecksum([checksum ?? 0, run.id, ...keyOfRun(run)], NOTHING);
  return checksum;
}
