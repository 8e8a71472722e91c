import type { Database } from 'better-sqlite3';
import { keyedChecksum } from '#adapters/formats/packed/blob.js';
import { type BlockRun, KEY_COLUMNS, keyOfRun } from '../levels/block-run.js';

const NOTHING = new Uint8Array(0);

/** The checksums of the blocks. A checksum covers the columns of all runs of a block, so that a read notices a missing run. */
export class BlockLedger {
  readonly #select;
  readonly #put;
  readonly #remove;
  readonly #find;

  constructor(database: Database) {
    // A merge into a level includes all runs of lower levels, so higher levels have older rows. The query returns the runs with
    // the oldest rows first.
    this.#select = database.prepare<[number], BlockRun>(
      `SELECT ${KEY_COLUMNS} FROM block_run WHERE block = ? ORDER BY level DESC, id`,
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO block_ledger (block, checksum) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM block_ledger WHERE block = ?');
    this.#find = database
      .prepare<[number], number>('SELECT checksum FROM block_ledger WHERE block = ?')
      .pluck();
  }

  /** The runs of a block, oldest rows first. */
  runsOf(block: number): readonly BlockRun[] {
    return this.#select.all(block);
  }

  /** Whether `runs` are all runs of a block. */
  isOf(block: number, runs: readonly BlockRun[]): boolean {
    return this.#find.get(block) === checksumOf(runs);
  }

  /** Computes the checksum of a block again. Call it after runs of the block were inserted or deleted. */
  seal(block: number): void {
    const checksum = checksumOf(this.runsOf(block));
    if (checksum === undefined) this.#remove.run(block);
    else this.#put.run(block, checksum);
  }
}

/** The checksum of the runs of a block. A block without runs has no row in the table and no checksum. */
function checksumOf(runs: readonly BlockRun[]): number | undefined {
  let checksum: number | undefined;
  for (const run of runs) checksum = keyedChecksum([checksum ?? 0, run.id, ...keyOfRun(run)], NOTHING);
  return checksum;
}
