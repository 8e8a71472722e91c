import type { Database } from 'better-sqlite3';
import type {
  LockedState,
  NewRun,
  ObservationTables,
  OpenChunks,
  TimeSpan,
} from '#adapters/store/observations/tables.js';
import { dayOfKey } from '#adapters/formats/packed/chunk-key.js';
import {
  type CountedChunk,
  OLDEST_CHUNKS,
  type OldestChunks,
  selectOldest,
} from '#adapters/packed-store/chunks/chunk-days.js';
import { type Damage, lossesOf } from '#adapters/packed-store/damage.js';
import { joinedState } from '#adapters/packed-store/days/joined-states.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import type { CachedState, StationStates } from '#adapters/packed-store/station-states.js';
import type { RunTable } from '#adapters/packed-store/write-target.js';
import { damagedReads, type Quarantine } from '../damage/quarantine.js';
import type { DailyAggregateTables } from '../daily-aggregates/daily-aggregate-operations.js';
import { monthKeeper } from '../daily-aggregates/month-keeper.js';
import { allKeysOf } from './key-range.js';
import { expireStates } from './newest-table.js';
import { ALL_STATIONS, type ObservationReader } from './observation-reader.js';

/**
 * Minimum number of rows of a station whose values are erased in one step. A step reads whole chunks, which are blobs with the
 * rows of some days, until they have this number of rows.
 */
const ERASED_ROWS = 16_384;
/**
 * Maximum number of stations for which one transaction adds recheck requests. Such a request asks quality control to check stored
 * rows again. The transaction takes some ten milliseconds.
 */
const REQUESTED_AT_ONCE = 2000;

/** The objects and functions of the writer of observations that `SqliteObservationTables` uses. */
export interface WriterTools {
  readonly reader: ObservationReader;
  readonly states: StationStates;
  readonly chunks: OpenChunks;
  readonly dailyAggregates: DailyAggregateTables;
  readonly quarantine: Quarantine;
  readonly runs: RunTable;
  readonly rules: () => Rules;
  /** Moves all new rows into chunks, which are blobs with the rows of one station, within the transaction of the caller. */
  readonly mergeAll: () => void;
}

/**
 * The tables of observations, within transactions of the caller. Rows are in chunks, which are blobs with the rows of one station
 * and some days. A chunk is read when it is needed, and a changed chunk is stored at once.
 */
export class SqliteObservationTables implements ObservationTables {
  readonly #database: Database;
  readonly #tools: WriterTools;
  readonly keepMonths;
  readonly #oldest;
  readonly #range;
  readonly #newestWith;
  readonly #stored;
  readonly #written;
  /**
   * Id of the newest run (a blob with rows of one commit) at the time when `uncheckedStates` last finished its search for
   * stations with unchecked rows. If there is no newer run, `uncheckedStates` does not search again. Undefined before the first
   * search has finished.
   */
  #requested: number | undefined;
  #slice = 0;
  /**
   * Time of `performance.now` after which the transaction must commit. `settle` sets it after it has moved all new rows into
   * chunks, which are blobs with the rows of one station. Undefined before, because there is no time limit for moving the rows.
   */
  #until: number | undefined;

