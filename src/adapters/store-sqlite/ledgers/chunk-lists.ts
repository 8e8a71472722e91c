import type { Database } from 'better-sqlite3';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { chunkKey, dayOf, dayOfKey, DAYS, FIRST_DAY } from '#adapters/formats/packed/chunk-key.js';
import { ChunkList } from '#adapters/formats/packed/chunk-list.js';
import type { ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import type { ChunkDays } from '#adapters/packed-store/chunks/chunk-days.js';
import { ALL_TIMES, type Damage, damagedChunk, missingChunk } from '#adapters/packed-store/damage.js';
import { allKeysOf } from '../observations/key-range.js';

/** The table `chunk_list`: which chunks each station has. */
export class ChunkLists {
  /** The lists that this transaction has asked for. */
  readonly #lists = new Map<number, ChunkList>();
  readonly #select;
  readonly #put;
  readonly #chunks;

  constructor(database: Database) {
    this.#select = database
      .prepare<[number], Buffer>('SELECT data FROM chunk_list WHERE station = ?')
      .pluck();
    this.#put = database.prepare(
      'INSERT INTO chunk_list (station, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
    );
    this.#chunks = database.prepare<[number, number], { key: number; days: number }>(
      'SELECT key, days FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key',
    );
  }

  /** Must be called in each new transaction. */
  forget(): void {
    this.#lists.clear();
  }

  /** @throws DamagedBlobError */
  of(station: number): ChunkList {
    let list = this.#lists.get(station);
    if (list === undefined) {
      list = ChunkList.decode(station, this.#select.get(station) ?? Buffer.alloc(0));
      this.#lists.set(station, list);
    }
    return list;
  }

  /** Makes a damaged list again from the chunks that are there. Their own checksums tell whether they are of the station. */
  repair(station: number): void {
    try {
      this.of(station);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.rebuild(station);
    }
  }

  /** Makes a list from the chunks that are there. */
  rebuild(station: number): void {
    const list = new ChunkList();
    for (const place of this.found(station)) list.set(place);
    this.#save(station, list);
  }

  /** The chunks that are there, in their order. */
  found(station: number): ChunkDays[] {
    return this.#chunks.all(...allKeysOf(station)).map(({ key, days }) => ({ day: dayOfKey(key), days }));
  }

  /** Notes that a chunk was written. */
  add(station: number, place: ChunkDays): void {
    const list = this.of(station);
    if (list.set(place)) this.#save(station, list);
  }

  /** Notes that the chunk that begins at a day was deleted. */
  remove(station: number, day: number): void {
    const list = this.of(station);
    if (list.delete(day)) this.#save(station, list);
  }

  #save(station: number, list: ChunkList): void {
    this.#lists.set(station, list);
    this.#put.run(station, list.encode(station));
  }
}

/** A list that cannot be read. */
export function damagedList(station: number, { message: reason }: Error): Damage {
  return { kind: 'list', key: station, stations: [station], ...ALL_TIMES, rows: 0, reason };
}

/** A chunk that is not in the list of its station. */
export function unlistedChunk(station: number, { day, days }: ChunkDays): Damage {
  const reason = new Error('it is not in the list of the chunks of its station');
  return damagedChunk(station, { key: chunkKey(station, day), rows: 0, days }, reason);
}

/** A chunk that comes twice, or not in its order, because a page of the table is damaged. Nothing of it is put aside. */
function disorderedChunk(station: number, place: ChunkDays): Damage {
  const reason = new Error('its key does not follow that of the chunk before it');
  const damage = damagedChunk(
    station,
    { key: chunkKey(station, place.day), rows: 0, days: place.days },
    reason,
  );
  return { ...damage, kind: 'list', key: station };
}

/** How chunks in `[from, to)` differ from the list of their station. */
export function unfitting(
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
