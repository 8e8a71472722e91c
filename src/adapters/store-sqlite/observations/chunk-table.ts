import type { Database } from 'better-sqlite3';
import { chunkKey, dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import type { ChunkDays, CountedChunk } from '#adapters/packed-store/chunks/chunk-days.js';
import { allKeysOf, keysOf } from './key-range.js';

type KeyedChunk = Omit<ChunkRow, 'data'>;

/** The statements that read the table `chunk`. A chunk is a blob with the rows of one station and 1, 8 or 64 UTC days. */
export class ChunkTable {
  readonly #row;
  readonly #rows;
  readonly #count;
  readonly #before;
  readonly #rowsOf;
  readonly #any;

  constructor(database: Database) {
    this.#row = database.prepare<[number], ChunkRow>('SELECT key, rows, days, data FROM chunk WHERE key = ?');
    this.#rows = database.prepare<[number, number], ChunkRow>(
      'SELECT key, rows, days, data FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key',
    );
    this.#count = database
      .prepare<[number, number], number>('SELECT sum(rows) FROM chunk WHERE key BETWEEN ? AND ?')
      .pluck();
    this.#before = database.prepare<[number], KeyedChunk>(
      'SELECT key, rows, days FROM chunk WHERE key <= ? ORDER BY key DESC LIMIT 1',
    );
    this.#rowsOf = database.prepare<[number], number>('SELECT rows FROM chunk WHERE key = ?').pluck();
    this.#any = database
      .prepare<[number, number], number>('SELECT 1 FROM chunk WHERE key BETWEEN ? AND ? LIMIT 1')
      .pluck();
  }

  /** The chunk that begins at a day. A chunk is a blob with the rows of one station and some days. */
  get(station: number, day: number): ChunkRow | undefined {
    return this.#row.get(chunkKey(station, day));
  }

  /** Number of rows in the chunk (a blob with the rows of some days) that begins at a day; undefined if there is none. */
  rowsOf(station: number, day: number): number | undefined {
    return this.#rowsOf.get(chunkKey(station, day));
  }

  /** The chunks of a station (blobs with its rows of some days) that have days in `[from, to)`, in order of time. */
  between(station: number, from: number, to: number): IterableIterator<ChunkRow> {
    return this.#rows.iterate(...this.keysOf(station, from, to));
  }

  /** All chunks of the stations from `first` to `last`, in order. A chunk is a blob with the rows of a station in some days. */
  ofStations(first: number, last: number): IterableIterator<ChunkRow> {
    return this.#rows.iterate(allKeysOf(first)[0], allKeysOf(last)[1]);
  }

  /**
   * Number of rows in the chunks of a station (blobs with its rows of some days) that have days in `[from, to)`. If only some
   * days of a chunk are in this range, all rows of the chunk are counted.
   */
  countRows(station: number, from: number, to: number): number {
    return this.#count.get(...this.keysOf(station, from, to)) ?? 0;
  }

  /** Implements `StationChunks.find`: finds the chunk (a blob with the rows of some days) that contains a day. */
  find(station: number, day: number): ChunkDays | undefined {
    const found = this.#containing(chunkKey(station, day));
    return found && { day: dayOfKey(found.key), days: found.days };
  }

  /**
   * Implements `StationChunks.isFree`: returns whether no chunk (a blob with the rows of some days) has days in a window,
   * which is a range of days. The caller must know that at least one day of the window is in no chunk.
   *
   * Only chunks that begin in the window are searched, because a chunk that begins earlier cannot have days in the window:
   *
   * - Chunks and windows have 1, 8 or 64 days, and begin at multiples of their length.
   * - A chunk that begins before the window and has days in it would therefore contain all days of the window.
   * - This is impossible, because at least one day of the window is in no chunk.
   */
  isFree(station: number, { day, days }: ChunkDays): boolean {
    return this.#any.get(chunkKey(station, day), chunkKey(station, day + days - 1)) === undefined;
  }

  /** Implements `StationChunks.before`: finds the last chunk (a blob with the rows of some days) that begins before a day. */
  before(station: number, day: number): CountedChunk | undefined {
    const found = this.#before.get(chunkKey(station, day) - 1);
    if (found === undefined || stationOfKey(found.key) !== station) return undefined;
    return { day: dayOfKey(found.key), days: found.days, rows: found.rows };
  }

  /**
   * The first and the last key that the chunks of a station with days in `[from, to)` can have. A chunk is a blob with the rows
   * of some days. Its key contains the station and the first day of the chunk.
   */
  keysOf(station: number, from: number, to: number): [first: number, last: number] {
    const [first, last] = keysOf(station, from, to);
    return [this.#containing(first)?.key ?? first, last];
  }

  /**
   * The chunk that contains the day of a key; undefined if there is none. A chunk is a blob with the rows of some days. The
   * query finds the last chunk that begins at or before this day. If that chunk ends before the day, no chunk contains the
   * day.
   */
  #containing(key: number): KeyedChunk | undefined {
    const found = this.#before.get(key);
    return found !== undefined && key < found.key + found.days ? found : undefined;
  }
}
