import type { Database } from 'better-sqlite3';
import type { Series } from '#domain/weather/series.js';
import { encodeRun, type RunPlace } from '#adapters/formats/packed/run-codec.js';
import { BlockLedger } from '../ledgers/block-ledger.js';
import { type BlockRun, keyOfRun } from './block-run.js';

/**
 * Writes runs of blocks, within the transaction of the caller. A run of a block is a packed piece of rows of the 64 stations of
 * the block.
 */
export class BlockWriter {
  readonly #insert;
  readonly #remove;
  readonly #ledger: BlockLedger;

  constructor(database: Database) {
    this.#ledger = new BlockLedger(database);
    this.#insert = database.prepare(
      `INSERT INTO block_run (block, level, through, since, rows, stations, first, last, data)
       VALUES (@block, @level, @through, @since, @rows, @stations, @first, @last, @data)`,
    );
    this.#remove = database.prepare('DELETE FROM block_run WHERE id = ?');
  }

  put(
    run: Pick<BlockRun, 'block' | 'level' | 'through' | 'since'>,
    places: readonly RunPlace[],
    columns: Series,
  ): void {
    const { times } = columns;
    let [first, last] = [Infinity, -Infinity];
    for (const time of times) {
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    const row = { ...run, rows: times.length, stations: places.length, first, last };
    this.#insert.run({ ...row, data: encodeRun(keyOfRun(row), places, columns) });
    this.#ledger.seal(run.block);
  }

  /** Removes runs (packed pieces of rows) of a block, and computes the checksum of the remaining runs. */
  remove(block: number, ids: readonly number[]): void {
    for (const id of ids) this.#remove.run(id);
    this.#ledger.seal(block);
  }
}
