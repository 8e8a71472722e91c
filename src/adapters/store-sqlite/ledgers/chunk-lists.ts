import type { Database } from 'better-sqlite3';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOf, dayOfKey, DAYS, FIRST_DAY } from '#adapters/formats/packed/chunk-key.js';
import { ChunkList } from '#adapters/formats/packed/chunk-list.js';
import type { ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import type { ChunkDays } from '#adapters/packed-store/chunks/chunk-days.js';
import { ALL_TIMES, type Damage, damagedChunk, missingChunk } from '#adapters/packed-store/damage.js';
import { allKeysOf } from '../observations/key-range.js';

/**
 * The table `chunk_list`. For each station, it lists the chunks that must exist. A chunk is a blob with the rows of one station
 * and one or more days.
 */
export class ChunkLists {
  /**
   * The lists that this transaction has read, by number of the station. A list names the chunks of the station, which are blobs
   * with its rows of some days.
   */
  readonly #lists = new Map<number, ChunkList>();
  /** The stations whose lists `savedOnce` stores at its end; undefined if a changed list is stored at once. */
  #changed: Set<number> | undefined;
  readonly #select;
  readonly #range;
  readonly #put;
  readonly #chunks;

  constructor(database: Database) {
    this.#select = database
      .prepare<[number], Buffer>('SELECT data FROM chunk_list WHERE station = ?')
      .pluck();
    this.#range = database.prepare<[number, number], { station: number; data: Buffer }>(
      'SELECT station, data FROM chunk_list WHERE station BETWEEN ? AND ?',
    );
    this.#put = database.prepare(
      'INSERT INTO chunk_list (station, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
    );
    this.#chunks = database.prepare<[number, number], { key: number; days: number }>(
      'SELECT key, days FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key',
    );
  }

  /** Clears the cached lists. Call it at the beginning of each transaction. */
  forget(): void {
    this.#lists.clear();
  }

  /**
   * The list of the chunks of a station, which are blobs with its rows of some days.
   *
   * @throws DamagedBlobError if the list cannot be read
   */
  of(station: number): ChunkList {
    let list = this.#lists.get(station);
    if (list === undefined) {
      list = ChunkList.decode(station, this.#select.get(station) ?? Buffer.alloc(0));
      this.#lists.set(station, list);
    }
    return list;
  }

  /** Reads the lists of several stations with one statement. A list that cannot be read is left out; `of` reads it again. */
  load(stations: readonly number[]): void {
    const missing = new Set(stations.filter((station) => !this.#lists.has(station)));
    if (missing.size === 0) return;
    for (const { station, data } of this.#range.all(Math.min(...missing), Math.max(...missing)))
      if (missing.has(station))
        try {
          this.#lists.set(station, ChunkList.decode(station, data));
          missing.delete(station);
        } catch (error) {
          if (!(error instanceof DamagedBlobError)) throw error;
        }
  }

  /**
   * Builds the list of a station again if the list is damaged. The new list has the chunks that exist, which are blobs with the
   * rows of some days. The checksum of a chunk shows whether the chunk belongs to the station.
   */
  repair(station: number): void {
    try {
      this.of(station);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.rebuild(station);
    }
  }

  /** Builds the list of a station from its chunks in the table `chunk`, which are blobs with its rows of some days. */
  rebuild(station: number): void {
    const list = new ChunkList();
    for (const place of this.found(station)) list.set(place);
    this.#save(station, list);
  }

  /**
   * The chunks of a station that exist in the table `chunk`, in the order of time. A chunk is a blob with the rows of some days.
   */
  found(station: number): ChunkDays[] {
    return this.#chunks.all(...allKeysOf(station)).map(({ key, days }) => ({ day: dayOfKey(key), days }));
  }

  /** Adds a chunk, which is a blob with the rows of some days, to the list of its station. */
  add(station: number, place: ChunkDays): void {
    const list = this.of(station);
    if (list.set(place)) this.#save(station, list);
  }

  /**
   * Removes a chunk, which is a blob with the rows of some days, from the list of its station. `day` is the first day of the
   * chunk.
   */
  remove(station: number, day: number): void {
    const list = this.of(station);
    if (list.delete(day)) this.#save(station, list);
  }

  /**
   * Runs `work`, and stores each list that it changes once at the end. A merge may add tens of chunks (blobs with the rows of some
   * days) to the list of a station.
   */
  savedOnce(work: () => void): void {
    const changed = (this.#changed = new Set<number>());
    try {
      work();
    } finally {
      this.#changed = undefined;
    }
    for (const station of changed) this.#save(station, this.of(station));
  }

  #save(station: number, list: ChunkList): void {
    this.#lists.set(station, list);
    if (this.#changed === undefined) this.#put.run(station, list.encode(station));
    else this.#changed.add(station);
  }
}

/**
 * The damage that is reported if the list of a station cannot be read. The list names the chunks of the station, which are blobs
 * with its rows of some days.
 */
export function damagedList(station: number, { message: reason }: Error): Damage {
  return { kind: 'list', key: station, stations: [station], ...ALL_TIMES, rows: 0, reason };
}

/** The damage of a chunk (a blob with the rows of some days) that exists, but is not in the list of its station. */
export function unlistedChunk(station: number, { day, days }: ChunkDays): Damage {
  const reason = new Error('the chunk is not in the list of its station');
  return damagedChunk(station, { key: chunkKey(station, day), rows: 0, days }, reason);
}

/**
 * The damage of a chunk (a blob with the rows of some days) that a query returns twice or in the wrong order, because a page
 * of the table is damaged.
 *
 * The returned damage has the kind `list` and not `chunk`. Damage of the kind `chunk` would move the blob into the table
 * `damaged`. Damage of the kind `list` leaves the blob in its table.
 */
function disorderedChunk(station: number, place: ChunkDays): Damage {
  const reason = new Error('the key of the chunk is not larger than the key of the chunk before');
  const damage = damagedChunk(
    station,
    { key: chunkKey(station, place.day), rows: 0, days: place.days },
    reason,
  );
  return { ...damage, kind: 'list', key: station };
}

/**
 * Compares the chunks of a station that exist in `[from, to)` with the list of the chunks that must exist. A chunk is a blob with
 * the rows of some days. Each difference is returned as damage.
 */
export function listDifferences(
  list: ChunkList,
  station: number,
  chunks: readonly Omit<ChunkRow, 'data'>[],
  from: number,
  to: number,
): Damage[] {
  const damage: Damage[] = [];
  const found = new Map<number, number>();
  let before = -Infinity;
  for (const { key, days } of chunks) {
    const day = dayOfKey(key);
    if (key <= before) damage.push(disorderedChunk(station, { day, days }));
    before = key;
    found.set(day, days);
  }
  const end = Math.min(dayOf(to - 1), FIRST_DAY + DAYS) + 1;
  for (const place of list.between(Math.max(dayOf(from), FIRST_DAY), end)) {
    if (found.get(place.day) === place.days) found.delete(place.day);
    else if (!found.has(place.day)) damage.push(missingChunk(station, place));
  }
  for (const [day, days] of found) damage.push(unlistedChunk(station, { day, days }));
  return damage;
}
