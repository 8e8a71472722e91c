import { reportingIntervalAt } from '../station-history.js';
import type { Station } from '../station.js';
import type { Bucket, BucketSums } from './bucket.js';
import { positionCodeAt } from './position-code.js';
import type { RoutineOfBuckets } from './column-sums.js';
import type { RoutineOfMonth } from './routine-interval.js';
import { type Extent, Summaries } from './summaries.js';

/** A month, and the intervals between its routine reports. */
export interface RoutineMonth extends Bucket {
  readonly intervals: RoutineOfMonth;
}

/**
 * A question for the sums of the values of a station in buckets (intervals such as days). It has no functions, so that it can be
 * sent to another thread.
 */
export interface SumsQuery {
  /** The station, with its cell methods and its history of reporting intervals and positions. */
  readonly station: Station;
  /** Sorted, without overlap. */
  readonly buckets: readonly Bucket[];
  /** Numbers of the variables that are summed; undefined means every variable with values. */
  readonly variables: readonly number[] | undefined;
  /**
   * Numbers of the variables that are read: `variables`, and the variables that their sums need, such as the wind speed for the
   * mean direction. Undefined means all.
   */
  readonly columns: readonly number[] | undefined;
  /** Whether values that did not pass quality control are summed too. */
  readonly includeAll: boolean;
  /** The intervals between routine reports, by month, where the reporting interval of the station is unknown. */
  readonly routines: readonly RoutineMonth[];
}

/** The sums of some successive buckets of a `SumsQuery`. */
export interface PartialSums {
  /** Index of the first of these buckets in the query. */
  readonly at: number;
  /** The sums of each variable. A variable without values may be missing. Empty if a step of the computation has no result yet. */
  readonly sums: BucketSums;
}

/** Empty summaries for the buckets of a query. @param extent see `SummariesOptions` */
export function summariesOf(query: Omit<SumsQuery, 'columns'>, extent?: Extent): Summaries {
  const { station, buckets, variables, includeAll, routines } = query;
  return new Summaries(buckets, {
    variables,
    includeAll,
    reportingInterval: (start) => reportingIntervalAt(station, start),
    routine: routineOfBuckets(routines),
    station,
    positionCode: (start) => positionCodeAt(station, start),
    extent,
  });
}

/**
 * The times `[from, to)` of the rows whose values belong to buckets, of which there is at least one. A value that describes an
 * interval, for example an amount of rain, has the end of this interval as its time. So a row at the end of the last bucket
 * belongs to the range too.
 */
export function rowsOfBuckets(buckets: readonly Bucket[]): { readonly from: number; readonly to: number } {
  return { from: (buckets[0] as Bucket).start, to: (buckets.at(-1) as Bucket).end + 1 };
}

/**
 * Returns a function that gives the interval between routine reports of a variable, in a bucket (for example a day).
 *
 * @param months consecutive months, in order of time
 */
export function routineOfBuckets(months: readonly RoutineMonth[]): RoutineOfBuckets {
  let index = 0;
  return (start, variable) => {
    // The search begins at the month that the previous call has found, because the calls are nearly in order of time.
    while (index > 0 && (months[index] as Bucket).start > start) index -= 1;
    while (index < months.length - 1 && (months[index] as Bucket).end <= start) index += 1;
    return months[index]?.intervals.get(variable);
  };
}
