import { delayOf, rowsOfBucket, type WithCellMethods } from '../computation/cell-methods.js';
import { concatenate } from '../merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../series.js';
import { type Variable, variableNumbered } from '../variables.js';
import { Accumulator } from './accumulator.js';
import type { Bucket, BucketSums } from './bucket.js';
import {
  type BucketRows,
  type ColumnSums,
  Coverages,
  type IntervalOfBuckets,
  type RoutineOfBuckets,
} from './column-sums.js';
import type { StoredDays } from './daily-aggregate.js';
import { Darkness } from './darkness.js';
import { DirectionMean } from './direction-mean.js';
import type { SumsOfDays } from './of-days.js';
import type { Statistics } from './statistics.js';
import type { PositionCode } from './position-code.js';

export interface SummariesOptions {
  /** Numbers of the variables; undefined means every variable with values. */
  readonly variables?: readonly number[] | undefined;
  /** Whether values that did not pass quality control are used too. */
  readonly includeAll?: boolean;
  readonly reportingInterval: IntervalOfBuckets;
  /**
   * The times between routine reports, as found from the observations. They are used if the reporting interval of the station is
   * unknown. Undefined if they are unknown too.
   */
  readonly routine?: RoutineOfBuckets | undefined;
  /** The cell methods of the station; undefined means the cell methods in the catalog of variables. */
  readonly station?: WithCellMethods | undefined;
  /**
   * Returns the position of the station from the start of a bucket. Undefined if the position is unknown; a missing value then
   * never stands for zero.
   */
  readonly positionCode?: ((start: number) => PositionCode) | undefined;
  /**
   * Where missing values stand for zero in buckets without any value. Undefined means nowhere; the sums of such a bucket are then
   * empty. Daily aggregates contain these empty sums, because rows of other months may change the extent.
   */
  readonly extent?: Extent | undefined;
}

/** The variables of which a station has values, and the times of its first and last row in ms since 1970-01-01T00:00:00Z. */
export interface Extent {
  readonly variables: readonly number[];
  readonly first: number | null;
  readonly last: number | null;
}

/**
 * Summarizes observations over buckets, which must be sorted and must not overlap. A value of an interval (rain, a gust, the mean
 * wind) belongs to the bucket in which its interval ends, so that the rain of midnight counts for the day before; see cell-methods.ts:
 *
 *   buckets                  |------- day 1 -------|------- day 2 -------|
 *   rows                     00:00      12:00      00:00      12:00
 *   temperature              day 1      day 1      day 2      day 2
 *   rain, wind               -          day 1      day 1      day 2
 *
 * The sums of a bucket are computed when all of its rows are known, so that the result does not depend on the batches of the rows.
 */
export class Summaries {
  readonly #buckets: readonly Bucket[];
  #lengths: Float64Array | undefined;
  readonly #includeAll: boolean;
  readonly #allVariables: boolean;
  readonly #coverages: Coverages;
  #station: WithCellMethods;
  readonly #darkness: Darkness | undefined;
  readonly #extent: Extent | undefined;
  readonly #columns = new Map<
    number,
    { readonly variable: Variable; delay: 0 | 1; readonly sums: ColumnSums }
  >();
  /** The rows so far of the bucket `index`. More rows of the bucket may follow. */
  #open: { readonly index: number; readonly series: Series } | undefined;
  /** Whether the dark time of the buckets without values counts as covered. */
  #isDarknessCovered = false;

  constructor(buckets: readonly Bucket[], options: SummariesOptions) {
    const { variables, includeAll = false, reportingInterval, station = {}, positionCode, extent } = options;
    this.#buckets = buckets;
    this.#includeAll = includeAll;
    this.#allVariables = variables === undefined;
    this.#station = station;
    this.#darkness = positionCode && new Darkness(positionCode);
    this.#extent = extent;
    this.#coverages = new Coverages(reportingInterval, options.routine);
    for (const variable of variables ?? []) this.#addColumn(variable);
  }

