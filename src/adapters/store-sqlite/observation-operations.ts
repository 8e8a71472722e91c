import type { Database } from 'better-sqlite3';
import type { WriteOutcome } from '../../application/ports/observation-store.js';
import { concatenate, pickRows, type WriteCounts, writeSeries } from '../../domain/merge-series.js';
import { DAY, type ObservationBatch, type Series } from '../../domain/observations.js';
import { judge, judgeRows, NO_RULES, type StationRules } from '../../domain/quality-control.js';
import { joined, orderRows, partsByStation, reordered, type StationPart } from '../../domain/row-order.js';
import type { StationState } from '../../domain/station-state.js';
import { dayOf } from './chunk-key.js';
import { type KnownState, ObservationReader } from './observation-reader.js';
import { encodeRun, Run, type RunPlace } from './run-codec.js';
import { RunMerger } from './run-merger.js';

/** Runs are merged into chunks when there are so many of them, or so many rows in them. */
const MAX_RUNS = 64;
const MAX_ROWS = 150_000;

type Rules = ReadonlyMap<number, StationRules>;

/** An `ObservationWrite` on its way to the thread that writes. */
export interface SentWrite {
  readonly batch: ObservationBatch;
  /** Left out where they are the same as those of the write before: a thousand stations' cost more than their rows. */
  readonly rules: Rules | undefined;
}

interface KnownWrite {
  readonly batch: ObservationBatch;
  readonly rules: Rules;
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
    mergeRuns: () => writer.merge(),
  };
}

class ObservationWriter {
  readonly #database: Database;
  readonly #reader: ObservationReader;
  readonly #merger: RunMerger;
  readonly #insertRun;
  readonly #lastRun;
  readonly #stations;
  /** States of stations as of `#seen`, the last run that they have taken in. */
  #states = new Map<number, KnownState>();
  #seen = 0;
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

  merge(): void {
    try {
      this.#database
        .transaction(() => {
          const last = this.#merger.merge();
          if ((this.#lastRun.get() ?? 0) !== this.#seen) this.#forget();
          this.#seen = last ?? this.#seen;
        })
        .immediate();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #write(writes: readonly KnownWrite[]): Written {
    const runs = this.#reader.runs();
    // Another process, or the merging of runs there, may have written since.
    if ((this.#lastRun.get() ?? 0) !== this.#seen) this.#forget();
    const stations = new Set(this.#stations.all());
    const outcomes =
      this.#append(writes, stations, runs) ?? writes.map((write) => this.#lay(write, stations, runs));
    const rows = runs.reduce((sum, run) => sum + run.rows, 0);
    return { outcomes, due: runs.length >= MAX_RUNS || rows >= MAX_ROWS };
  }

  /** Writes rows that all come after what there is, as they do from day to day: undefined where they do not. */
  #append(
    writes: readonly KnownWrite[],
    stations: ReadonlySet<number>,
    runs: Run[],
  ): WriteOutcome[] | undefined {
    const batch = joined(writes.map((write) => write.batch));
    const { rows, groups } = orderRows(batch);
    const times = reordered(batch.times, rows);
    const states: KnownState[] = [];
    for (const { station, from, distinct } of groups) {
      if (!distinct || !stations.has(station)) return undefined;
      const known = this.#stateOf(station, runs);
      if ((times[from] as number) <= known.state.lastSeen) return undefined;
      states.push(known);
    }
    const values = [...batch.values].map(
      ([variable, column]) => [variable, reordered(column, rows)] as const,
    );
    const columns = { times, values: new Map(values), flags: new Map<number, Uint8Array>() };
    const rules = writes.length === 1 ? (writes[0] as KnownWrite).rules : joinedRules(writes);
    for (const [index, { station, from, to }] of groups.entries()) {
      const { state } = states[index] as KnownState;
      judgeRows(columns, from, to, rules.get(station) ?? NO_RULES, state.tail);
      state.advanceRows(columns, from, to);
    }
    if (times.length > 0) runs.push(this.#insert(groups, columns, states));
    return writes.map((write) => ({
      inserted: write.batch.times.length,
      updated: 0,
      unchanged: 0,
      unknown: [],
    }));
  }

  /** Writes rows of which some may be there already, or come before others. */
  #lay({ batch, rules }: KnownWrite, stations: ReadonlySet<number>, runs: Run[]): WriteOutcome {
    const outcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [] as number[] };
    const places: RunPlace[] = [];
    const written: Series[] = [];
    const states: KnownState[] = [];
    let at = 0;
    for (const [station, part] of partsByStation(batch)) {
      if (!stations.has(station)) {
        outcome.unknown.push(station);
        continue;
      }
      const known = this.#stateOf(station, runs);
      const { series, ...counts } = this.#layPart(station, part, known.state, rules.get(station) ?? NO_RULES);
      outcome.inserted += counts.inserted;
      outcome.updated += counts.updated;
      outcome.unchanged += counts.unchanged;
      if (series.times.length === 0) continue;
      known.state.advance(series);
      states.push(known);
      places.push({ station, from: at });
      written.push(series);
      at += series.times.length;
    }
    if (at > 0) runs.push(this.#insert(places, concatenate(written), states));
    return outcome;
  }

  #layPart(
    station: number,
    part: StationPart,
    { lastSeen, tail }: StationState,
    rules: StationRules,
  ): WriteCounts & { series: Series } {
    const { times } = part.series;
    if ((times[0] as number) > lastSeen) {
      return { inserted: times.length, ...part.folded, series: judge(part.series, rules, tail) };
    }
    return this.#overwrite(station, part, rules);
  }

  /** @param states of the stations in `columns`, which have taken them in */
  #insert(places: readonly RunPlace[], columns: Series, states: readonly KnownState[]): Run {
    const blob = encodeRun(places, columns);
    const id = Number(this.#insertRun.run(columns.times.length, blob).lastInsertRowid);
    const run = new Run(id, blob);
    this.#reader.remember(run);
    this.#seen = id;
    for (const known of states) known.revision = id;
    return run;
  }

  /** Rows that may be there already, or come before others: laid over what there is, with the day before to compare with. */
  #overwrite(station: number, added: StationPart, rules: StationRules): WriteCounts & { series: Series } {
    const { times } = added.series;
    const from = (dayOf(times[0] as number) - 1) * DAY;
    const to = (dayOf(times.at(-1) as number) + 1) * DAY;
    const { series: base } = this.#reader.read(station, from, to, undefined, Infinity);
    const { series, touched, ...counts } = writeSeries(base, added, rules);
    return { ...counts, series: pickRows(series, touched) };
  }

  #stateOf(station: number, runs: readonly Run[]): KnownState {
    let known = this.#states.get(station);
    if (known === undefined) this.#states.set(station, (known = this.#reader.state(station, [...runs])));
    return known;
  }

  #forget(): void {
    this.#states = new Map();
    this.#reader.forget();
    this.#seen = this.#lastRun.get() ?? 0;
  }
}

/** Of two rules for a station the later ones hold. */
function joinedRules(writes: readonly KnownWrite[]): Rules {
  const all = new Set(writes.map(({ rules }) => rules));
  return all.size === 1 ? (writes[0] as KnownWrite).rules : new Map([...all].flatMap((rules) => [...rules]));
}
