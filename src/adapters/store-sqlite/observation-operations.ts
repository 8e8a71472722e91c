import type { Database } from 'better-sqlite3';
import { judge, NO_RULES, type StationRules } from '../../domain/quality-control.js';
import {
  layered,
  pickRows,
  seriesByStation,
  type WriteCounts,
  writeSeries,
} from '../../domain/merge-series.js';
import {
  DAY,
  lowerBound,
  type ObservationBatch,
  type Series,
  sliceSeries,
} from '../../domain/observations.js';
import type { StationState } from '../../domain/station-state.js';
import { encodeChunk } from './chunk-codec.js';
import { chunkKey, dayOf } from './chunk-key.js';
import { ObservationReader } from './observation-reader.js';
import { encodeRun, Run } from './run-codec.js';

/** Runs are merged into chunks when there are so many of them, or so many rows in them. */
const MAX_RUNS = 64;
const MAX_ROWS = 150_000;

export interface Written extends WriteCounts {
  /** Whether the runs should be merged. */
  readonly due: boolean;
}

/**
 * The statements behind the writing half of SqliteObservationStore; they run in the thread that owns the data file. A write
 * is one blob and one commit; chunks are made of many writes at once, since rewriting one for every row costs a hundred
 * times as much.
 */
export function observationOperations(database: Database) {
  const writer = new ObservationWriter(database);
  return {
    writeObservations: (batch: ObservationBatch, rules: ReadonlyMap<number, StationRules>) =>
      writer.write(batch, rules),
    mergeRuns: () => writer.merge(),
  };
}

class ObservationWriter {
  readonly #database: Database;
  readonly #reader: ObservationReader;
  readonly #insertRun;
  readonly #deleteRuns;
  readonly #putChunk;
  readonly #putNewest;
  readonly #lastRun;
  readonly #stations;
  /** States of stations as of `#seen`, the last run that they have taken in. */
  #states = new Map<number, StationState>();
  #seen = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#reader = new ObservationReader(database);
    this.#insertRun = database.prepare('INSERT INTO run (rows, data) VALUES (?, ?)');
    this.#deleteRuns = database.prepare('DELETE FROM run WHERE id <= ?');
    this.#putChunk = database.prepare(
      'INSERT INTO chunk (key, rows, variables, data) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET rows = excluded.rows, variables = excluded.variables, data = excluded.data',
    );
    this.#putNewest = database.prepare(
      'INSERT INTO newest (station, revision, data) VALUES (?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET revision = excluded.revision, data = excluded.data',
    );
    this.#lastRun = database
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
      .pluck();
    this.#stations = database.prepare<[], number>('SELECT number FROM station').pluck();
  }

  write(batch: ObservationBatch, rules: ReadonlyMap<number, StationRules>): Written {
    try {
      return this.#database.transaction(() => this.#write(batch, rules)).immediate();
    } catch (error) {
      // The states may have taken in what was not written.
      this.#forget();
      throw error;
    }
  }

  merge(): void {
    try {
      this.#database.transaction(() => this.#merge()).immediate();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #write(batch: ObservationBatch, rules: ReadonlyMap<number, StationRules>): Written {
    const runs = this.#reader.runs();
    // Another process, or the merging of runs there, may have written since.
    if ((this.#lastRun.get() ?? 0) !== this.#seen) this.#forget();
    const known = new Set(this.#stations.all());
    const parts = new Map<number, Series>();
    const counts = { inserted: 0, updated: 0, unchanged: 0 };
    for (const [station, added] of seriesByStation(batch)) {
      if (!known.has(station)) throw new Error(`there is no station ${station}`);
      const state = this.#stateOf(station, runs);
      const written =
        (added.times[0] as number) > state.lastSeen
          ? { ...appendedCounts(added), series: judge(added, rules.get(station) ?? NO_RULES, state.tail) }
          : this.#overwrite(station, added, rules.get(station) ?? NO_RULES);
      counts.inserted += written.inserted;
      counts.updated += written.updated;
      counts.unchanged += written.unchanged;
      if (written.series.times.length === 0) continue;
      state.advance(written.series);
      parts.set(station, written.series);
    }
    if (parts.size > 0) runs.push(this.#append(parts, counts.inserted + counts.updated));
    const rows = runs.reduce((sum, run) => sum + run.rows, 0);
    return { ...counts, due: runs.length >= MAX_RUNS || rows >= MAX_ROWS };
  }

  #append(parts: ReadonlyMap<number, Series>, rows: number): Run {
    const blob = encodeRun(parts);
    const id = Number(this.#insertRun.run(rows, blob).lastInsertRowid);
    const run = new Run(id, blob);
    this.#reader.remember(run);
    this.#seen = id;
    return run;
  }

  /** Rows that may be there already, or come before others: laid over what there is, with the day before to compare with. */
  #overwrite(station: number, added: Series, rules: StationRules): WriteCounts & { series: Series } {
    const from = (dayOf(added.times[0] as number) - 1) * DAY;
    const to = (dayOf(added.times.at(-1) as number) + 1) * DAY;
    const { series: base } = this.#reader.read(station, from, to, undefined, Infinity);
    const { series, touched, ...counts } = writeSeries(base, added, rules);
    return { ...counts, series: pickRows(series, touched) };
  }

  #merge(): void {
    const runs = this.#reader.runs();
    const last = runs.at(-1);
    if (last === undefined) return;
    if ((this.#lastRun.get() ?? 0) !== this.#seen) this.#forget();
    for (const station of new Set(runs.flatMap((run) => [...run.stations]))) {
      const { state, revision } = this.#reader.state(station, runs);
      this.#putNewest.run(station, revision, Buffer.from(state.data.buffer));
      const added = layered(runs.flatMap((run) => run.of(station) ?? []));
      for (const [day, series] of byDay(added)) this.#mergeDay(station, day, series);
    }
    this.#deleteRuns.run(last.id);
    this.#seen = last.id;
  }

  #mergeDay(station: number, day: number, added: Series): void {
    const base = this.#reader.readChunk(station, day);
    const series = base === undefined ? added : layered([base, added]);
    let variables = 0;
    for (const [variable, column] of series.values) {
      if (column.some((value) => !Number.isNaN(value))) variables += 2 ** variable;
    }
    this.#putChunk.run(chunkKey(station, day), series.times.length, variables, encodeChunk(day, series));
  }

  #stateOf(station: number, runs: readonly Run[]): StationState {
    let state = this.#states.get(station);
    if (state === undefined) {
      ({ state } = this.#reader.state(station, [...runs]));
      this.#states.set(station, state);
    }
    return state;
  }

  #forget(): void {
    this.#states = new Map();
    this.#seen = this.#lastRun.get() ?? 0;
  }
}

function appendedCounts({ times }: Series): WriteCounts {
  return { inserted: times.length, updated: 0, unchanged: 0 };
}

function* byDay(series: Series): Generator<[day: number, series: Series]> {
  let from = 0;
  while (from < series.times.length) {
    const day = dayOf(series.times[from] as number);
    const to = lowerBound(series.times, (day + 1) * DAY);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}
