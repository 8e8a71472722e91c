import type { Database } from 'better-sqlite3';
import { chunkKey, dayOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { CachedState } from '#adapters/packed-store/station-states.js';
import { rebuiltState, type StationUndo } from '#adapters/packed-store/undo-days.js';
import { allKeysOf } from './key-range.js';
import type { ObservationReader } from './observation-reader.js';

/** Computes states of stations again after rows were changed in chunks, without reading the whole history. */
export class StateRebuilder {
  readonly #reader: ObservationReader;
  readonly #newestWith;
  readonly #range;

  constructor(database: Database, reader: ObservationReader) {
    this.#reader = reader;
    this.#newestWith = database
      .prepare<[number, number, number], number>(
        'SELECT key FROM chunk WHERE key BETWEEN ? AND ? AND variables & ? ORDER BY key DESC LIMIT 1',
      )
      .pluck();
    this.#range = database.prepare<[number, number], { first: number | null; last: number | null }>(
      'SELECT min(key) AS first, max(key) AS last FROM chunk WHERE key BETWEEN ? AND ?',
    );
  }

  /**
   * Reads the chunks that `rebuiltState` needs. The parameters are those of `rebuiltState`.
   */
  rebuild(station: number, before: CachedState, undo: StationUndo, revision: number): CachedState {
    const bounds = allKeysOf(station);
    const { first, last } = this.#range.get(...bounds) ?? { first: null, last: null };
    if (first === null || last === null) return rebuiltState(before, undo, revision, undefined, []);
    const previous = this.#reader.chunks.find(station, dayOfKey(last) - 1);
    const keys = new Set([last]);
    if (previous !== undefined) keys.add(chunkKey(station, previous.day));
    for (const variable of before.state.variables()) {
      const key = this.#newestWith.get(...bounds, 2 ** variable);
      if (key !== undefined) keys.add(key);
    }
    const read = (key: number) => this.#reader.readChunk(station, dayOfKey(key));
    const newest = [...keys].sort((a, b) => a - b).map(read);
    const found = newest.filter((series) => series !== undefined);
    return rebuiltState(before, undo, revision, read(first), found);
  }
}
