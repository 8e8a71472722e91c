import type { Database } from 'better-sqlite3';
import type { ObservationWrite, WriteOutcome } from '../../application/ports/observation-store.js';
import { pickRows, writeSeries } from '../../domain/merge-series.js';
import { DAY, type ObservationBatch, type Series } from '../../domain/observations.js';
import { NO_RULES, STEP_REACH } from '../../domain/quality-control.js';
import { clusters, joined, orderRows, partOf, type RowOrder } from '../../domain/row-order.js';
import { judgeNew } from './judge-new.js';
import { type KnownState, ObservationReader } from './observation-reader.js';
import { encodeRun, Run } from './run-codec.js';
import { RunMerger } from './run-merger.js';
import { assemble, joinedRules, type Piece, type Rules } from './run-assembly.js';
import { slicePart, sortedColumns, Tally } from './run-assembly.js';

/** Runs are merged into chunks when there are so many of them, or so many rows in them. */
const MAX_RUNS = 64;
const MAX_ROWS = 150_000;
/** Milliseconds for which merging keeps others waiting. */
const PATIENCE = 50;

/** An `ObservationWrite` on its way to the thread that writes. */
export interface SentWrite {
  readonly batch: ObservationBatch;
  /** Left out where they are the same as those of the write before: a thousand stations' cost more than their rows. */
  readonly rules: Rules | undefined;
}

export interface Written {
  readonly outcomes: readonly WriteOutcome[];
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
    writeObservations: (writes: readonly SentWrite[]) => writer.write(writes),
    /** A part of it; whether there is more to do. */
    mergeRuns: () => writer.merge(PATIENCE),
    mergeAllRuns: () => writer.mergeAll(),
  };
}

class ObservationWriter {
  readonly #database: Database;
  readonly #reader: ObservationReader;
  readonly #merger: RunMerger;
  readonly #insertRun;
  readonly #lastRun;
  readonly #stations;
  readonly #stationVersion;
  /** Numbers of the stations, read anew when something of them has changed. */
  #known: { readonly version: number | undefined; readonly numbers: ReadonlySet<number> } | undefined;
  /** States of stations as of `#seen`, the last run that they have taken in. */
  #states = new Map<number, KnownState>();
  #seen = 0;
  /** The first run that was not in chunks when the states were made. */
  #oldest = 0;
  /** Those of the last write. */
  #rules: Rules = new Map();

  constructor(database: Database) {
    this.#database = database;
    this.#reader = new ObservationReader(database);
    this.#merger = new RunMerger(database, this.#reader);
    this.#insertRun = database.prepare('INSERT INTO run (rows, data) VALUES (?, ?)');
    this.#lastRun = database
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
      .pluck();
    this.#stations = database.prepare<[], number>('SELECT number FROM station').pluck();
    this.#stationVersion = database.prepare<[], number>('SELECT version FROM station_version').pluck();
  }

