import type { Database } from 'better-sqlite3';
import type { Series } from '#domain/weather/series.js';
import { encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import type { ChunkList } from '#adapters/formats/packed/chunk-list.js';
import { chunkKey } from '#adapters/formats/packed/chunk-key.js';
import type { ChunkDays, CountedChunk } from '#adapters/packed-store/chunks/chunk-days.js';
import type { OpenChunks } from '#adapters/store/observations/tables.js';
import { variableMask } from '#adapters/packed-store/chunks/variable-mask.js';
import type { ObservationReader } from './observation-reader.js';

/**
 * Reads and writes chunks, within the transaction of the caller. A chunk is a blob with the rows of one station and some days.
 */
export class ChunkWriter implements OpenChunks {
  readonly #reader: ObservationReader;
  readonly #put;
  readonly #remove;

  constructor(database: Database, reader: ObservationReader) {
    this.#reader = reader;
    this.#put = database.prepare(
      'INSERT INTO chunk (key, rows, variables, days, data) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET rows = excluded.rows, variables = excluded.variables, days = excluded.days, ' +
        'data = excluded.data',
    );
    this.#remove = database.prepare('DELETE FROM chunk WHERE key = ?');
  }

  find(station: number, day: number): ChunkDays | undefined {
    return this.#list(station).find(day);
  }

  isFree(station: number, window: ChunkDays): boolean {
    return this.#list(station).isFree(window);
  }

  before(station: number, day: number): CountedChunk | undefined {
    const found = this.#list(station).before(day);
    if (found === undefined) return undefined;
    const rows = this.#reader.chunks.rowsOf(station, found.day);
    return rows === undefined ? undefined : { day: found.day, days: found.days, rows };
  }

  rows(station: number, day: number): Series | undefined {
    return this.#reader.readChunk(station, day);
  }

  rowsOfDays(station: number, first: number, last: number): Series {
    return this.#reader.readDays(station, first, last);
  }

  put(station: number, { day, days }: ChunkDays, series: Series): void {
    const rows = series.times.length;
    const data = encodeChunk({ station, day, days }, series);
    this.#put.run(chunkKey(station, day), rows, variableMask(series), days, data);
    this.#reader.lists.add(station, { day, days });
  }

  remove(station: number, day: number): void {
    this.#remove.run(chunkKey(station, day));
    this.#reader.lists.remove(station, day);
  }

  #list(station: number): ChunkList {
    this.#reader.lists.repair(station);
    return this.#reader.lists.of(station);
  }
}
