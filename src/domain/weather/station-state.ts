import type { DamagedSpan } from './damaged-data.js';
import type { Tail } from './quality-control.js';
import { lowerBound, type Series } from './series.js';
import { isDaily, VARIABLES } from './variables.js';

const SLOTS = Math.max(...VARIABLES.map(({ number }) => number)) + 1;
const FIELDS = 5;

export interface NewestValue {
  readonly time: number;
  readonly value: number;
  readonly flags: number;
}

/** The newest value of each variable of a station. */
export interface Newest {
  /** `Station.number`. */
  readonly station: number;
  /** Time of the newest row, or null for a station without rows. */
  readonly lastSeen: number | null;
  readonly values: ReadonlyMap<number, NewestValue>;
  /** Calls `visit` for each value, in order of the numbers of the variables. Unlike `values`, `each` creates no objects. */
  readonly each: (visit: (variable: number, time: number, value: number, flags: number) => void) => void;
  /** Changes with every write that changes data of the station, and when data become damaged or readable again. */
  readonly revision: string;
  /**
   * Time of the first damaged observation, if the newest row may be damaged. Then `lastSeen` is null, and there are no
   * values.
   */
  readonly hiddenSince?: number;
}

/**
 * The state of a station: the time of its newest row, and two values of each variable. One is the newest value. The other is the
 * newest value that passed quality control. With the state, these values are known without reading the history. The state is
 * stored as one array of numbers.
 */
export class StationState {
  readonly #data: Float64Array;
  readonly tail: Tail;

