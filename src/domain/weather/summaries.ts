import { DirectionMean } from './direction-mean.js';
import { lowerBound, type Series } from './series.js';
import { V, type Variable, variableNumbered } from './variables.js';

/** An interval of the calendar: `[start, end)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
}

/** The summary of a variable over a bucket. Fields without a value are NaN. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly minTime: number;
  readonly max: number;
  readonly maxTime: number;
  readonly mean: number;
  readonly sum: number;
}

const NO_STATISTICS: Statistics = {
  count: 0,
  min: Number.NaN,
  minTime: Number.NaN,
  max: Number.NaN,
  maxTime: Number.NaN,
  mean: Number.NaN,
  sum: Number.NaN,
};

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

  /** Adds observations of one station. The calls may be in any order of time. */
  add(series: Series): void {
    if (series.times.length === 0) return;
    if (this.#allVariables) this.#addColumns(series);
    const instants = this.#rowsOf(series.times, lowerBound);
    const amounts = this.#rowsOf(series.times, firstRowAfter);
    for (const [number, accumulator] of this.#columns) {
      const values = series.values.get(number);
      if (values === undefined) continue;
      const { aggregation } = variableNumbered(number);
      const flags = this.#includeAll ? undefined : series.flags.get(number);
      const speeds = accumulator instanceof DirectionMean ? this.#speeds(series) : undefined;
      const rows = aggregation === 'sum' ? amounts : instants;
      for (let index = rows.first; index < rows.last; index += 1) {
        const from = rows.starts[index] as number;
        const to = rows.ends[index] as number;
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

  /** The rows of each bucket. `rowAt` finds the row at which a bucket starts or ends. */
  #rowsOf(times: Float64Array, rowAt: (times: Float64Array, time: number) => number): BucketRows {
    const count = this.#buckets.length;
    const starts = new Uint32Array(count);
    const ends = new Uint32Array(count);
    const [begin, end] = [times[0] as number, times.at(-1) as number];
    let [first, last] = [count, 0];
    for (let index = 0; index < count; index += 1) {
      const bucket = this.#buckets[index] as Bucket;
      if (bucket.end < begin || bucket.start > end) continue;
      starts[index] = rowAt(times, bucket.start);
      ends[index] = rowAt(times, bucket.end);
      first = Math.min(first, index);
      last = index + 1;
    }
    return { starts, ends, first, last };
  }

  statistics(variable: number, bucket: number): Statistics {
    const accumulator = this.#columns.get(variable);
    if (accumulator === undefined) throw new Error(`variable ${variable} is not summed up`);
    if (accumulator instanceof Accumulator) return accumulator.statistics(bucket);
    return { ...NO_STATISTICS, count: accumulator.count(bucket), mean: accumulator.mean(bucket) };
  }
}

interface BucketRows {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly first: number;
  readonly last: number;
}

/** The first row after `time`. */
function firstRowAfter(times: Float64Array, time: number): number {
  const row = lowerBound(times, time);
  return times[row] === time ? row + 1 : row;
}

class Accumulator {
  readonly #counts: Uint32Array;
  readonly #sums: Float64Array;
  readonly #mins: Float64Array;
  readonly #minTimes: Float64Array;
  readonly #maxs: Float64Array;
  readonly #maxTimes: Float64Array;

  constructor(buckets: number) {
    this.#counts = new Uint32Array(buckets);
    this.#sums = new Float64Array(buckets);
    this.#mins = new Float64Array(buckets).fill(Infinity);
    this.#minTimes = new Float64Array(buckets).fill(Number.NaN);
    this.#maxs = new Float64Array(buckets).fill(-Infinity);
    this.#maxTimes = new Float64Array(buckets).fill(Number.NaN);
  }

  add(
    bucket: number,
    times: Float64Array,
    values: Float64Array,
    flags: Uint8Array | undefined,
    from: number,
    to: number,
  ): void {
    let count = 0;
    let sum = 0;
    let min = Infinity;
    let minRow = -1;
    let max = -Infinity;
    let maxRow = -1;
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value) || (flags !== undefined && flags[row] !== 0)) continue;
      count += 1;
      sum += value;
      if (value < min) {
        min = value;
        minRow = row;
      }
      if (value > max) {
        max = value;
        maxRow = row;
      }
    }
    if (count === 0) return;
    this.#counts[bucket] = (this.#counts[bucket] as number) + count;
    this.#sums[bucket] = (this.#sums[bucket] as number) + sum;
    if (min < (this.#mins[bucket] as number)) {
      this.#mins[bucket] = min;
      this.#minTimes[bucket] = times[minRow] as number;
    }
    if (max > (this.#maxs[bucket] as number)) {
      this.#maxs[bucket] = max;
      this.#maxTimes[bucket] = times[maxRow] as number;
    }
  }

  statistics(bucket: number): Statistics {
    const count = this.#counts[bucket] as number;
    const sum = this.#sums[bucket] as number;
    const [min, max] = [this.#mins[bucket] as number, this.#maxs[bucket] as number];
    return {
      count,
      min: count > 0 && Number.isFinite(min) ? min : Number.NaN,
      minTime: this.#minTimes[bucket] as number,
      max: count > 0 && Number.isFinite(max) ? max : Number.NaN,
      maxTime: this.#maxTimes[bucket] as number,
      mean: count === 0 ? Number.NaN : sum / count,
      sum: count === 0 ? Number.NaN : sum,
    };
  }
}

/** Whether enough of the expected values exist; null where the expected number is unknown. */
export function isComplete(variable: Variable, count: number, expected: number | null): boolean | null {
  if (expected === null) return null;
  return count >= expected * (variable.aggregation === 'sum' ? 1 : COMPLETE_SHARE);
}
