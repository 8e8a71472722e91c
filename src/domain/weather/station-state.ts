import type { Span } from './damaged-data.js';
import type { Tail } from './quality-control.js';
import type { Series } from './series.js';
import { VARIABLES } from './variables.js';

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
  /** Time of the newest row, or null for a station that is silent. */
  readonly lastSeen: number | null;
  readonly values: ReadonlyMap<number, NewestValue>;
  /** Another one after every write that changes something of the station, and after every change of what can be read of it. */
  readonly revision: string;
  /**
   * Time of the first damaged observation, where the newest row may be among damaged ones: `lastSeen` is null then, and there
   * are no values.
   */
  readonly hiddenSince?: number;
}

/**
 * What is known of a station without looking at its history: when it was last seen, the newest value of each variable, and
 * the last that passed. It can be kept as one array of numbers.
 */
export class StationState {
  readonly #data: Float64Array;
  readonly tail: Tail;
  readonly #times: Float64Array;
  readonly #values: Float64Array;
  readonly #flags: Float64Array;

  /** @param kept what `data` was, perhaps when the catalogue was shorter */
  constructor(kept?: Float64Array) {
    this.#data = new Float64Array(1 + FIELDS * SLOTS).fill(-Infinity);
    const slots = kept === undefined ? 0 : (kept.length - 1) / FIELDS;
    if (kept !== undefined) {
      this.#data[0] = kept[0] as number;
      for (let field = 0; field < FIELDS; field += 1) {
        this.#data.set(kept.subarray(1 + field * slots, 1 + (field + 1) * slots), 1 + field * SLOTS);
      }
    }
    const [times, values, flags, tailTimes, tailValues] = Array.from({ length: FIELDS }, (_, field) =>
      this.#data.subarray(1 + field * SLOTS, 1 + (field + 1) * SLOTS),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
    [this.#times, this.#values, this.#flags] = [times, values, flags];
    this.tail = { times: tailTimes, values: tailValues };
  }

  get data(): Float64Array {
    return this.#data;
  }

  /** Time of the newest row; -Infinity when there is none. */
  get lastSeen(): number {
    return this.#data[0] as number;
  }

  /** Numbers of the variables that have a value, rising. */
  variables(): number[] {
    return Array.from(this.#times.keys()).filter((variable) => this.#times[variable] !== -Infinity);
  }

  /**
   * For whoever asks what is newest.
   *
   * @param damaged times of observations that cannot be read: what is not newer than they are is left out, since it may not be
   *   the newest
   */
  describe(station: number, revision: number | string, damaged?: Span): Newest {
    const until = damaged?.last ?? -Infinity;
    const isKnown = this.lastSeen > until;
    const values = new Map<number, NewestValue>();
    for (let variable = 0; variable < SLOTS; variable += 1) {
      const time = this.#times[variable] as number;
      if (time <= until) continue;
      values.set(variable, {
        time,
        value: this.#values[variable] as number,
        flags: this.#flags[variable] as number,
      });
    }
    const newest = {
      station,
      lastSeen: isKnown ? this.lastSeen : null,
      values,
      revision: String(revision),
    };
    return damaged === undefined || isKnown ? newest : { ...newest, hiddenSince: damaged.first };
  }

  /** Takes in rows that have been written, judged. */
  advance(series: Series): void {
    this.advanceRows(series, 0, series.times.length);
  }

  /** The same of the rows from `from` to `to` (not included), which are of this station. */
  advanceRows({ times, values, flags }: Series, from: number, to: number): void {
    if (from === to) return;
    this.#data[0] = Math.max(this.lastSeen, times[to - 1] as number);
    for (const [variable, column] of values) {
      const found = flags.get(variable);
      let row = to - 1;
      while (row >= from && Number.isNaN(column[row])) row -= 1;
      if (row >= from && (times[row] as number) >= (this.#times[variable] as number)) {
        this.#times[variable] = times[row] as number;
        this.#values[variable] = column[row] as number;
        this.#flags[variable] = found?.[row] ?? 0;
      }
      while (row >= from && (Number.isNaN(column[row]) || (found?.[row] ?? 0) !== 0)) row -= 1;
      if (row >= from && (times[row] as number) >= (this.tail.times[variable] as number)) {
        this.tail.times[variable] = times[row] as number;
        this.tail.values[variable] = column[row] as number;
      }
    }
  }
}
