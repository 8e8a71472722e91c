import type { Database } from 'better-sqlite3';
import type { Series } from '../../../domain/weather/series.js';
import { encodeChunk } from '../../formats/packed/chunk-codec.js';
import { chunkKey } from '../../formats/packed/chunk-key.js';
import { variableMask } from '../../packed-store/by-day.js';

/** Writes chunks, within the transaction of the caller. */
export class ChunkWriter {
  readonly #put;
  readonly #remove;

  constructor(database: Database) {
    this.#put = database.prepare(
      'INSERT INTO chunk (key, rows, variables, data) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET rows = excluded.rows, variables = excluded.variables, data = excluded.data',
    );
    this.#remove = database.prepare('DELETE FROM chunk WHERE key = ?');
  }

  /** Replaces all rows of a day. A day without rows has no chunk. */
  put(station: number, day: number, series: Series): void {
    const key = chunkKey(station, day);
    if (series.times.length === 0) {
      this.#remove.run(key);
      return;
    }
    this.#put.run(key, series.times.length, variableMask(series), encodeChunk(day, series));
  }
}
