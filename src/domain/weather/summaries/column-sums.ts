import { MILLISECONDS } from '../../time.js';
import type { Series } from '../series.js';
import type { Variable } from '../variables.js';
import type { Bucket } from './bucket.js';
import { type Coverage, coverageOf } from './coverage.js';
import type { Statistics } from './statistics.js';

/** The sums of one variable in several buckets. */
export interface ColumnSums {
  /**
   * The sums in the order of `layoutOf` (layout.ts), such as the counts and the minima. Each array has one number, or one group
   * of numbers, for each bucket.
   */
  readonly fields: readonly Float64Array[];
  /** Adds all rows of a bucket. Each bucket is added once. */
  add(index: number, rows: BucketRows): void;
  /**
   * Counts the dark time of buckets without values as covered, if a missing value of the variable stands for zero in the darkness.
   * The buckets are those from `from` to `to` (not included). Absent if it never does.
   */
  coverDarkness?(from: number, to: number): void;
  /** The statistics over the buckets from `from` to `to` (not included). The sums of the buckets are added in their order. */
  statistics(from: number, to: number): Statistics;
}

/** The rows of a bucket. */
export interface BucketRows {
  readonly bucket: Bucket;
  readonly series: Series;
  /** Rows from `from` to `to` (not included). */
  readonly from: number;
  readonly to: number;
  /** Whether values that did not pass quality control are used too. */
  readonly includeAll: boolean;
  /**
   * The result of `delayOf` (cell-methods.ts) for the variable whose values are added: 1 if a value describes the interval before
   * its time, otherwise 0.
   */
  readonly delay: 0 | 1;
  readonly coverages: Coverages;
}

/** The values of a variable in a bucket that are used for sums (see `isKnown`): from `from` to `to` (not included). */
export interface KnownValues {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly from: number;
  readonly to: number;
}

/** Whether the value of a row is used: it is present, and it passed quality control or `flags` is undefined. */
export function isKnown(values: Float64Array, flags: Uint8Array | undefined, row: number): boolean {
  return !Number.isNaN(values[row]) && (flags === undefined || flags[row] === 0);
}

/** Flags of a variable; undefined if all values are used. */
export function flagsOf({ series, includeAll }: BucketRows, variable: number): Uint8Array | undefined {
  return includeAll ? undefined : series.flags.get(variable);
}

/** The value of any variable in a row; NaN if the value is not used. */
export function columnValue(rows: BucketRows, variable: number, row: number): number {
  const values = rows.series.values.get(variable);
  return values !== undefined && isKnown(values, flagsOf(rows, variable), row)
    ? (values[row] as number)
    : Number.NaN;
}

/** The values of a variable that are used for sums (see `isKnown`). @param count number of these values */
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

/** The reporting interval of the station in seconds, or a function of the start of a bucket; null if the interval is unknown. */
export type IntervalOfBuckets = number | null | ((start: number) => number | null);

/** Returns the ms between routine reports of a variable around the start of a bucket (routine-interval.ts); undefined if unknown. */
export type RoutineOfBuckets = (start: number, variable: number) => number | undefined;

/**
 * Computes the time that the values of a bucket cover (`Coverage`). The last result is cached, because most variables of a bucket
 * have a value in every row, so that their values cover the same time.
 */
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
    // A daily value covers a day, independently of the reporting interval of the station.
    if (period === 'day') return coverageOf(times, from, to, end - start, DAILY);
    const seconds = this.#intervalOf(start);
    const routine = seconds === null ? this.#routineOf(start, number) : undefined;
    const [milliseconds, isEstimate] = [seconds === null ? routine : seconds * 1000, seconds === null];
    const last = this.#last;
    // The start of the bucket is compared too, because the same rows can be used for two buckets: a row of midnight counts for
    // the old day with its rain, and for the new day with its temperature.
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

/** The reporting interval of a bucket, and the start of the bucket. */
interface Interval {
  readonly milliseconds: number | undefined;
  readonly start: number;
}

const DAILY = { milliseconds: MILLISECONDS.day, isEstimate: false } as const;
