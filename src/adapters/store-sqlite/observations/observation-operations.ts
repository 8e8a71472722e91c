import type { Database } from 'better-sqlite3';
import type { ObservationWrite, WriteResult } from '../../../application/ports/observation-store.js';
import { rulesOf, type StationRules } from '../../../domain/weather/quality-control.js';
import type { Station } from '../../../domain/weather/station.js';
import { dayOf } from '../../formats/packed/chunk-key.js';
import { type Damage, Quarantine } from '../damage/damage.js';
import { discardDamaged } from '../damage/discard-damaged.js';
import { fillTotals } from '../database/fill-totals.js';
import { ObservationReader, type Snapshot } from './observation-reader.js';
import { type MergePlace, RunMerger } from './run-merger.js';
import { RunWriter } from './run-writer.js';
import { StationStates } from './station-states.js';

/** Runs are merged into chunks when there are so many of them, or so many rows in them. */
const MAX_RUNS = 64;
const MAX_ROWS = 150_000;
/** Writes that may be unfinished; beyond it the oldest is given up, as its caller has done. */
const MAX_UNFINISHED = 64;
/** Milliseconds for which merging may delay other operations. */
const MERGE_SLICE = 50;
/**
 * Milliseconds after which a write of many late rows commits what it has, and lets others go first before it goes on. Far
 * below the time after which callers are told that the store does not answer.
 */
const WRITE_SLICE = 1000;

export interface Written {
  /** Undefined while the write is not done: `continueWrite` continues it, by its number. */
  readonly result: WriteResult | undefined;
  readonly number: number;
  /** Whether the runs should be merged. */
  readonly due: boolean;
}

/**
 * The statements behind the writing half of SqliteObservationStore; they run in the thread that owns the data file. A write
 * is one blob and one commit; chunks are made of many writes at once, since rewriting one for every row costs a hundred
 * times as much.
 *
 * @param writeSlice as `WRITE_SLICE`
 * @param mergeSlice as `MERGE_SLICE`
 */
export function observationOperations(
  database: Database,
  writeSlice = WRITE_SLICE,
  mergeSlice = MERGE_SLICE,
) {
  fillTotals(database);
  const writer = new ObservationWriter(database, writeSlice);
  return {
    writeObservations: (writes: readonly ObservationWrite[]) => writer.write(writes),
    continueWrite: (number: number) => writer.continue(number),
    /** A part of it: how far it has come, undefined when there is no more to do. */
    mergeRuns: () => writer.merge(mergeSlice),
    mergeAllRuns: () => writer.mergeAll(),
    putAside: (damage: Damage) => writer.putAside(damage),
    discardDamaged: () => writer.discardDamaged(),
  };
}

class ObservationWriter {
  readonly #database: Database;
  readonly #writeSlice: number;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #merger: RunMerger;
  readonly #quarantine: Quarantine;
  readonly #insertRun;
  readonly #rules;
  /** Writes that are not done, by their number. */
  readonly #unfinished = new Map<number, RunWriter>();
  #count = 0;
  /** Milliseconds that writing has taken since the last merge. */
  #spent = 0;

  constructor(database: Database, writeSlice: number) {
    this.#database = database;
    this.#writeSlice = writeSlice;
    this.#quarantine = new Quarantine(database);
    this.#reader = new ObservationReader(database, (damage) => this.#quarantine.add(damage));
    this.#states = new StationStates(database);
    this.#merger = new RunMerger(database, this.#reader, this.#states, this.#quarantine);
    this.#insertRun = database.prepare('INSERT INTO run (rows, first, last, data) VALUES (?, ?, ?, ?)');
    this.#rules = stationRules(database);
  }

  write(writes: readonly ObservationWrite[]): Written {
    const writer = new RunWriter(writes, this.#reader, this.#states, (rows, range, blob) =>
      Number(this.#insertRun.run(rows, range.first, range.last, blob).lastInsertRowid),
    );
    this.#count += 1;
    this.#unfinished.set(this.#count, writer);
    const [oldest] = this.#unfinished.keys();
    if (oldest !== undefined && this.#unfinished.size > MAX_UNFINISHED) this.#unfinished.delete(oldest);
    return this.continue(this.#count);
  }

  /** Goes on with a write that is not done. */
  continue(number: number): Written {
    const writer = this.#unfinished.get(number);
    if (writer === undefined) throw new Error('this write has been given up');
    // Set again below if the write is not done. A write that fails is given up.
    this.#unfinished.delete(number);
    const began = performance.now();
    try {
      this.#catchUp();
      const written = this.#inTransaction(() => {
        const runs = this.#reader.snapshot();
        const isDone = writer.run(runs, this.#rules(), performance.now() + this.#writeSlice);
        return { result: isDone ? writer.result : undefined, number, due: load(runs) >= 1 };
      });
      if (written.result === undefined) this.#unfinished.set(number, writer);
      return written;
    } finally {
      this.#spent += performance.now() - began;
    }
  }

  /** As `RunMerger.merge`, in a transaction of its own. */
  merge(patience: number): MergePlace | undefined {
    this.#spent = 0;
    return this.#inTransaction(() => this.#merger.merge(patience));
  }

  /** Until no run is left. */
  mergeAll(): void {
    while (this.merge(Infinity) || this.#reader.snapshot().all.length > 0);
  }

  /** Puts a damaged blob aside, unless it has been replaced by a sound one meanwhile. */
  putAside({ kind, stations, first }: Damage): void {
    this.#inTransaction(() => {
      if (kind === 'chunk') this.#reader.readChunk(stations?.[0] ?? 0, dayOf(first));
      else
        for (const damage of this.#reader.snapshot().damage)
          if (damage.kind === 'run') this.#quarantine.add(damage);
    });
  }

  /**
   * Deletes what has been put aside, and makes the states of its stations anew from what is left. Nothing may be in runs that
   * has not been merged.
   */
  discardDamaged(): void {
    this.#inTransaction(() => discardDamaged(this.#database, this.#reader, this.#states));
    this.#states.forget();
  }

  /** Merges as long as has been written, where merging has fallen behind: every late row has to look at all runs. */
  #catchUp(): void {
    if (this.#spent > MERGE_SLICE && load(this.#reader.snapshot()) >= 2) this.merge(this.#spent);
  }

  #inTransaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      // The states may include rows of the transaction that was rolled back.
      this.#merger.forget();
      this.#states.forget();
      throw error;
    }
  }
}

/** How much there is to merge: 1 where it should be done, 2 where it must. */
function load({ all }: Snapshot): number {
  const rows = all.reduce((sum, run) => sum + run.rows, 0);
  return Math.max(all.length / MAX_RUNS, rows / MAX_ROWS);
}

/** The rules of every station, read anew when a station has been changed. A station that is not in it does not exist. */
function stationRules(database: Database): () => ReadonlyMap<number, StationRules> {
  const version = database.prepare<[], number>('SELECT version FROM station_version').pluck();
  const select = database.prepare<[], { number: number; limits: string; reporting_interval: number | null }>(
    'SELECT number, limits, reporting_interval FROM station',
  );
  let known: { readonly version: number | undefined; readonly rules: Map<number, StationRules> } | undefined;
  return () => {
    const current = version.get();
    if (known?.version === current) return known?.rules as ReadonlyMap<number, StationRules>;
    const rules = new Map(
      select.all().map(({ number, limits, reporting_interval: reportingInterval }) => {
        return [
          number,
          rulesOf({ limits: JSON.parse(limits) as Station['limits'], reportingInterval }),
        ] as const;
      }),
    );
    known = { version: current, rules };
    return rules;
  };
}
