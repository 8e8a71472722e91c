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
  /** Of the variable whose values are added (cell-methods.ts): 1 if they are those of the interval before their time. */
  readonly delay: 0 | 1;
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
export function columnValue(rows: BucketRows, variable: number, row: number): number {
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

/** The reporting interval of the station, in seconds, or that of a bucket by its start; null where it is unknown. */
export type IntervalOfBuckets = number | null | ((start: number) => number | null);

/** ms between routine reports of a variable (routine-interval.ts) around the start of a bucket; undefined if nothing tells it. */
export type RoutineOfBuckets = (start: number, variable: number) => number | undefined;

/** Computes coverages. Most variables of a bucket have a value in every row, and share one. */
export class Coverages {
  readonly #intervalOf: (start: number) => number | null;
  readonly #routineOf: RoutineOfBuckets;
  #last:
    | {
        readonly times: Float64Array;
        readonly from: number;
        readonly to: number;
        readonly interval: Interval;
      }
    | undefined;
  #coverage: Coverage | undefined;

  constructor(reportingInterval: IntervalOfBuckets, routine: RoutineOfBuckets = () => undefined) {
    this.#intervalOf = typeof reportingInterval === 'function' ? reportingInterval : () => reportingInterval;
    this.#routineOf = routine;
  }

  of(
    { times, from, to }: Omit<KnownValues, 'values'>,
    { start, end }: Bucket,
    { number, period }: Variable,
  ): Coverage {
    // The value of a day stands for a day, whatever the reporting interval of the station is.
    if (period === 'day') return coverageOf(times, from, to, end - start, DAILY);
    const seconds = this.#intervalOf(start);
    const routine = seconds === null ? this.#routineOf(start, number) : undefined;
    const [milliseconds, isEstimate] = [seconds === null ? routine : seconds * 1000, seconds === null];
    const last = this.#last;
    // A value of an interval at the first instant of a bucket is in the same row as those of that instant, but of the bucket before.
    const isSame = last?.times === times && last.from === from && last.to === to;
    if (isSame && last.interval.milliseconds === milliseconds && last.interval.start === start)
      return this.#coverage as Coverage;
    this.#last = { times, from, to, interval: { milliseconds, start } };
    this.#coverage = coverageOf(
      times,
      from,
      to,
      end - start,
      milliseconds === undefined ? undefined : { milliseconds, isEstimate },
    );
    return this.#coverage;
  }
}

/** The interval of a bucket, by its start. */
interface Interval {
  readonly milliseconds: number | undefined;
  readonly start: number;
}

const DAILY = { milliseconds: MILLISECONDS.day, isEstimate: false } as const;
