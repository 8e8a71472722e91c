import { concatenate } from '../merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../series.js';
import { type Variable, variableNumbered } from '../variables.js';
import { Accumulator } from './accumulator.js';
import type { Bucket, BucketSums } from './bucket.js';
import { type ColumnSums, Coverages, type IntervalOfBuckets } from './column-sums.js';
import type { StoredDays } from './day-table.js';
import { DirectionMean } from './direction-mean.js';
import type { SumsOfDays } from './of-days.js';
import type { Statistics } from './statistics.js';

export interface SummariesOptions {
  /** Numbers; undefined means every variable that has values. */
  readonly variables?: readonly number[] | undefined;
  /** Whether values count that did not pass quality control. */
  readonly includeAll?: boolean;
  readonly reportingInterval: IntervalOfBuckets;
}

/**
 * Summarises observations over buckets, which must be sorted and must not overlap. A sum (rain) belongs to the interval
 * that ends at its time, so that the rain of midnight counts for the day before. So does the value of a day:
 *
 *   buckets                  |------- day 1 -------|------- day 2 -------|
 *   rows                     00:00      12:00      00:00      12:00
 *   mean, extremes           day 1      day 1      day 2      day 2
 *   sum                      -          day 1      day 1      day 2
 *
 * A bucket is added up when all of its rows are known, so that the result does not depend on the batches in which they arrive.
 */
export class Summaries {
  readonly #buckets: readonly Bucket[];
  #lengths: Float64Array | undefined;
  readonly #includeAll: boolean;
  readonly #allVariables: boolean;
  readonly #coverages: Coverages;
  readonly #columns = new Map<number, ColumnSums>();
  /** The rows of the bucket `index`, more of which may follow. */
  #open: { readonly index: number; readonly series: Series } | undefined;

  constructor(buckets: readonly Bucket[], options: SummariesOptions) {
    const { variables, includeAll = false, reportingInterval } = options;
    this.#buckets = buckets;
    this.#includeAll = includeAll;
    this.#allVariables = variables === undefined;
    this.#coverages = new Coverages(reportingInterval);
    for (const variable of variables ?? []) this.#addColumn(variable);
  }

  /** The numbers of the summarised variables, in rising order. */
  get variables(): number[] {
    return [...this.#columns.keys()].sort((a, b) => a - b);
  }

  /** Whether a variable is summarised. */
  has(variable: number): boolean {
    return this.#columns.has(variable);
  }

  /**
   * Adds observations of one station, in order of time.
   *
   * @param begin the first bucket to which they are added
   * @param end the bucket behind the last one
   */
  add(series: Series, begin = 0, end = this.#buckets.length): void {
    const { times } = series;
    if (times.length === 0) return;
    if (this.#allVariables) this.#addColumns(series);
    const newest = times.at(-1) as number;
    if (this.#open !== undefined && (this.#open.index < begin || this.#open.index >= end)) this.#close();
    let index = this.#firstThatEnds(times[0] as number, begin, end);
    if (this.#open !== undefined) {
      const open = this.#open;
      const bucket = this.#buckets[open.index] as Bucket;
      const rows = sliceSeries(series, 0, firstRowAfter(times, bucket.end));
      this.#open = { index: open.index, series: concatenate([open.series, rows]) };
      if (newest < bucket.end) return;
      this.#close();
      index = Math.max(index, open.index + 1);
    }
    for (; index < end; index += 1) {
      const bucket = this.#buckets[index] as Bucket;
      if (bucket.start > newest) break;
      if (bucket.end <= newest) this.#addBucket(index, series);
      else this.#open = { index, series: sliceSeries(series, lowerBound(times, bucket.start), times.length) };
    }
  }

  /** Adds the rows of the open bucket. */
  #close(): void {
    if (this.#open === undefined) return;
    this.#addBucket(this.#open.index, this.#open.series);
    this.#open = undefined;
  }

  #addBucket(index: number, series: Series): void {
    const { times } = series;
    const bucket = this.#buckets[index] as Bucket;
    const common = { bucket, series, includeAll: this.#includeAll, coverages: this.#coverages };
    const instants = {
      ...common,
      from: lowerBound(times, bucket.start),
      to: lowerBound(times, bucket.end),
    };
    const amounts = {
      ...common,
      from: firstRowAfter(times, bucket.start),
      to: firstRowAfter(times, bucket.end),
    };
    for (const [number, sums] of this.#columns) {
      const rows = isOfInterval(variableNumbered(number)) ? amounts : instants;
      if (rows.from < rows.to) sums.add(index, rows);
    }
  }

  #addColumns({ values }: Series): void {
    for (const [variable, column] of values) {
      if (this.#columns.has(variable) || column.every(Number.isNaN)) continue;
      this.#addColumn(variable);
    }
  }

  #addColumn(number: number): void {
    const variable = variableNumbered(number);
    const sums =
      variable.aggregation === 'direction'
        ? new DirectionMean(variable, this.#buckets.length)
        : new Accumulator(variable, this.#buckets);
    this.#columns.set(number, sums);
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
    return this.#sumsOf(variable).statistics(from, to);
  }

  /** The sums of single buckets of a variable. */
  sumsOf(variable: number): SumsOfDays {
    this.#lengths ??= Float64Array.from(this.#buckets, ({ start, end }) => end - start);
    return { lengths: this.#lengths, fields: this.#sumsOf(variable).fields };
  }

  #sumsOf(variable: number): ColumnSums {
    this.#close();
    const sums = this.#columns.get(variable);
    if (sums === undefined) throw new Error(`variable ${variable} is not summed up`);
    return sums;
  }

  /** Sums of the buckets from `from` to `to` (not included). */
  sums(from: number, to: number): BucketSums {
    this.#close();
    const count = Math.max(1, this.#buckets.length);
    const sums = [...this.#columns].map(([variable, { fields }]) => {
      const own = fields.map((field) => {
        const cells = field.length / count;
        return field.slice(from * cells, to * cells);
      });
      return [variable, own] as const;
    });
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

/** Whether the time of a value is the end of the interval that it describes. */
export function isOfInterval({ aggregation, period }: Variable): boolean {
  return aggregation === 'sum' || period === 'day';
}

/** The first row after `time`. */
function firstRowAfter(times: Float64Array, time: number): number {
  const row = lowerBound(times, time);
  return times[row] === time ? row + 1 : row;
}
