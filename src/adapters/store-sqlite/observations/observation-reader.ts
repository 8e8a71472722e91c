import type { Database } from 'better-sqlite3';
import type { ShortRange } from '../../../application/ports/observation-store.js';
import { MILLISECONDS } from '../../../domain/time.js';
import { mergeAll } from '../../../domain/weather/merge-series.js';
import type { Series } from '../../../domain/weather/series.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import type { Chunk } from '../../formats/packed/chunk-codec.js';
import { chunkKey, dayOf, dayOfKey, FIRST_DAY } from '../../formats/packed/chunk-key.js';
import { type ChunkRow, decodeAll, openChunk, withValues } from '../../formats/packed/decoded-series.js';
import { DamagedRunError, Run } from '../../formats/packed/run-codec.js';
import { type Damage, damagedReads, DamagedDataError, runsOf, touches } from '../damage/damage.js';
import { gathered } from './run-rows.js';
import type { Runs } from './station-states.js';

/** The runs that are not merged at one moment, and the damage that is known. */
export interface Snapshot extends Runs {
  /** Put aside, or found just now. */
  readonly damage: readonly Damage[];
  /** Damaged runs that have not been put aside yet. */
  readonly found: readonly Damage[];
}

interface RunRow {
  readonly rows: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly data: Buffer;
}

/** The times of a run that does not tell them: all there are. */
const EVER = { first: -8.64e15, last: 8.64e15 } as const;

/** Chunks that are remembered for the length of a transaction. */
const REMEMBERED = 4;

/** Reads observations: chunks, and over them the runs that are not merged yet. */
export class ObservationReader {
  readonly #runs = new Map<number, Run | Damage>();
  /** Chunks by key, of this transaction. */
  readonly #opened = new Map<number, Chunk>();
  readonly #runIds;
  readonly #run;
  readonly #chunks;
  readonly #chunk;
  readonly #rowsOfChunks;
  readonly #lastRun;
  readonly #damaged;
  readonly #onDamagedChunk: ((damage: Damage) => void) | undefined;

  /** @param onDamagedChunk called for a chunk that cannot be read, and reading continues without it; if undefined, reading throws */
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

  /** The runs there are. A run never changes, so it is read once. */
  snapshot(): Snapshot {
    // Another transaction: chunks may have been merged since.
    this.#opened.clear();
    const ids = this.#runIds.all();
    const current = new Set(ids);
    for (const id of this.#runs.keys()) if (!current.has(id)) this.#runs.delete(id);
    const all: Run[] = [];
    const found: Damage[] = [];
    for (const id of ids) {
      const run = this.#runs.get(id) ?? this.#open(id);
      if (run instanceof Run) all.push(run);
      else found.push(run);
    }
    const damage = [...this.#damaged.damage(), ...found];
    return { all, damage, found, lost: runsOf(damage), last: this.#lastRun.get() ?? 0 };
  }

  /** A run that this connection has just written. */
  remember(run: Run): void {
    this.#runs.set(run.id, run);
  }

  /**
   * Rows of a station in `[from, to)`, and where to go on: whole days are read until there are `limit` rows.
   *
   * @param variables all when undefined
   * @param runs as `snapshot` gives them: asking for them again for each of a thousand stations takes as long as the rest
   * @throws DamagedDataError where some of the rows cannot be read
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

  /** The rows of a short range; undefined where there may be more than `most`, and where some of them cannot be read. */
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
   * Rows of a station in `[from, to)`, where it is known that its chunks end before `chunksEnd`, as they do when what is
   * asked for has just come in.
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    const overlay = gathered(runs, station, from, to);
    if (from > chunksEnd) return overlay;
    const [first, last] = [dayOf(from), dayOf(to - 1)];
    const chunks =
      last - first < REMEMBERED
        ? this.#remembered(station, first, last)
        : this.#take(station, from, to, Infinity).chunks;
    return mergeAll([decodeAll(chunks, undefined, from, to), overlay]);
  }

  /** The chunks of a few days. Late rows come one after the other, and ask for the same days again and again. */
  #remembered(station: number, first: number, last: number): Chunk[] {
    const chunks: Chunk[] = [];
    for (let day = first; day <= last; day += 1) {
      const key = chunkKey(station, day);
      let chunk = this.#opened.get(key);
      if (chunk === undefined) {
        const row = this.#chunk.get(key);
        chunk = row && this.#openChunk(station, row, day * MILLISECONDS.day);
        if (chunk === undefined) continue;
        if (this.#opened.size >= REMEMBERED) this.#opened.clear();
        this.#opened.set(key, chunk);
      }
      chunks.push(chunk);
    }
    return chunks;
  }

  /** A day as its chunk has it; undefined when there is none. */
  readChunk(station: number, day: number): Series | undefined {
    const row = this.#chunk.get(chunkKey(station, day));
    const chunk = row && this.#openChunk(station, row, day * MILLISECONDS.day);
    return chunk && decodeAll([chunk], undefined);
  }

  /** Chunks in range until there are `limit` rows, and the time at which the next one begins. */
  #take(station: number, from: number, to: number, limit: number): { chunks: Chunk[]; next: number | null } {
    const found: ChunkRow[] = [];
    let rows = 0;
    let next: number | null = null;
    for (const row of this.#chunks.iterate(...keysOf(station, from, to))) {
      found.push(row);
      rows += row.rows;
      if (rows < limit) continue;
      // The page ends with the day and not where the next chunk begins: runs between the two may be damaged, and a page that ends here
      // must not fail because of them.
      const end = (dayOfKey(row.key) + 1) * MILLISECONDS.day;
      next = end < to ? end : null;
      break;
    }
    // Not within the loop: a damaged chunk is put aside, and SQLite allows no write while a statement is being iterated.
    const chunks = found.map((row) => this.#openChunk(station, row, from));
    return { chunks: chunks.filter((chunk) => chunk !== undefined), next };
  }

  /** @returns undefined for a damaged chunk that has been put aside */
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
        first: first ?? EVER.first,
        last: last ?? EVER.last,
        rows,
        reason,
      };
    }
    this.#runs.set(id, opened);
    return opened;
  }
}

/** The first and the last key that chunks of the station in `[from, to)` can have. */
function keysOf(station: number, from: number, to: number): [first: number, last: number] {
  const key = (day: number) => chunkKey(station, Math.min(Math.max(day, FIRST_DAY), -FIRST_DAY - 1));
  return [key(dayOf(from)), key(dayOf(to - 1))];
}

export function damagedChunk(station: number, { key, rows }: ChunkRow, { message: reason }: Error): Damage {
  const first = dayOfKey(key) * MILLISECONDS.day;
  return { kind: 'chunk', key, stations: [station], first, last: first + MILLISECONDS.day - 1, rows, reason };
}
