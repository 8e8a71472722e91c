import type { Database } from 'better-sqlite3';
import type { EraseRange, EraseStep } from '../../../application/ports/observation-store.js';
import { MILLISECONDS } from '../../../domain/time.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { concatenate } from '../../../domain/weather/merge-series.js';
import type { StationRules } from '../../../domain/weather/quality/station-rules.js';
import { lowerBound, sliceSeries } from '../../../domain/weather/series.js';
import { eraseValues } from '../../../domain/weather/undo/erase-values.js';
import { dayOf, dayOfKey } from '../../formats/packed/chunk-key.js';
import type { ChunkWriter } from './chunk-writer.js';
import { keysOf } from './key-range.js';
import type { ObservationReader } from './observation-reader.js';
import { StateRebuilder } from './state-rebuilder.js';
import type { StationStates } from '../../packed-store/station-states.js';
import { monthKeeper } from '../day-tables/removed-months.js';
import type { DayTables } from '../day-tables/day-table-operations.js';
import { expireStates } from './newest-table.js';

/** Number of rows of a station of which values are erased at once. Whole days are taken until there are so many. */
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
  readonly #chunks: ChunkWriter;
  readonly #dayTables: DayTables;
  readonly #rebuilder: StateRebuilder;
  readonly #keys;
  readonly #keepMonths;

  constructor(
    database: Database,
    reader: ObservationReader,
    states: StationStates,
    chunks: ChunkWriter,
    dayTables: DayTables,
  ) {
    this.#database = database;
    this.#reader = reader;
    this.#states = states;
    this.#chunks = chunks;
    this.#dayTables = dayTables;
    this.#rebuilder = new StateRebuilder(database, reader);
    this.#keepMonths = monthKeeper(database);
    this.#keys = database
      .prepare<[number, number], number>(
        // The rows before a day are fewer than the largest number.
        `SELECT key FROM (
           SELECT key, rows, sum(rows) OVER (ORDER BY key) AS total FROM
             (SELECT key, rows FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 366))
         WHERE total - rows < ${ROWS_AT_ONCE} ORDER BY key`,
      )
      .pluck();
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
    const keys = this.#keys.all(...keysOf(station, from, to));
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    // Rows of the day before and of the day after are needed to judge.
    const [firstDay, lastDay] = [dayOfKey(first), dayOfKey(last)];
    const end = Math.min(to, (lastDay + 1) * MILLISECONDS.day);
    const days = [...new Set([firstDay - 1, ...keys.map(dayOfKey), lastDay + 1])];
    const stored = days.map((day) => this.#reader.readChunk(station, day));
    const all = concatenate(stored.filter((series) => series !== undefined));
    const { series, touched, removed, takenBack, span } = eraseValues(all, { ...range, to: end }, rules);
    if (span !== undefined) {
      for (const day of days) {
        const [midnight, next] = [day * MILLISECONDS.day, (day + 1) * MILLISECONDS.day];
        const [start, stop] = [lowerBound(series.times, midnight), lowerBound(series.times, next)];
        const hasRemoved = lowerBound(removed, midnight) < lowerBound(removed, next);
        if (hasRemoved || touched.subarray(start, stop).includes(1))
          this.#chunks.put(station, day, sliceSeries(series, start, stop));
      }
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
