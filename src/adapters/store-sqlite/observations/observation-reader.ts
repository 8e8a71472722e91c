import type { Database } from 'better-sqlite3';
import type { ShortRange } from '../../../application/ports/observation-store.js';
import { MILLISECONDS } from '../../../domain/time.js';
import { mergeAll } from '../../../domain/weather/merge-series.js';
import type { Series } from '../../../domain/weather/series.js';
import { discardedOld } from '../../formats/garbage.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import type { Chunk } from '../../formats/packed/chunk-codec.js';
import { chunkKey, dayOf, dayOfKey, FIRST_DAY } from '../../formats/packed/chunk-key.js';
import { type ChunkRow, decodeAll, openChunk, withValues } from '../../formats/packed/decoded-series.js';
import { DamagedRunError, Run } from '../../formats/packed/run-codec.js';
import { type Damage, damagedReads, DamagedDataError, runsOf, touches } from '../damage/damage.js';
import { gathered } from './run-rows.js';
import type { Runs } from './station-states.js';

/** The unmerged runs and the known damage, as one transaction sees them. */
export interface Snapshot extends Runs {
  /** Damage that has been put aside, and `newDamage`. */
  readonly damage: readonly Damage[];
  /** Damaged runs that have not been put aside yet. */
  readonly newDamage: readonly Damage[];
}

interface RunRow {
  readonly rows: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly data: Buffer;
}

/** The range of times of a run whose range is unknown: all valid times. */
const ALL_TIMES = { first: -8.64e15, last: 8.64e15 } as const;

/** Largest number of chunks that are cached within a transaction. */
const MAX_CACHED = 4;

/** Reads observations from chunks and from unmerged runs. Values in runs replace those in chunks. */
export class ObservationReader {
  readonly #runs = new Map<number, Run | Damage>();
  /** Decoded chunks of this transaction, by key. */
  readonly #opened = new Map<number, Chunk>();
  readonly #runIds;
  readonly #run;
  readonly #chunks;
  readonly #chunk;
  readonly #rowsOfChunks;
  readonly #lastRun;
  readonly #damaged;
  readonly #onDamagedChunk: ((damage: Damage) => void) | undefined;

