import { MILLISECONDS } from '../../time.js';
import type { Series } from '../series.js';
import type { Variable } from '../variables.js';
import type { Bucket } from './bucket.js';
import { type Coverage, coverageOf } from './coverage.js';
import type { Statistics } from './statistics.js';

/** What is added up of one variable, in each of several buckets. */
export interface ColumnSums {
  /** By the layout of the variable (layout.ts): each field has one number, or one group of numbers, for each bucket. */
  readonly fields: readonly Float64Array[];
  /** Adds all rows of a bucket. Each bucket is added once. */
  add(index: number, rows: BucketRows): void;
  /** The statistics over the buckets from `from` to `to` (not included): sums of their sums, in their order. */
  statistics(from: number, to: number): Statistics;
}

/** The rows of a bucket. */
export interface BucketRows {
  readonly bucket: Bucket;
  readonly series: Series;
  /** Rows from `from` to `to` (not included). */
  readonly from: number;
  readonly to: number;
  /** Whether values count that did not pass quality control. */
  readonly includeAll: boolean;
  readonly coverages: Coverages;
}

/** The values of a variable that count in a bucket: from `from` to `to` (not included). */
export interface KnownValues {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly from: number;
  readonly to: number;
}

/** Whether the value of a row counts. */
export function isKnown(values: Float64Array, flags: Uint8Array | undefined, row: number): boolean {
  return !Number.isNaN(values[row]) && (flags === undefined || flags[row] === 0);
}

/** Flags of a variable; undefined if they do not matter. */
export function flagsOf({ series, includeAll }: BucketRows, variable: number): Uint8Array | undefined {
  return includeAll ? undefined : series.flags.get(variable);
}

/** The value of a row of any variable; NaN if there is none that counts. */
export function valueAt(rows: BucketRows, variable: number, row: number): number {
  const values = rows.series.values.get(variable);
  return values !== undefined && isKnown(values, flagsOf(rows, variable), row)
    ? (values[row] as number)
    : Number.NaN;
}

/** The values that count. @param count their number */
export function knownValues(
  { series: { times }, from, to }: BucketRows,
  values: Float64Array,
  flags: Uint8Array | undefined,
  count: number,
): KnownValues {
  if (count === to - from) return { times, values, from, to };
  const known = { times: new Float64Array(count), values: new Float64Array(count), from: 0, to: count };
  let at = 0;
  for (let row = from; row < to; row += 1) {
    if (!isKnown(values, flags, row)) continue;
    known.times[at] = times[row] as number;
    known.values[at] = values[row] as number;
    at += 1;
  }
  return known;
}

/**
 * The reporting interval of the station, in seconds, or that of a bucket by its start; null means the usual distance of the values of a
 * bucket.
 */
export type IntervalOfBuckets = number | null | ((start: number) => number | null);

/** Computes coverages. Most variables of a bucket have a value in every row, and share one. */
export class Coverages {
  readonly #intervalOf: (start: number) => number | null;
  #last:
    | { readonly times: Float64Array; readonly from: number; readonly to: number; readonly start: number }
    | undefined;
  #coverage: Coverage | undefined;

  constructor(reportingInterval: IntervalOfBuckets) {
    this.#intervalOf = typeof reportingInterval === 'function' ? reportingInterval : () => reportingInterval;
  }

  of(
    { times, from, to }: Omit<KnownValues, 'values'>,
    { start, end }: Bucket,
    period?: Variable['period'],
  ): Coverage {
    // The value of a day stands for a day, whatever the reporting interval of the station is.
    if (period === 'day') return coverageOf(times, from, to, end - start, MILLISECONDS.day);
    const last = this.#last;
    // An amount at the first instant of a bucket is in the same row as the instants of it, but belongs to the bucket before.
    const isSame = last?.times === times && last.from === from && last.to === to && last.start === start;
    if (this.#coverage !== undefined && isSame) return this.#coverage;
    this.#last = { times, from, to, start };
    const seconds = this.#intervalOf(start);
    this.#coverage = coverageOf(times, from, to, end - start, seconds === null ? null : seconds * 1000);
    return this.#coverage;
  }
}