  write(sent: readonly SentWrite[]): Written {
    const writes = sent.map(({ batch, rules }) => ({ batch, rules: (this.#rules = rules ?? this.#rules) }));
    try {
      return this.#database.transaction(() => this.#write(writes)).immediate();
    } catch (error) {
      // The states may have taken in what was not written.
      this.#forget();
      throw error;
    }
  }

  /** @returns whether there is more to do */
  merge(patience: number): boolean {
    try {
      return this.#database
        .transaction(() => {
          const { more, last } = this.#merger.merge(patience);
          if (more || last === undefined) return more;
          // Another process may have written meanwhile; what this one knows is what it has seen itself.
          this.#oldest = last + 1;
          return false;
        })
        .immediate();
    } catch (error) {
      this.#merger.forget();
      this.#forget();
      throw error;
    }
  }

  /** Until no run is left. */
  mergeAll(): void {
    while (this.merge(Infinity) || this.#reader.runs().length > 0);
  }

  #write(writes: readonly ObservationWrite[]): Written {
    const runs = this.#reader.runs();
    // Another process may have written since, or merged the runs.
    const last = this.#lastRun.get() ?? 0;
    if (last !== this.#seen || (runs[0]?.id ?? last + 1) !== this.#oldest) this.#forget(runs);
    const stations = this.#stationNumbers();
    const batch = joined(writes.map((write) => write.batch));
    const order = orderRows(batch);
    // Where two writes have the same row, each has an outcome of its own only when one comes after the other.
    const isOne = writes.length === 1 || order.groups.every(({ distinct }) => distinct);
    const outcomes = isOne
      ? this.#lay(writes, batch, order, stations, runs)
      : writes.flatMap((write) => this.#lay([write], write.batch, orderRows(write.batch), stations, runs));
    const rows = runs.reduce((sum, run) => sum + run.rows, 0);
    return { outcomes, due: runs.length >= MAX_RUNS || rows >= MAX_ROWS };
  }

  /** Writes rows as one run. Most come after what there is; others are laid over it. */
  #lay(
    writes: readonly ObservationWrite[],
    batch: ObservationBatch,
    order: RowOrder,
    stations: ReadonlySet<number>,
    runs: Run[],
  ): WriteOutcome[] {
    const tally = new Tally(writes, order);
    const columns = sortedColumns(batch, order);
    const rules = joinedRules(writes);
    const pieces: Piece[] = [];
    const states: KnownState[] = [];
    for (const group of order.groups) {
      const { station, from, to } = group;
      if (!stations.has(station)) {
        tally.unknown(group);
        continue;
      }
      const known = this.#stateOf(station, runs);
      const own = rules.get(station) ?? NO_RULES;
      if (group.distinct && judgeNew(columns, group, known, own, runs)) {
        known.state.advanceRows(columns, from, to);
        pieces.push({ station, columns, from, to });
        tally.inserted(group);
      } else {
        const part = group.distinct ? slicePart(columns, group) : partOf(batch, order, group);
        tally.folded(group, part.folded);
        for (const { series: added, first } of clusters(part.series, DAY)) {
          const near = this.#near(station, added, known, runs);
          const merged = writeSeries(near, { series: added, folded: 0 }, own);
          tally.merged(group, first, merged);
          const series = pickRows(merged.series, merged.touched);
          known.state.advance(series);
          pieces.push({ station, columns: series, from: 0, to: series.times.length });
        }
      }
      states.push(known);
    }
    if (pieces.some(({ from, to }) => from < to)) runs.push(this.#insert(pieces, states));
    return tally.outcomes;
  }

  /** @param states of the stations in `pieces`, which have taken them in */
  #insert(pieces: readonly Piece[], states: readonly KnownState[]): Run {
    const { places, columns } = assemble(pieces);
    const blob = encodeRun(places, columns);
    const id = Number(this.#insertRun.run(columns.times.length, blob).lastInsertRowid);
    const run = new Run(id, blob);
    this.#reader.remember(run);
    this.#seen = id;
    for (const known of states) known.revision = id;
    return run;
  }

  /** The rows that there are between those of a series, and before it as far as they say something. */
  #near(
    station: number,
    { times }: Pick<Series, 'times'>,
    { chunksEnd }: KnownState,
    runs: readonly Run[],
  ): Series {
    const [first, last] = [times[0] as number, times.at(-1) as number];
    return this.#reader.recent(station, first - STEP_REACH, last + 1, runs, chunksEnd);
  }

  #stateOf(station: number, runs: readonly Run[]): KnownState {
    let known = this.#states.get(station);
    if (known === undefined) this.#states.set(station, (known = this.#reader.state(station, [...runs])));
    return known;
  }

  #stationNumbers(): ReadonlySet<number> {
    const version = this.#stationVersion.get();
    if (this.#known === undefined || this.#known.version !== version) {
      this.#known = { version, numbers: new Set(this.#stations.all()) };
    }
    return this.#known.numbers;
  }

  #forget(runs = this.#reader.runs()): void {
    this.#states = new Map();
    this.#reader.forget();
    this.#oldest = runs[0]?.id ?? (this.#lastRun.get() ?? 0) + 1;
    this.#seen = this.#lastRun.get() ?? 0;
  }
}