  /** @param onDamagedChunk is called for a damaged chunk, which is then skipped; if undefined, reading throws */
  constructor(database: Database, onDamagedChunk?: (damage: Damage) => void) {
    this.#onDamagedChunk = onDamagedChunk;
    this.#runIds = database.prepare<[], number>('SELECT id FROM run ORDER BY id').pluck();
    this.#run = database.prepare<[number], RunRow>('SELECT rows, first, last, data FROM run WHERE id = ?');
    this.#chunks = database.prepare<[number, number], ChunkRow>(
      'SELECT key, rows, data FROM chunk WHERE key BETWEEN ? AND ?',
    );
    this.#chunk = database.prepare<[number], ChunkRow>('SELECT key, rows, data FROM chunk WHERE key = ?');
    this.#rowsOfChunks = database
      .prepare<[number, number], number>('SELECT sum(rows) FROM chunk WHERE key BETWEEN ? AND ?')
      .pluck();
    this.#lastRun = database
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
      .pluck();
    this.#damaged = damagedReads(database);
  }

  /** The current runs. A run never changes, so each is read only once. */
  snapshot(): Snapshot {
    // In a new transaction the chunks may have changed.
    this.#opened.clear();
    const ids = this.#runIds.all();
    discardedOld(this.#dropRuns(new Set(ids)));
    const all: Run[] = [];
    const newDamage: Damage[] = [];
    for (const id of ids) {
      const run = this.#runs.get(id) ?? this.#open(id);
      if (run instanceof Run) all.push(run);
      else newDamage.push(run);
    }
    const damage = [...this.#damaged.damage(), ...newDamage];
    return { all, damage, newDamage, damagedRuns: runsOf(damage), last: this.#lastRun.get() ?? 0 };
  }

  /** Drops the runs that do not exist any more. @returns their size in bytes */
  #dropRuns(current: ReadonlySet<number>): number {
    const dropped = [...this.#runs].filter(([id]) => !current.has(id));
    for (const [id] of dropped) this.#runs.delete(id);
    return dropped.reduce((sum, [, run]) => sum + (run instanceof Run ? run.bytes : 0), 0);
  }

  /** Adds a run that this connection has just written to the cache. */
  remember(run: Run): void {
    this.#runs.set(run.id, run);
  }

  /**
   * Reads rows of a station in `[from, to)`. Whole days are read until there are at least `limit` rows.
   *
   * @param variables undefined means all
   * @param snapshot the result of `snapshot`, which would double the time if it were called for each of many stations
   * @returns the rows, and the time at which the next read begins; null at the end
   * @throws DamagedDataError if some of the rows are damaged
   */
  read(
    station: number,
    from: number,
    to: number,
    variables: ReadonlySet<number> | undefined,
    limit: number,
    { all, damage }: Snapshot,
  ): { series: Series; next: number | null } {
    const { chunks, next } = this.#take(station, from, to, limit);
    const until = Math.min(to, next ?? Infinity);
    const damaged = damage.find((one) => touches(one, station, from, until));
    if (damaged !== undefined) throw new DamagedDataError({ damage: damaged, station, from });
    const base = decodeAll(chunks, variables, from, until);
    const overlay = gathered(all, station, from, until, variables);
    return { series: withValues(mergeAll([base, overlay])), next };
  }

  /** The rows of a short range; undefined if there may be more than `most`, or if some of them are damaged. */
  readShort(station: number, { from, to, variables, most }: ShortRange, runs: Snapshot): Series | undefined {
    const [first, last] = keysOf(station, from, to);
    let rows = this.#rowsOfChunks.get(first, last) ?? 0;
    for (const run of runs.all) {
      const [begin, end] = run.find(station, from, to) ?? [0, 0];
      rows += end - begin;
    }
    if (rows > most) return undefined;
    try {
      return this.read(station, from, to, variables && new Set(variables), Infinity, runs).series;
    } catch (error) {
      if (error instanceof DamagedDataError) return undefined;
      throw error;
    }
  }

  /**
   * Reads rows of a station in `[from, to)`. Does not read chunks if the range is newer than `chunksEnd`, as is usual
   * around rows that have just been sent.
   *
   * @param chunksEnd as `CachedState.chunksEnd`
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    const overlay = gathered(runs, station, from, to);
    if (from > chunksEnd) return overlay;
    const [first, last] = [dayOf(from), dayOf(to - 1)];
    const chunks =
      last - first < MAX_CACHED
        ? this.#cachedChunks(station, first, last)
        : this.#take(station, from, to, Infinity).chunks;
    return mergeAll([decodeAll(chunks, undefined, from, to), overlay]);
  }

  /** The chunks of a few days. They are cached, because successive late rows need the same days. */
  #cachedChunks(station: number, first: number, last: number): Chunk[] {
    const chunks: Chunk[] = [];
    for (let day = first; day <= last; day += 1) {
      const key = chunkKey(station, day);
      let chunk = this.#opened.get(key);
      if (chunk === undefined) {
        const row = this.#chunk.get(key);
        chunk = row && this.#openChunk(station, row, day * MILLISECONDS.day);
        if (chunk === undefined) continue;
        if (this.#opened.size >= MAX_CACHED) this.#opened.clear();
        this.#opened.set(key, chunk);
      }
      chunks.push(chunk);
    }
    return chunks;
  }

  /** The rows in the chunk of a day; undefined if there is no chunk. */
  readChunk(station: number, day: number): Series | undefined {
    const row = this.#chunk.get(chunkKey(station, day));
    const chunk = row && this.#openChunk(station, row, day * MILLISECONDS.day);
    return chunk && decodeAll([chunk], undefined);
  }

  /** Reads chunks until they have `limit` rows. `next` is the end of the last day that was read, or null at the end. */
  #take(station: number, from: number, to: number, limit: number): { chunks: Chunk[]; next: number | null } {
    const selected: ChunkRow[] = [];
    let rows = 0;
    let next: number | null = null;
    for (const row of this.#chunks.iterate(...keysOf(station, from, to))) {
      selected.push(row);
      rows += row.rows;
      if (rows < limit) continue;
      // The page ends with the day and not at the next chunk, because a damaged run between the two must not fail
      // this page.
      const end = (dayOfKey(row.key) + 1) * MILLISECONDS.day;
      next = end < to ? end : null;
      break;
    }
    // Not in the loop: a damaged chunk is put aside, and SQLite allows no write while a statement is iterated.
    const chunks = selected.map((row) => this.#openChunk(station, row, from));
    return { chunks: chunks.filter((chunk) => chunk !== undefined), next };
  }

  /** @returns undefined for a damaged chunk after `onDamagedChunk` was called */
  #openChunk(station: number, row: ChunkRow, from: number): Chunk | undefined {
    try {
      return openChunk(row);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      const damage = damagedChunk(station, row, error);
      if (this.#onDamagedChunk === undefined) throw new DamagedDataError({ damage, station, from });
      this.#onDamagedChunk(damage);
      return undefined;
    }
  }

  #open(id: number): Run | Damage {
    const { rows, first, last, data } = this.#run.get(id) as RunRow;
    let opened: Run | Damage;
    try {
      opened = new Run(id, data);
    } catch (error) {
      if (!(error instanceof DamagedRunError)) throw error;
      const { message: reason, stations = null } = error;
      opened = {
        kind: 'run',
        key: id,
        stations,
        first: first ?? ALL_TIMES.first,
        last: last ?? ALL_TIMES.last,
        rows,
        reason,
      };
    }
    this.#runs.set(id, opened);
    return opened;
  }
}

/** The first and the last possible key of the chunks of a station in `[from, to)`. */
function keysOf(station: number, from: number, to: number): [first: number, last: number] {
  const key = (day: number) => chunkKey(station, Math.min(Math.max(day, FIRST_DAY), -FIRST_DAY - 1));
  return [key(dayOf(from)), key(dayOf(to - 1))];
}

export function damagedChunk(station: number, { key, rows }: ChunkRow, { message: reason }: Error): Damage {
  const first = dayOfKey(key) * MILLISECONDS.day;
  return { kind: 'chunk', key, stations: [station], first, last: first + MILLISECONDS.day - 1, rows, reason };
}
