import type { Database } from 'better-sqlite3';
import { keyedChecksum } from '#adapters/formats/packed/blob.js';
import { type BlockRun, KEY_COLUMNS, keyOfRun } from '../levels/block-run.js';

const NOTHING = new Uint8Array(0);

/** Checksums of the columns of all runs of a block, so that a read notices one that is missing. */
export class BlockLedger {
  readonly #select;
  readonly #put;
  readonly #remove;
  readonly #find;

  constructor(database: Database) {
    // The newest rows are in the lowest level, because a merge takes all runs of the levels below its result.
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

  /** Whether these are all runs of a block. */
  isOf(block: number, runs: readonly BlockRun[]): boolean {
    return this.#find.get(block) === checksumOf(runs);
  }

  /** Must be called when runs of the block were inserted or deleted. */
  seal(block: number): void {
    const checksum = checksumOf(this.runsOf(block));
    if (checksum === undefined) this.#remove.run(block);
    else this.#put.run(block, checksum);
  }
}

/** Undefined for a block without runs, which has no row. */
function checksumOf(runs: readonly BlockRun[]): number | undefined {
  let checksum: number | undefined;
  for (const run of runs) checksum = keyedChecksum([checksum ?? 0, run.id, ...keyOfRun(run)], NOTHING);
  return checksum;
}
