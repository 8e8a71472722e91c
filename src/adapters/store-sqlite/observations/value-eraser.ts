import type { Database } from 'better-sqlite3';
import type { EraseRange, EraseStep } from '#application/ports/observation-store.js';
import { MILLISECONDS } from '#domain/time.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';
import { dayOf, dayOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { ObservationReader } from './observation-reader.js';
import { StateRebuilder } from './state-rebuilder.js';
import { replaceDays, type StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import type { StationStates } from '#adapters/packed-store/station-states.js';
import { changedDays } from '#adapters/packed-store/undo-days.js';
import { monthKeeper } from '../day-tables/removed-months.js';
import type { DayTables } from '../day-tables/day-table-operations.js';
import { expireStates } from './newest-table.js';

/** Number of rows of a station of which values are erased at once. Whole chunks are taken until there are so many. */
const ROWS_AT_ONCE = 16_384;

/** What was erased of a station. */
interface Erased {
  rows: number;
  /** Number of rows that no longer exist. */
  removed: number;
  values: number;
  readonly spans: (readonly [from: number, to: number])[];
}

/** Erases values in chunks. A run cannot remove a value, so all runs must have been merged. */
export class ValueEraser {
  readonly #database: Database;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #chunks: StationChunks;
  readonly #dayTables: DayTables;
  readonly #rebuilder: StateRebuilder;
  readonly #oldest;
  readonly #keepMonths;

  constructor(
    database: Database,
    reader: ObservationReader,
    states: StationStates,
    chunks: StationChunks,
    dayTables: DayTables,
  ) {
    this.#database = database;
    this.#reader = reader;
    this.#states = states;
    this.#chunks = chunks;
    this.#dayTables = dayTables;
    this.#rebuilder = new StateRebuilder(database, reader);
    this.#keepMonths = monthKeeper(database);
    this.#oldest = database.prepare<[number, number], { key: number; days: number }>(
      // The rows before a chunk are fewer than the largest number.
      `SELECT key, days FROM (
         SELECT key, days, rows, sum(rows) OVER (ORDER BY key) AS total FROM
           (SELECT key, days, rows FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 366))
       WHERE total - rows < ${ROWS_AT_ONCE} ORDER BY key`,
    );
  }

  /**
   * Erases some of the values within the transaction of the caller, in which no runs exist.
   *
   * @param rules those of all stations that exist
   * @param until the time, as `performance.now` returns it, after which nothing further is begun
   */
  run(ranges: readonly EraseRange[], rules: ReadonlyMap<number, StationRules>, until: number): EraseStep {
    const rest = [...ranges];
    const erased = new Map<number, Erased>();
    for (let range = rest.shift(); range !== undefined; range = rest.shift()) {
      const own = rules.get(range.station);
      const from = own === undefined ? undefined : this.#eraseSome(range, own, erased);
      if (from !== undefined) rest.unshift({ ...range, from });
      if (performance.now() > until) break;
    }
    const counts = [...erased].map(([station, { rows, values }]) => ({ station, rows, values }));
    return { rest, erased: counts, changes: this.#finish(erased) };
  }

  /** @returns the time from which on the rest of the range begins; undefined at its end */
  #eraseSome(range: EraseRange, rules: StationRules, erased: Map<number, Erased>): number | undefined {
    const { station, from, to } = range;
    if (from >= to) return undefined;
    if (range.isExpiry === true && !this.#keepMonths(station, from, to)) return undefined;
    const chunks = this.#oldest.all(...this.#reader.chunks.keysOf(station, from, to));
    const [first, last] = [chunks[0], chunks.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const [firstDay, endDay] = [dayOfKey(first.key), dayOfKey(last.key) + last.days];
    const end = Math.min(to, endDay * MILLISECONDS.day);
    // Rows of the day before and of the day after are needed to judge.
    const all = this.#reader.readDays(station, firstDay - 1, endDay);
    const reverted = eraseValues(all, { ...range, to: end }, rules);
    const { removed, takenBack, span } = reverted;
    if (span !== undefined) {
      replaceDays(this.#chunks, station, changedDays(reverted));
      const total = erased.get(station) ?? { rows: 0, removed: 0, values: 0, spans: [] };
      erased.set(station, total);
      total.rows += takenBack.rows;
      total.removed += removed.length;
      total.values += takenBack.values;
      total.spans.push(span);
      if (range.isExpiry !== true) this.#dayTables.drop(station, ...span);
    }
    return end < to && dayOf(end) <= dayOf(to - 1) ? end : undefined;
  }

  /** Writes the states of the stations. */
  #finish(erased: ReadonlyMap<number, Erased>): EraseStep['changes'] {
    const changed = new ChangedRows();
    if (erased.size === 0) return changed.changes;
    const runs = this.#reader.snapshot();
    const revision = expireStates(this.#database);
    for (const [station, one] of erased) {
      const before = this.#states.of(station, runs);
      this.#states.save(station, this.#rebuilder.rebuild(station, before, one, revision));
      for (const [from, to] of one.spans) {
        changed.add(station, from, to, revision);
      }
    }
    return changed.changes;
  }
}