  /** The numbers of the summarized variables, in ascending order. */
  get variables(): number[] {
    return [...this.#columns.keys()].sort((a, b) => a - b);
  }

  has(variable: number): boolean {
    return this.#columns.has(variable);
  }

  /**
   * Adds observations of one station, in order of time.
   *
   * @param begin index of the first bucket to which observations are added
   * @param end index behind the last of these buckets
   */
  add(series: Series, begin = 0, end = this.#buckets.length): void {
    const { times } = series;
    if (times.length === 0) return;
    this.#isDarknessCovered = false;
    if (this.#allVariables) this.#addColumns(series);
    const newest = times.at(-1) as number;
    if (this.#open !== undefined && (this.#open.index < begin || this.#open.index >= end)) this.#close();
    let index = this.#firstThatEnds(times[0] as number, begin, end);
    if (this.#open !== undefined) {
      const open = this.#open;
      const bucket = this.#buckets[open.index] as Bucket;
      const rows = sliceSeries(series, 0, lowerBound(times, bucket.end + 1));
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

  /**
   * Adds all observations of one station in some buckets. They are in the rows from `first` to `last` (not included), in order of
   * time, of columns that may have rows of other stations too.
   *
   * @param begin index of the first of these buckets
   * @param end index behind the last of these buckets
   */
  addAll(columns: Series, first: number, last: number, begin: number, end: number): void {
    this.#close();
    if (first >= last) return;
    this.#isDarknessCovered = false;
    if (this.#allVariables) this.#addColumns(columns);
    const newest = columns.times[last - 1] as number;
    let index = this.#firstThatEnds(columns.times[first] as number, begin, end);
    for (; index < end && (this.#buckets[index] as Bucket).start <= newest; index += 1)
      this.#addBucket(index, columns, first, last);
  }

  /**
   * Adds the rows of the open bucket to the sums. The open bucket (`#open`) is the bucket of which more rows could follow.
   * Afterwards no bucket is open.
   */
  #close(): void {
    if (this.#open === undefined) return;
    this.#addBucket(this.#open.index, this.#open.series);
    this.#open = undefined;
  }

  /** Ends the sums of all buckets, before their statistics are used. More rows and days may still follow. */
  #finish(): void {
    this.#close();
    if (this.#isDarknessCovered || this.#extent === undefined) return;
    const { variables, first, last } = this.#extent;
    const begin = this.#buckets.findIndex(({ end }) => end >= (first ?? Infinity));
    const end = this.#buckets.findLastIndex((bucket) => bucket.end <= (last ?? -Infinity)) + 1;
    if (begin >= 0)
      for (const [variable, { sums }] of this.#columns)
        if (variables.includes(variable)) sums.coverDarkness?.(begin, end);
    this.#isDarknessCovered = true;
  }

  #addBucket(index: number, series: Series, first = 0, last = series.times.length): void {
    const points = this.#rowsOf(index, series, 0, first, last);
    const intervals = this.#rowsOf(index, series, 1, first, last);
    for (const { delay, sums } of this.#columns.values()) {
      const rows = delay === 1 ? intervals : points;
      if (rows.from < rows.to) sums.add(index, rows);
    }
  }

  #rowsOf(index: number, series: Series, delay: 0 | 1, first: number, last: number): BucketRows {
    const bucket = this.#buckets[index] as Bucket;
    const { from, to } = rowsOfBucket(series.times, bucket, delay, first, last);
    // The result is one literal with all fields, because spreading objects takes longer than adding the rows of a day.
    return { bucket, series, from, to, includeAll: this.#includeAll, delay, coverages: this.#coverages };
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
        : new Accumulator(variable, this.#buckets, this.#darkness);
    this.#columns.set(number, { variable, delay: delayOf(variable, this.#station), sums });
  }

  /**
   * Changes the station whose observations are added from now on. Ends the sums of all buckets. The functions in the options must
   * return the values of the new station from now on.
   */
  changeStation(station: WithCellMethods): void {
    this.#close();
    if (this.#station.cellMethods === station.cellMethods) return;
    this.#station = station;
    for (const column of this.#columns.values()) column.delay = delayOf(column.variable, station);
  }

  /** Index of the first bucket that ends at `time` or later. */
  #firstThatEnds(time: number, begin: number, end: number): number {
    let [low, high] = [begin, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#buckets[middle] as Bucket).end < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The statistics of a variable over the buckets from `from` to `to` (not included). The sums of the buckets are added in order. */
  statistics(variable: number, from: number, to = from + 1): Statistics {
    return this.#sumsOf(variable).statistics(from, to);
  }

  /** The sums of a variable for each bucket. `SumsOfDays` calls the buckets days, but they can also be shorter intervals. */
  sumsOf(variable: number): SumsOfDays {
    this.#lengths ??= Float64Array.from(this.#buckets, ({ start, end }) => end - start);
    return { lengths: this.#lengths, fields: this.#sumsOf(variable).fields };
  }

  #sumsOf(variable: number): ColumnSums {
    this.#finish();
    const column = this.#columns.get(variable);
    if (column === undefined) throw new Error(`The variable ${variable} is not summarized.`);
    return column.sums;
  }

  /**
   * Sums of the buckets from `from` to `to` (not included), as they were added. Call this method before `statistics`. All fields
   * are in one buffer, so that they are sent to another thread in one step.
   */
  sums(from: number, to: number): BucketSums {
    this.#close();
    const count = Math.max(1, this.#buckets.length);
    const columns = [...this.#columns].map(([variable, { sums }]) => [variable, sums.fields] as const);
    const cellsOf = (field: Float64Array) => field.length / count;
    const cells = columns.flatMap(([, fields]) => fields).reduce((sum, field) => sum + cellsOf(field), 0);
    const all = new Float64Array(cells * (to - from));
    let at = 0;
    const copy = (field: Float64Array) => {
      const own = field.subarray(from * cellsOf(field), to * cellsOf(field));
      all.set(own, at);
      return all.subarray(at, (at += own.length));
    };
    return new Map(columns.map(([variable, fields]) => [variable, fields.map(copy)]));
  }

  /**
   * Adds stored sums of whole buckets instead of their rows, beginning at bucket `at`. The sums must be computed from the values
   * that `add` would use.
   */
  addDays(at: number, days: Pick<StoredDays, 'variables' | 'copyTo'>): void {
    this.#isDarknessCovered = false;
    for (const variable of days.variables) {
      if (this.#allVariables && !this.#columns.has(variable)) this.#addColumn(variable);
      const column = this.#columns.get(variable);
      if (column !== undefined) days.copyTo(variable, column.sums.fields, at);
    }
  }

  /**
   * Adds sums that `sums` of other summaries has returned, beginning at bucket `at`. As `addDays`.
   *
   * @param first index of the first bucket of `sums` that is added
   * @param count number of the buckets that are added
   */
  addSums(at: number, sums: BucketSums, first = 0, count = Infinity): void {
    this.addDays(at, {
      variables: sums.keys(),
      copyTo: (variable, fields) => {
        for (const [index, own] of (sums.get(variable) ?? []).entries()) {
          const field = fields[index] as Float64Array;
          const cells = field.length / this.#buckets.length;
          field.set(own.subarray(first * cells, (first + count) * cells), at * cells);
        }
      },
    });
  }
}