  constructor(database: Database, tools: WriterTools) {
    this.#database = database;
    this.#tools = tools;
    this.keepMonths = monthKeeper(database);
    this.#stored = database.prepare<[], number>('SELECT station FROM newest').pluck();
    this.#written = database
      .prepare<[], number>('SELECT station FROM newest WHERE unjudged_from IS NOT NULL')
      .pluck();
    this.#oldest = database.prepare<[number, number], Omit<CountedChunk, 'day'> & { key: number }>(
      `SELECT key, days, rows FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ${OLDEST_CHUNKS}`,
    );
    this.#range = database.prepare<[number, number], { first: number | null; last: number | null }>(
      'SELECT min(key) AS first, max(key) AS last FROM chunk WHERE key BETWEEN ? AND ?',
    );
    this.#newestWith = database
      .prepare<[number, number, number], number>(
        'SELECT key FROM chunk WHERE key BETWEEN ? AND ? AND variables & ? ORDER BY key DESC LIMIT 1',
      )
      .pluck();
  }

  /**
   * Begins a transaction.
   *
   * @param slice milliseconds after which the transaction must commit. The time in which `settle` moves new rows into their
   *   final blobs is not counted
   */
  begin(slice: number): void {
    this.#slice = slice;
    this.#until = undefined;
  }

  mustCommit(): boolean {
    return performance.now() > (this.#until ?? Infinity);
  }

  /**
   * Moves all new rows out of runs (blobs with rows of one commit) into chunks (blobs with the rows of one station). The rows of
   * all stations are moved, because a run may have rows of any station. No lock is needed, because SQLite has one writer at a
   * time.
   */
  settle(): Rules {
    if (this.#until === undefined) this.#tools.mergeAll();
    this.#until ??= performance.now() + this.#slice;
    return this.#tools.rules();
  }

  oldestChunks(station: number, from: number, to: number): OldestChunks {
    const found = this.#oldest.all(...this.#tools.reader.chunks.keysOf(station, from, to));
    return selectOldest(
      found.map(({ key, ...chunk }) => ({ ...chunk, day: dayOfKey(key) })),
      ERASED_ROWS,
    );
  }

  openDays(): OpenChunks {
    return this.#tools.chunks;
  }

  storeDays(): void {
    // Nothing to do, because each chunk (a blob with the rows of some days) was stored when it was changed.
  }

  stateDays(variables: ReadonlyMap<number, readonly number[]>): Map<number, number[]> {
    const days = new Map<number, number[]>();
    for (const [station, own] of variables) {
      const bounds = allKeysOf(station);
      const { first = null, last = null } = this.#range.get(...bounds) ?? {};
      if (first === null || last === null) continue;
      const newest = own.flatMap((variable) => this.#newestWith.get(...bounds, 2 ** variable) ?? []);
      days.set(station, [first, last - 1, last, ...newest].map(dayOfKey));
    }
    return days;
  }

  states(stations: readonly number[]): Map<number, CachedState> {
    const runs = this.#tools.reader.snapshot();
    return new Map(stations.map((station) => [station, this.#tools.states.of(station, runs)]));
  }

  putStates(states: ReadonlyMap<number, CachedState>): void {
    for (const [station, state] of states) this.#tools.states.save(station, state);
  }

  newRevisions(stations: readonly number[]): Map<number, number> {
    const revision = expireStates(this.#database);
    return new Map(stations.map((station) => [station, revision]));
  }

  chunkStarts(station: number): number[] {
    return this.#tools.reader.lists.found(station).map(({ day }) => day);
  }

  /**
   * Moves damaged blobs to the table `damaged`. Before a blob is moved, it is read again, because an intact blob may have
   * replaced the damaged blob in the meantime.
   */
  putAside(damage: readonly Damage[]): void {
    const { reader, quarantine } = this.#tools;
    const add = (one: Damage) => quarantine.add(one);
    for (const { kind, key, stations } of damage) {
      if (kind === 'list') reader.lists.repair(key);
      else if (kind === 'chunk') reader.readChunk(stations?.[0] ?? 0, dayOfKey(key));
      else if (kind === 'block') reader.blocks.check(key, add);
      else for (const one of reader.snapshot().damage) if (one.kind === 'run') add(one);
    }
  }

  discardAside(): number[] {
    const damage = damagedReads(this.#database).damage();
    const isUnknown = damage.some(({ stations }) => stations === null);
    const lost = new Set(isUnknown ? this.#stored.all() : damage.flatMap(({ stations }) => stations ?? []));
    this.#database.exec('DELETE FROM damaged');
    for (const station of lost) this.#tools.reader.lists.repair(station);
    return [...lost];
  }

  rebuildLists(stations: readonly number[]): void {
    for (const station of stations) this.#tools.reader.lists.rebuild(station);
  }

  uncheckedStates(): Map<number, CachedState> {
    const { reader, states } = this.#tools;
    const found = new Map<number, CachedState>();
    const runs = reader.snapshot();
    if (runs.last === this.#requested) return found;
    const candidates = new Set(this.#written.all());
    for (const run of runs.all) for (const station of run.stations) candidates.add(station);
    for (const station of candidates) {
      const state = states.of(station, runs);
      if (state.uncheckedFrom > state.uncheckedTo) continue;
      found.set(station, state);
      if (found.size === REQUESTED_AT_ONCE) return found;
    }
    this.#requested = runs.last;
    return found;
  }

  lockState(station: number): LockedState {
    const { reader, states } = this.#tools;
    const runs = reader.snapshot();
    const loss = lossesOf(runs.damage, [station]).get(station);
    return {
      states: joinedState(states, station, runs),
      loss,
      block: ALL_STATIONS,
      last: runs.last,
      isLocked: true,
    };
  }

  insertRun({ block, run, first, last, data }: NewRun): void {
    this.#tools.runs.insert(block, run.id, run.rows, { first, last }, data);
    this.#tools.reader.remember(run);
  }

  dropDailyAggregates(spans: readonly TimeSpan[]): void {
    for (const span of spans) this.#tools.dailyAggregates.drop(...span);
  }
}
