import { reportingIntervalAt } from '../station-history.js';
import type { Series } from '../series.js';
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

/** The fields of a station that the sums of its values need. */
export type SummedStation = Pick<
  Station,
  'number' | 'latitude' | 'longitude' | 'positionDecimals' | 'reportingInterval' | 'cellMethods' | 'earlier'
> & {
  /** The intervals between routine reports, by month, where the reporting interval of the station is unknown. */
  readonly routines: readonly RoutineMonth[];
};

/** The fields of a station for a `SumsQuery`. */
export function summedStation(station: Station, routines: readonly RoutineMonth[] = []): SummedStation {
  const { number, latitude, longitude, positionDecimals, reportingInterval, cellMethods, earlier } = station;
  return {
    number,
    latitude,
    longitude,
    reportingInterval,
    routines,
    ...(typeof positionDecimals === 'number' && { positionDecimals }),
    ...(cellMethods && { cellMethods }),
    ...(earlier && { earlier }),
  };
}

/**
 * A question for the sums of the values of stations in buckets (intervals such as days). The buckets of all stations are the same.
 * It has no functions, so that it can be sent to another thread.
 */
export interface SumsQuery {
  /** The stations, each with its cell methods and its history of reporting intervals and positions. Each occurs once. */
  readonly stations: readonly SummedStation[];
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
}

/** The sums of some successive buckets of a `SumsQuery`. */
export interface PartialSums {
  /**
   * Index of the first of these buckets, if the buckets of each station of the query follow the buckets of the station before:
   * the bucket `index` of the station `number` is the bucket `number * buckets.length + index`.
   */
  readonly at: number;
  /** Number of these buckets. 0 if a step of the computation has no result yet. */
  readonly count: number;
  /** The sums of each variable. A variable without values may be missing. */
  readonly sums: BucketSums;
}

/** Empty summaries for the buckets of a query, in the order of `PartialSums.at`. @param extent see `SummariesOptions` */
export function summariesOf(query: Omit<SumsQuery, 'columns'>, extent?: Extent): Summaries {
  return new StationsSums(query, extent).summaries;
}

/** Sums the rows of the stations of a query. */
export class StationsSums {
  /** The buckets are in the order of `PartialSums.at`. */
  readonly summaries: Summaries;
  readonly #stations: readonly SummedStation[];
  readonly #buckets: number;
  /** The station whose rows are added. */
  #station: SummedStation | undefined;
  #routineOf: RoutineOfBuckets = NO_ROUTINES;

  constructor({ stations, buckets, variables, includeAll }: Omit<SumsQuery, 'columns'>, extent?: Extent) {
    const current = () => this.#station as SummedStation;
    this.#stations = stations;
    this.#buckets = buckets.length;
    this.summaries = new Summaries(repeated(buckets, stations.length), {
      variables,
      includeAll,
      reportingInterval: (start) => reportingIntervalAt(current(), start),
      routine: (start, variable) => this.#routineOf(start, variable),
      positionCode: (start) => positionCodeAt(current(), start),
      extent,
    });
    this.#begin(0);
  }

  /**
   * Adds rows of a station in order of time. All rows of a station are added before the rows of the next one.
   *
   * @param index index of the station in the query
   */
  add(index: number, rows: Series): void {
    this.#begin(index);
    this.summaries.add(rows, index * this.#buckets, (index + 1) * this.#buckets);
  }

  /** Adds all rows of a station: the rows from `first` to `last` (not included) of `columns`. See `Summaries.addAll`. */
  addAll(index: number, columns: Series, first: number, last: number): void {
    this.#begin(index);
    this.summaries.addAll(columns, first, last, index * this.#buckets, (index + 1) * this.#buckets);
  }

  #begin(index: number): void {
    const station = this.#stations[index];
    if (station === this.#station) return;
    // This ends the sums of the station before, while the functions of the constructor still return its values.
    this.summaries.changeStation(station ?? {});
    this.#station = station;
    this.#routineOf =
      station === undefined || station.routines.length === 0
        ? NO_ROUTINES
        : routineOfBuckets(station.routines);
  }
}

function repeated(buckets: readonly Bucket[], times: number): readonly Bucket[] {
  if (times === 1) return buckets;
  const all: Bucket[] = [];
  // `flatMap` takes ten times as long, which was a tenth of a summary of many stations.
  for (let time = 0; time < times; time += 1) for (const bucket of buckets) all.push(bucket);
  return all;
}

const NO_ROUTINES: RoutineOfBuckets = () => undefined;

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
