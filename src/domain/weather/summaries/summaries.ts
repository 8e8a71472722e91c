import { Accumulator, type Statistics } from './accumulator.js';
import type { Bucket, BucketSums } from './bucket.js';
import type { StoredDays } from './day-table.js';
import { DirectionMean } from './direction-mean.js';
import { lowerBound, type Series } from '../series.js';
import { V, type Variable, variableNumbered } from '../variables.js';

/** Share of the expected values at which a mean or an extreme counts as complete. A sum needs all of them. */
export const COMPLETE_SHARE = 0.8;

/**
 * Summarises observations over buckets, which must be sorted and must not overlap. A sum (rain) belongs to the interval
 * that ends at its time, so that the rain of midnight counts for the day before:
 *
 *   buckets                  |------- day 1 -------|------- day 2 -------|
 *   rows                     00:00      12:00      00:00      12:00
 *   mean, extremes           day 1      day 1      day 2      day 2
 *   sum                      -          day 1      day 1      day 2
 *
 * Values that did not pass quality control are left out, except with `includeAll`.
 */
export class Summaries {
  readonly #buckets: readonly Bucket[];
  readonly #includeAll: boolean;
  readonly #allVariables: boolean;
  readonly #columns = new Map<number, Accumulator | DirectionMean>();

  /**
   * @param variables numbers; undefined means every variable that has values
   * @param includeAll whether values count that did not pass quality control
   */
  constructor(buckets: readonly Bucket[], variables: readonly number[] | undefined, includeAll: boolean) {
    this.#buckets = buckets;
    this.#includeAll = includeAll;
    this.#allVariables = variables === undefined;
    for (const variable of variables ?? []) this.#addColumn(variable);
  }

  /** The numbers of the summarised variables, in rising order. */
  get variables(): number[] {
    return [...this.#columns.keys()].sort((a, b) => a - b);
  }

  /**
   * Adds observations of one station, in order of time.
   *
   * @param begin the first bucket to which they are added
   * @param end the bucket behind the last one
   */
  add(series: Series, begin = 0, end = this.#buckets.length): void {
    if (series.times.length === 0) return;
    if (this.#allVariables) this.#addColumns(series);
    const instants = this.#rowsOf(series.times, lowerBound, begin, end);
    const amounts = this.#rowsOf(series.times, firstRowAfter, begin, end);
    for (const [number, accumulator] of this.#columns) {
      const values = series.values.get(number);
      if (values === undefined) continue;
      const { aggregation } = variableNumbered(number);
      const flags = this.#includeAll ? undefined : series.flags.get(number);
      const speeds = accumulator instanceof DirectionMean ? this.#speeds(series) : undefined;
      const rows = aggregation === 'sum' ? amounts : instants;
      for (const [place, from] of rows.starts.entries()) {
        const [index, to] = [rows.first + place, rows.ends[place] as number];
        if (from >= to) continue;
        if (accumulator instanceof Accumulator) {
          accumulator.add(index, series.times, values, flags, from, to);
          continue;
        }
        for (let row = from; row < to; row += 1) {
          const value = values[row] as number;
          if (Number.isNaN(value) || (flags !== undefined && flags[row] !== 0)) continue;
          accumulator.add(index, value, speeds?.[row] ?? Number.NaN);
        }
      }
    }
  }

  #addColumns({ values }: Series): void {
    for (const [variable, column] of values) {
      if (this.#columns.has(variable) || column.every(Number.isNaN)) continue;
      this.#addColumn(variable);
    }
  }

  #addColumn(variable: number): void {
    const Kind = variableNumbered(variable).aggregation === 'direction' ? DirectionMean : Accumulator;
    this.#columns.set(variable, new Kind(this.#buckets.length));
  }

  /** The wind speed of each row. A speed that did not pass quality control is unknown (NaN). */
  #speeds({ times, values, flags }: Series): Float64Array {
    const speeds = values.get(V.windSpeed);
    if (speeds === undefined) return new Float64Array(times.length).fill(Number.NaN);
    const failed = this.#includeAll ? undefined : flags.get(V.windSpeed);
    return failed === undefined
      ? speeds
      : speeds.map((speed, row) => (failed[row] === 0 ? speed : Number.NaN));
  }

  /** The rows of each bucket from `begin` to `end`. `rowAt` finds the row at which a bucket starts or ends. */
  #rowsOf(
    times: Float64Array,
    rowAt: (times: Float64Array, time: number) => number,
    begin: number,
    end: number,
  ): BucketRows {
    const [oldest, newest] = [times[0] as number, times.at(-1) as number];
    const [starts, ends]: [number[], number[]] = [[], []];
    const first = this.#firstThatEnds(oldest, begin, end);
    for (let index = first; index < end; index += 1) {
      const bucket = this.#buckets[index] as Bucket;
      if (bucket.start > newest) break;
      starts.push(rowAt(times, bucket.start));
      ends.push(rowAt(times, bucket.end));
    }
    return { first, starts, ends };
  }

  /** The first bucket that ends at `time` or later. */
  #firstThatEnds(time: number, begin: number, end: number): number {
    let [low, high] = [begin, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#buckets[middle] as Bucket).end < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The statistics of a variable over the buckets from `from` to `to` (not included): sums of their sums, in their order. */
  statistics(variable: number, from: number, to = from + 1): Statistics {
    const sums = this.#columns.get(variable);
    if (sums === undefined) throw new Error(`variable ${variable} is not summed up`);
    return sums.statistics(from, to);
  }

  /** Sums of the buckets from `from` to `to` (not included). */
  sums(from: number, to: number): BucketSums {
    const sums = [...this.#columns].map(
      ([variable, { fields }]) => [variable, fields.map((field) => field.slice(from, to))] as const,
    );
    return new Map(sums);
  }

  /** Takes the sums of whole buckets, from bucket `at` on, instead of their rows. They must be of values that `add` would take. */
  addDays(at: number, days: StoredDays): void {
    for (const variable of days.variables) {
      if (this.#allVariables && !this.#columns.has(variable)) this.#addColumn(variable);
      const column = this.#columns.get(variable);
      if (column !== undefined) days.copyTo(variable, column.fields, at);
    }
  }
}

/** The rows of successive buckets: from `starts` to `ends` (not included). */
interface BucketRows {
  /** Index of the first bucket. */
  readonly first: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The first row after `time`. */
function firstRowAfter(times: Float64Array, time: number): number {
  const row = lowerBound(times, time);
  return times[row] === time ? row + 1 : row;
}

/** Whether enough of the expected values exist; null where the expected number is unknown. */
export function isComplete(variable: Variable, count: number, expected: number | null): boolean | null {
  if (expected === null) return null;
  return count >= expected * (variable.aggregation === 'sum' ? 1 : COMPLETE_SHARE);
}
