import { MILLISECONDS } from '#domain/time.js';
import { concatenate, mergeAll } from '#domain/weather/merge-series.js';
import { EMPTY_SERIES, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import type { Chunk } from '#adapters/formats/packed/chunk-codec.js';
import { chunkKey, dayOf } from '#adapters/formats/packed/chunk-key.js';
import { decodeAll, openChunk } from '#adapters/formats/packed/decoded-series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import {
  type ChunkDays,
  contains,
  type CountedChunk,
  earliestStart,
  possibleStarts,
} from '#adapters/packed-store/chunks/chunk-days.js';
import type { StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import { type Damage, damagedChunk } from '#adapters/packed-store/damage.js';
import { gatherRows } from '#adapters/packed-store/run-rows.js';
import type { StationSpan, StoredRows } from '#adapters/packed-store/write-target.js';
import type { Query } from '../database/query.js';
import {
  type ChangedChunk,
  type ChunkSpan,
  type KnownChunk,
  readChunks,
  readAround,
  type StationDay,
  type StoredChunk,
  writeChunks,
} from './chunk-rows.js';

/** Maximum number of days that one query reads. It limits the memory of a write whose rows are spread over years. */
const MAX_DAYS = 512;

/**
 * A chunk (packed rows of 1, 8 or 64 days) as it was read from the database. It is checked and opened only when its rows are
 * first needed.
 */
interface FetchedChunk {
  readonly stored: StoredChunk;
  /**
   * The chunk (packed rows of 1, 8 or 64 days) after it was opened, so that its rows can be read; undefined if the chunk is
   * damaged. The field is missing until the rows are first needed.
   */
  opened?: Chunk | undefined;
}

/**
 * The chunks that one transaction has read, and the runs that it has written. A chunk contains the packed rows of 1, 8 or 64 days
 * of a station. A run contains the packed rows of one commit. Rows in damaged chunks are skipped.
 */
export class FetchedChunks implements StoredRows, StationChunks {
  /** Runs (packed rows of one commit) that the transaction has written. */
  readonly runs: Run[] = [];
  readonly damage: Damage[] = [];
  /** The days that were read. A key is one number for a station and a day (`chunkKey`). */
  readonly #days = new Set<number>();
  /**
   * The chunks (packed rows of 1, 8 or 64 days) that were read. The key is the number for the station and the first day of the
   * chunk (`chunkKey`).
   */
  readonly #chunks = new Map<number, FetchedChunk>();
  readonly #changed = new Map<number, ChangedChunk>();
  /**
   * For each window that `fetchWindows` has read, the last chunk before the window; undefined if there is none. A window is a
   * period of 64 days that no chunk crosses. The key is the number for the station and the first day of the window (`chunkKey`).
   */
  readonly #windows = new Map<number, KnownChunk | undefined>();
  /**
   * All chunks in the windows that `fetchWindows` has read. A window is a period of 64 days that no chunk crosses. The key is the
   * number for the station and the first day of the chunk (`chunkKey`).
   */
  readonly #known = new Map<number, KnownChunk>();

  /**
   * Reads stored rows from the database before a writer needs them. The rows that were read by earlier calls are forgotten.
   *
   * @param ahead the ranges that the writer needs next, in this order
   */
  async fetchAhead(query: Query, ahead: Iterable<StationSpan>): Promise<void> {
    const spans: ChunkSpan[] = [];
    let days = 0;
    for (const { station, from, to } of ahead) {
      const [first, last] = [dayOf(from), dayOf(to - 1)];
      spans.push({ station, first, last });
      days += last - first + 1;
      if (days >= MAX_DAYS) break;
    }
    await this.fetch(query, spans);
  }

  /**
   * Reads the chunks (packed rows of 1, 8 or 64 days) that contain at least one day of the spans. The chunks that were read by
   * earlier calls are forgotten.
   */
  async fetch(query: Query, spans: readonly ChunkSpan[]): Promise<void> {
    this.#days.clear();
    this.#chunks.clear();
    for (const { station, first, last } of spans)
      for (let day = first; day <= last; day += 1) this.#days.add(chunkKey(station, day));
    for (const stored of await readChunks(query, spans))
      this.#chunks.set(chunkKey(stored.station, stored.day), { stored });
  }

  /**
   * Reads which chunks (packed rows of 1, 8 or 64 days) exist around some days, but not their rows. With this information,
   * `isFree` says whether no chunk begins on certain days, and `before` finds the last chunk before a day.
   */
  async fetchWindows(query: Query, days: readonly StationDay[]): Promise<void> {
    for (const { station, day } of days) this.#windows.set(chunkKey(station, earliestStart(day)), undefined);
    for (const chunk of await readAround(query, days)) {
      if (chunk.day < chunk.window) this.#windows.set(chunkKey(chunk.station, chunk.window), chunk);
      else this.#known.set(chunkKey(chunk.station, chunk.day), chunk);
    }
  }

  has(station: number, from: number, to: number, chunksEnd: number): boolean {
    if (from > chunksEnd) return true;
    for (let day = dayOf(from); day <= dayOf(to - 1); day += 1)
      if (!this.#days.has(chunkKey(station, day))) return false;
    return true;
  }

  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    const overlay = gatherRows(runs, station, from, to);
    if (from > chunksEnd) return overlay;
    const chunks = this.#chunkDaysBetween(station, dayOf(from), dayOf(to - 1)).flatMap(
      ({ day }) => this.#open(chunkKey(station, day)) ?? [],
    );
    return mergeAll([decodeAll(chunks, undefined, from, to), overlay]);
  }

  remember(run: Run): void {
    this.runs.push(run);
  }

  find(station: number, day: number): ChunkDays | undefined {
    for (const start of possibleStarts(day)) {
      const key = chunkKey(station, start);
      const found = this.#changed.get(key) ?? this.#chunks.get(key)?.stored;
      if (found !== undefined && contains(found, day)) return found;
    }
    return undefined;
  }

  isFree(station: number, { day, days }: ChunkDays): boolean {
    return this.#lastIn(station, day, day + days) === undefined;
  }

  before(station: number, day: number): CountedChunk | undefined {
    const start = earliestStart(day);
    return this.#lastIn(station, start, day) ?? this.#windows.get(chunkKey(station, start));
  }

  /** The last chunk (packed rows of 1, 8 or 64 days) of a station that begins on a day in `[from, to)`. */
  #lastIn(station: number, from: number, to: number): CountedChunk | undefined {
    if (!this.#windows.has(chunkKey(station, earliestStart(from))))
      throw new Error(`the chunks around day ${from} of station ${station} were not read`);
    for (let day = to - 1; day >= from; day -= 1) {
      const key = chunkKey(station, day);
      const changed = this.#changed.get(key);
      if (changed === undefined && this.#known.has(key)) return this.#known.get(key);
      if (changed !== undefined && changed.days > 0) return { ...changed, rows: changed.series.times.length };
    }
    return undefined;
  }

  put(station: number, { day, days }: ChunkDays, series: Series): void {
    this.#changed.set(chunkKey(station, day), { station, day, days, series });
  }

  remove(station: number, day: number): void {
    this.#changed.set(chunkKey(station, day), { station, day, days: 0, series: EMPTY_SERIES });
  }

  /** Writes the changed chunks (packed rows of 1, 8 or 64 days) to the database. */
  async write(query: Query): Promise<void> {
    await writeChunks(query, [...this.#changed.values()]);
  }

  rows(station: number, day: number): Series | undefined {
    const key = chunkKey(station, day);
    const changed = this.#changed.get(key);
    if (changed !== undefined) return changed.series;
    const chunk = this.#open(key);
    return chunk && decodeAll([chunk], undefined);
  }

  /**
   * The rows of a station from the day `first` to the day `last`, both included. The rows are taken from the chunks (packed rows
   * of 1, 8 or 64 days).
   */
  rowsOfDays(station: number, first: number, last: number): Series {
    const parts = this.#chunkDaysBetween(station, first, last).flatMap(
      ({ day }) => this.rows(station, day) ?? [],
    );
    const all = concatenate(parts);
    const end = lowerBound(all.times, (last + 1) * MILLISECONDS.day);
    return sliceSeries(all, lowerBound(all.times, first * MILLISECONDS.day), end);
  }

  /**
   * For all chunks (packed rows of 1, 8 or 64 days) that contain a day from `first` to `last`: the first day and the number of
   * days of the chunk, in order of time.
   */
  #chunkDaysBetween(station: number, first: number, last: number): ChunkDays[] {
    const places: ChunkDays[] = [];
    for (let day = first; day <= last;) {
      const place = this.find(station, day);
      if (place !== undefined) places.push(place);
      day = place === undefined ? day + 1 : place.day + place.days;
    }
    return places;
  }

  #open(key: number): Chunk | undefined {
    const fetched = this.#chunks.get(key);
    if (fetched === undefined || 'opened' in fetched) return fetched?.opened;
    const { stored } = fetched;
    try {
      fetched.opened = openChunk({ ...stored, key });
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      fetched.opened = undefined;
      this.damage.push(damagedChunk(stored.station, { ...stored, key }, error));
    }
    return fetched.opened;
  }
}
