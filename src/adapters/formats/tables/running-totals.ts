import { converter } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { CounterColumn } from '../files/file-plan.js';
import { RunningCounter } from './rain-counter.js';
import type { FileFault } from './read-notes.js';
import type { RowColumns } from './row-columns.js';

interface Total {
  readonly plan: CounterColumn;
  /** Index of the output column. */
  readonly output: number;
}

/** Counters by heading, unit and station. */
export type Counters = Map<string, RunningCounter>;

/**
 * Replaces the readings of running totals by the amounts between them. Such a reading is called a level. Example: the levels 10,
 * 10.2 and 10.6 mm of three rows become: no amount, 0.2 mm and 0.4 mm.
 */
export class RunningTotals {
  readonly #totals: readonly Total[];
  readonly #dateOf: (time: number, station: string) => string;
  readonly #counters: Counters;
  /** Keys (heading, unit and station) of the counters that have had a reading in this file. */
  readonly #begun = new Set<string>();
  /**
   * For each running total, the counter that was used for the previous row. A counter (`RunningCounter`) calculates the amounts
   * of one running total at one station. The counter is looked up again only if the station changes, because most files have the
   * rows of a station together.
   */
  readonly #current = new Map<Total, { readonly station: string; readonly counter: RunningCounter }>();

  /**
   * @param dateOf the local date at a station: `2024-02-29`
   * @param counters counters of the previous file (see `RunningCounter`), which have the last reading of each running total. A
   *   counter is used again if its last reading is older than the first reading of its station in this file
   */
  constructor(
    totals: readonly Total[],
    dateOf: (time: number, station: string) => string,
    counters: Counters = new Map(),
  ) {
    this.#totals = totals;
    this.#dateOf = dateOf;
    this.#counters = counters;
  }

  get isEmpty(): boolean {
    return this.#totals.length === 0;
  }

  /** Replaces the levels (readings of running totals) of the next row by amounts, in a file with the oldest row first. */
  count(rows: RowColumns, row: number): FileFault[] {
    const [station, time] = [rows.stations[row] as string, rows.times[row] as number];
    const faults: FileFault[] = [];
    for (const total of this.#totals) {
      const { plan, output } = total;
      const values = rows.values[output] as Float64Array;
      const level = values[row] as number;
      if (Number.isNaN(level)) continue;
      const counter = this.#current.get(total);
      const own = counter?.station === station ? counter.counter : this.#counterOf(total, station, time);
      const { value, fault } = own.next(time, level);
      values[row] = value;
      const line = rows.lines[row] as number;
      if (fault !== undefined) faults.push({ line, column: plan.heading, reasons: [fault], lost: 'cell' });
    }
    return faults;
  }

  /**
   * Replaces the levels (readings of running totals) by amounts, in a file with the newest row first. `rows` are the rows of a
   * chunk, which are read together. The function starts at the last row, which is the oldest row of the chunk.
   *
   * @param kept number of rows at the end that keep their levels. Their amounts depend on earlier readings, which are in the next
   *   chunk
   */
  countBackwards(rows: RowColumns, kept: number): FileFault[] {
    const levels = this.#totals.map(({ output }) =>
      (rows.values[output] as Float64Array).slice(rows.length - kept, rows.length),
    );
    this.#counters.clear();
    this.#current.clear();
    const faults: FileFault[] = [];
    for (let row = rows.length - 1; row >= 0; row -= 1) {
      const rowFaults = this.count(rows, row);
      if (row < rows.length - kept) faults.push(...rowFaults);
    }
    for (const [index, { output }] of this.#totals.entries()) {
      (rows.values[output] as Float64Array).set(levels[index] as Float64Array, rows.length - kept);
    }
    return faults;
  }

  #counterOf(total: Total, station: string, time: number): RunningCounter {
    const counter = this.#findCounter(total.plan, station, time);
    this.#current.set(total, { station, counter });
    return counter;
  }

  #findCounter(plan: CounterColumn, station: string, time: number): RunningCounter {
    const key = [plan.heading, plan.unit, station].join('\n');
    const known = this.#counters.get(key);
    if (known !== undefined && (this.#begun.has(key) || known.time < time)) {
      this.#begun.add(key);
      return known;
    }
    const variable = variableNamed(plan.variable);
    const perMillimeter = variable === undefined ? 1 : converter(variable, plan.unit, 'unit')(1);
    const counter = new RunningCounter(plan.resets, perMillimeter, (at) => this.#dateOf(at, station));
    this.#counters.set(key, counter);
    this.#begun.add(key);
    return counter;
  }
}
