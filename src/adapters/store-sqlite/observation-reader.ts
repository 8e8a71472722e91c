import type { Database } from 'better-sqlite3';
import type { Inventory } from '../../application/ports/observation-store.js';
import { layered } from '../../domain/merge-series.js';
import { DAY, type Series } from '../../domain/observations.js';
import { StationState } from '../../domain/station-state.js';
import { hasValue } from './chunk-codec.js';
import { chunkKey, dayOf, dayOfKey, DAYS, FIRST_DAY } from './chunk-key.js';
import { between, type ChunkRow, decodeAll, withValues } from './decoded-series.js';
import { gathered, Run } from './run-codec.js';

export interface KnownState {
  readonly state: StationState;
  /** The last run that it has taken in. */
  revision: number;
  /** The newest time of what is in chunks. */
  chunksEnd: number;
}

/** Reads observations: chunks, and over them the runs that are not merged yet. */
export class ObservationReader {
  readonly #runs = new Map<number, Run>();
  readonly #runIds;
  readonly #run;
  readonly #chunks;
  readonly #newest;
  readonly #chunkTotals;
  readonly #lastRun;
  readonly #states = new Map<number, KnownState>();
  #seen = 0;

  constructor(database: Database) {
    this.#runIds = database.prepare<[], number>('SELECT id FROM run ORDER BY id').pluck();
    this.#run = database.prepare<[number], Buffer>('SELECT data FROM run WHERE id = ?').pluck();
    this.#chunks = database.prepare<[number, number], ChunkRow>(
      'SELECT key, rows, data FROM chunk WHERE key BETWEEN ? AND ?',
    );
    this.#newest = database.prepare<[number], { revision: number; data: Buffer }>(
      'SELECT revision, data FROM newest WHERE station = ?',
    );
    this.#lastRun = database
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
      .pluck();
    this.#chunkTotals = database.prepare<[number, number], { key: number; rows: number; variables: number }>(
      'SELECT key, rows, variables FROM chunk WHERE key BETWEEN ? AND ?',
    );
  }

  /** The runs there are, oldest first. A run never changes, so it is read once. */
  runs(): Run[] {
    const ids = this.#runIds.all();
    const current = new Set(ids);
    for (const id of this.#runs.keys()) if (!current.has(id)) this.#runs.delete(id);
    return ids.map((id) => {
      const known = this.#runs.get(id);
      if (known !== undefined) return known;
      const run = new Run(id, this.#run.get(id) as Buffer);
      this.#runs.set(id, run);
      return run;
    });
  }

  /** A run that this connection has just written. */
  remember(run: Run): void {
    this.#runs.set(run.id, run);
  }

  /** Forgets what it knows of stations, which may have been rolled back. */
  forget(): void {
    this.#states.clear();
  }

  /**
   * Rows of a station in `[from, to)`, and where to go on: whole days are read until there are `limit` rows.
   *
   * @param variables all when undefined
   * @param runs as `runs` gives them: asking for them again for each of a thousand stations takes as long as the rest
   */
  read(
    station: number,
    from: number,
    to: number,
    variables: ReadonlySet<number> | undefined,
    limit: number,
    runs: readonly Run[],
  ): { series: Series; next: number | null } {
    const { chunks, next } = this.#take(station, from, to, limit);
    const until = Math.min(to, next ?? Infinity);
    const base = decodeAll(chunks, variables);
    const overlay = gathered(runs, station, from, until, variables);
    const series = layered([between(base, from, until), overlay]);
    return { series: withValues(series), next };
  }

  /**
   * Rows of a station in `[from, to)`, where it is known that its chunks end before `chunksEnd`, as they do when what is
   * asked for has just come in.
   */
  recent(station: number, from: number, to: number, runs: readonly Run[], chunksEnd: number): Series {
    const overlay = gathered(runs, station, from, to);
    if (from > chunksEnd) return overlay;
    const { chunks } = this.#take(station, from, to, Infinity);
    return layered([between(decodeAll(chunks, undefined), from, to), overlay]);
  }

  /** A day as its chunk has it; undefined when there is none. */
  readChunk(station: number, day: number): Series | undefined {
    const chunk = this.#chunks.get(chunkKey(station, day), chunkKey(station, day));
    return chunk && decodeAll([chunk], undefined);
  }

  /**
   * What is known of a station without its history, and its revision. States are remembered, and take in the runs that have
   * come since; only when some of those have been merged and gone already, all begin anew.
   */
  state(station: number, runs = this.runs()): KnownState {
    const last = this.#lastRun.get() ?? 0;
    if ((runs[0]?.id ?? last + 1) > this.#seen + 1) this.#states.clear();
    this.#seen = last;
    let known = this.#states.get(station);
    if (known === undefined) {
      const row = this.#newest.get(station);
      const state = new StationState(row && numbersOf(row.data));
      known = { state, revision: row?.revision ?? 0, chunksEnd: state.lastSeen };
      this.#states.set(station, known);
    }
    for (const run of runs) {
      if (run.id <= known.revision) continue;
      const series = run.of(station);
      if (series === undefined) continue;
      known.state.advance(series);
      known.revision = run.id;
    }
    return known;
  }

  inventory(station: number, runs: readonly Run[]): Inventory {
    const variables = new Set<number>();
    let count = 0;
    let [first, last] = [Infinity, -Infinity];
    const note = ({ times, values }: Series) => {
      if (times.length === 0) return;
      first = Math.min(first, times[0] as number);
      last = Math.max(last, times.at(-1) as number);
      for (const [variable, column] of values) {
        if (hasValue(column)) variables.add(variable);
      }
    };
    const touched = new Set(
      runs.flatMap((run) => [...new Set(Float64Array.from(run.of(station)?.times ?? [], dayOf))]),
    );
    for (const [from, to] of stretches(touched)) {
      const { series } = this.read(station, from * DAY, to * DAY, undefined, Infinity, runs);
      count += series.times.length;
      note(series);
    }
    let ends: [number, number] | undefined;
    const all = [chunkKey(station, FIRST_DAY), chunkKey(station, FIRST_DAY + DAYS - 1)] as const;
    for (const { key, rows, variables: mask } of this.#chunkTotals.iterate(...all)) {
      const day = dayOfKey(key);
      if (touched.has(day)) continue;
      count += rows;
      ends = [ends?.[0] ?? day, day];
      for (let variable = 0; variable < 53; variable += 1) {
        if (Math.floor(mask / 2 ** variable) % 2 === 1) variables.add(variable);
      }
    }
    for (const day of new Set(ends)) {
      note(this.read(station, day * DAY, (day + 1) * DAY, undefined, Infinity, runs).series);
    }
    return {
      first: Number.isFinite(first) ? first : null,
      last: Number.isFinite(last) ? last : null,
      count,
      variables: [...variables].sort((a, b) => a - b),
    };
  }

  /** Chunks in range until there are `limit` rows, and the time at which the next one begins. */
  #take(
    station: number,
    from: number,
    to: number,
    limit: number,
  ): { chunks: ChunkRow[]; next: number | null } {
    const chunks: ChunkRow[] = [];
    const [first, last] = [dayOf(from), dayOf(to - 1)].map((day) =>
      Math.min(Math.max(day, FIRST_DAY), -FIRST_DAY - 1),
    );
    let rows = 0;
    for (const chunk of this.#chunks.iterate(
      chunkKey(station, first as number),
      chunkKey(station, last as number),
    )) {
      if (rows >= limit) return { chunks, next: dayOfKey(chunk.key) * DAY };
      chunks.push(chunk);
      rows += chunk.rows;
    }
    return { chunks, next: null };
  }
}

/** Days in a row, as the first and the one after the last. */
function stretches(days: ReadonlySet<number>): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === day) last[1] = day + 1;
    else found.push([day, day + 1]);
  }
  return found;
}

/** A copy: the blob need not be aligned. */
function numbersOf(blob: Buffer): Float64Array {
  return new Float64Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
}
