import type { Database } from 'better-sqlite3';
import type { Series } from '../../../domain/weather/series.js';
import { encodeRun, type RunPlace } from '../../formats/packed/run-codec.js';
import type { BlockRun } from './block-runs.js';

/** Writes runs of blocks, within the transaction of the caller. */
export class BlockWriter {
  readonly #insert;
  readonly #remove;

  constructor(database: Database) {
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
    const data = encodeRun(places, columns);
    this.#insert.run({ ...run, rows: times.length, stations: places.length, first, last, data });
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) this.#remove.run(id);
  }
}