  /**
   * @param stored the stored `data` of a state. The array is shorter if it was stored when the catalog of variables was shorter.
   */
  constructor(stored?: Float64Array) {
    this.#data = new Float64Array(1 + FIELDS * SLOTS).fill(-Infinity);
    const slots = stored === undefined ? 0 : (stored.length - 1) / FIELDS;
    if (stored !== undefined) {
      this.#data[0] = stored[0] as number;
      for (let field = 0; field < FIELDS; field += 1) {
        this.#data.set(stored.subarray(1 + field * slots, 1 + (field + 1) * slots), 1 + field * SLOTS);
      }
    }
    // `tail` contains the last passed value of each variable and its time, as two views (`subarray`) of the array. All other
    // numbers are read by their index in the array and need no view. This saves memory, because thousands of states are in
    // memory.
    const tail = this.#data.subarray(1 + 3 * SLOTS, 1 + 4 * SLOTS);
    this.tail = { times: tail, values: this.#data.subarray(1 + 4 * SLOTS) };
  }

  get data(): Float64Array {
    return this.#data;
  }

  /** Time of the newest row; -Infinity without rows. */
  get lastSeen(): number {
    return this.#data[0] as number;
  }

  /** Numbers of the variables with a value, in ascending order. */
  variables(): number[] {
    return Array.from({ length: SLOTS }, (_, variable) => variable).filter(
      (variable) => this.#data[1 + variable] !== -Infinity,
    );
  }

  /** Describes the newest values. The result reflects later changes of the state. */
  describe(station: number, revision: number | string, damaged?: DamagedSpan): Newest {
    return new SnapshotState(this.#data, station, revision, damaged);
  }

  /** Updates the state with rows that were written or rechecked. */
  advance(series: Series): void {
    this.advanceRows(series, 0, series.times.length);
  }

  /** Updates the state with the rows from `from` to `to` (not included), which must belong to this station. */
  advanceRows({ times, values, flags }: Series, from: number, to: number): void {
    if (from === to) return;
    const data = this.#data;
    const tail = this.tail;
    data[0] = Math.max(this.lastSeen, times[to - 1] as number);
    for (const [variable, column] of entriesOf(values)) {
      const bytes = flags.size === 0 ? undefined : flags.get(variable);
      let row = to - 1;
      while (row >= from && Number.isNaN(column[row])) row -= 1;
      if (row >= from && (times[row] as number) >= (data[1 + variable] as number)) {
        data[1 + variable] = times[row] as number;
        data[1 + SLOTS + variable] = column[row] as number;
        data[1 + 2 * SLOTS + variable] = bytes?.[row] ?? 0;
      }
      while (row >= from && (Number.isNaN(column[row]) || (bytes?.[row] ?? 0) !== 0)) row -= 1;
      const lastPassed = tail.times[variable] as number;
      if (row >= from && (times[row] as number) >= lastPassed) {
        tail.times[variable] = times[row] as number;
        tail.values[variable] = column[row] as number;
      } else if (lastPassed <= (times[to - 1] as number)) {
        const own = lowerBound(times, lastPassed, from, to);
        if (times[own] !== lastPassed || Number.isNaN(column[own])) continue;
        // The last passed value was replaced by one that is flagged. The last passed value is then an earlier one, which may be in
        // a stored row that is not among these rows.
        tail.values[variable] = Number.NaN;
      }
    }
  }
}

/**
 * Caches the columns of a map as an array, because an array is faster to iterate than a map. The columns of a batch are iterated
 * once for each station of the batch.
 */
const ENTRIES = new WeakMap<Series['values'], readonly (readonly [number, Float64Array])[]>();

function entriesOf(values: Series['values']): readonly (readonly [number, Float64Array])[] {
  let entries = ENTRIES.get(values);
  if (entries?.length !== values.size) ENTRIES.set(values, (entries = [...values]));
  return entries;
}

/**
 * Length of the part of `StationState.data` with the newest values. The other part has the last values that passed quality
 * control. The step check compares the next values with them.
 */
export const DESCRIBED = 1 + 3 * SLOTS;

const DAILY_SLOTS = Array.from({ length: SLOTS }, (_, variable) => variable).filter(isDaily);

/**
 * The newest values of a station whose reports and daily values have a state each, in the form of `StationState.data`, without
 * the last passed values. The newest row is the newest report. Only a station without reports has a newest row of daily values.
 */
export function joinStates(reports: StationState, days: StationState): Float64Array {
  const joined = reports.data.slice(0, DESCRIBED);
  if (reports.lastSeen === -Infinity) joined[0] = days.lastSeen;
  for (let begin = 1; begin < DESCRIBED; begin += SLOTS)
    for (const slot of DAILY_SLOTS) joined[begin + slot] = days.data[begin + slot] as number;
  return joined;
}

/** The newest values of a station, read from the data of a `StationState`. Objects are created only on request. */
export class SnapshotState implements Newest {
  readonly station: number;
  readonly lastSeen: number | null;
  readonly revision: string;
  declare readonly hiddenSince?: number;
  readonly #data: Float64Array;
  /** Values at or before this time are omitted. */
  readonly #until: number;
  #values: ReadonlyMap<number, NewestValue> | undefined;

  /**
   * @param data the first `DESCRIBED` numbers of `StationState.data`, or more
   * @param damaged times of observations that cannot be read. A value is omitted if it is not later than the last of these times:
   *   one of the unreadable observations may be newer than the value.
   */
  constructor(data: Float64Array, station: number, revision: number | string, damaged?: DamagedSpan) {
    const seen = data[0] as number;
    this.#data = data;
    this.#until = damaged?.last ?? -Infinity;
    this.station = station;
    this.lastSeen = seen > this.#until ? seen : null;
    this.revision = String(revision);
    if (damaged !== undefined && this.lastSeen === null) this.hiddenSince = damaged.first;
  }

  get values(): ReadonlyMap<number, NewestValue> {
    if (this.#values === undefined) {
      const values = new Map<number, NewestValue>();
      this.each((variable, time, value, flags) => values.set(variable, { time, value, flags }));
      this.#values = values;
    }
    return this.#values;
  }

  each(visit: (variable: number, time: number, value: number, flags: number) => void): void {
    const data = this.#data;
    for (let variable = 0; variable < SLOTS; variable += 1) {
      const time = data[1 + variable] as number;
      if (time <= this.#until) continue;
      visit(variable, time, data[1 + SLOTS + variable] as number, data[1 + 2 * SLOTS + variable] as number);
    }
  }
}
