import type { Database } from 'better-sqlite3';
import { StationState } from '../../../domain/weather/station-state.js';
import { chunkKey, DAYS, dayOfKey, FIRST_DAY } from '../../formats/packed/chunk-key.js';
import type { CachedState } from '../../packed-store/station-states.js';
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
   * Reads the newest chunk with each variable, and the last two days, because the step check compares the next values
   * with values in them.
   *
   * @param before the state as it was. It has all variables that can still have a value
   * @param removed number of rows that no longer exist
   * @param revision of the new state
   */
  rebuild(station: number, before: CachedState, removed: number, revision: number): CachedState {
    const bounds = [chunkKey(station, FIRST_DAY), chunkKey(station, FIRST_DAY + DAYS - 1)] as const;
    const { first, last } = this.#range.get(...bounds) ?? { first: null, last: null };
    const state = new StationState();
    const result = { ...before, state, revision, seen: revision, rows: before.rows - removed };
    if (first === null || last === null) return { ...result, first: Infinity, chunksEnd: state.lastSeen };
    const keys = new Set([last - 1, last]);
    for (const variable of before.state.variables()) {
      const key = this.#newestWith.get(...bounds, 2 ** variable);
      if (key !== undefined) keys.add(key);
    }
    for (const key of [...keys].sort((a, b) => a - b)) {
      const series = this.#reader.readChunk(station, dayOfKey(key));
      if (series !== undefined) state.advance(series);
    }
    const oldest = this.#reader.readChunk(station, dayOfKey(first));
    return { ...result, first: oldest?.times[0] ?? Infinity, chunksEnd: state.lastSeen };
  }
}
