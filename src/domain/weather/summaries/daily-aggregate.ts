import { MILLISECONDS } from '../../time.js';
import { unusualMethods } from '../computation/cell-methods.js';
import { COMPUTATION_RULES } from '../computation/computation-rules.js';
import { reportingIntervalIn } from '../station-history.js';
import type { Station } from '../station.js';
import { VARIABLES } from '../variables.js';
import type { Bucket, BucketSums } from './bucket.js';
import { NO_POSITION, SEVERAL_POSITIONS, type PositionCode, positionCodeIn } from './position-code.js';

/**
 * Stored in place of a reporting interval that changed within the month. The number is larger than any interval, and fits into 32
 * bits.
 */
export const SEVERAL_INTERVALS = 0xff_ff_ff_ff;

/**
 * The sums of all days of one month of a station, in its time zone. `Summaries` computes the sums from values that passed quality
 * control. A store keeps the sums of past months, so that summaries need not read the rows again.
 */
export interface DailyAggregates extends Bucket {
  /** Number of days. */
  readonly days: number;
  /**
   * The reporting interval of the station in the month, in seconds, as known at the time of the computation; null if the interval
   * was unknown; `SEVERAL_INTERVALS` if it changed.
   */
  readonly reportingInterval: number | null;
  /** The value of `COMPUTATION_RULES` at the time of the computation. */
  readonly rules: number;
  /** Numbers of the variables whose cell method differs from the catalog of variables: the result of `unusualMethods`. */
  readonly unusualMethods: readonly number[];
  /**
   * The position of the station in the month, as known at the time of the computation. `NO_POSITION` if no variable of the
   * month depends on the sun; `SEVERAL_POSITIONS` if the position changed.
   */
  readonly positionCode: PositionCode;
  /**
   * Milliseconds between routine reports in the month (routine-interval.ts), by number of the variable, if the reporting interval
   * was unknown.
   */
  readonly routine: ReadonlyMap<number, number>;
  /** The sums of every variable with a value. */
  readonly sums: BucketSums;
}

/** Stored daily aggregates of a month. */
export interface StoredDays extends Bucket {
  /** `Station.number`. */
  readonly station: number;
  /** Number of days. */
  readonly days: number;
  /** As in `DailyAggregates`; undefined for aggregates of a former version, which do not have all fields. */
  readonly reportingInterval: number | null | undefined;
  /** As in `DailyAggregates`; 1 for aggregates of a former version. */
  readonly rules: number;
  readonly unusualMethods: readonly number[];
  readonly positionCode: PositionCode;
  readonly routine: ReadonlyMap<number, number>;
  /** Numbers of the variables with a value. */
  readonly variables: Iterable<number>;
  /**
   * Copies the sums of a variable into `fields`, which have the order of `layoutOf` (layout.ts). The sums of the first day are
   * copied to the bucket `at`.
   */
  copyTo(variable: number, fields: readonly Float64Array[], at: number): void;
}

/**
 * A month gets aggregates when the newest row of the station is later than the end of the month by more than this number of
 * milliseconds. Rows that are late by less than this time never change aggregates.
 */
export const SETTLING = 2 * MILLISECONDS.day;

/** Whether a month may have aggregates. @param lastSeen time of the newest row of the station */
export function isSettled({ end }: Bucket, lastSeen: number): boolean {
  return end + SETTLING < lastSeen;
}

/**
 * Whether stored aggregates have the sums that would be computed now: with the same rules, the same cell methods, and the same
 * reporting interval and position in the month. The position matters only if the month has variables that depend on the sun. False
 * if the reporting interval or the position changed within the month, because aggregates do not contain the time of the change.
 */
export function isCurrent(station: Station, table: StoredDays): boolean {
  const { start, end, reportingInterval, rules } = table;
  const interval = reportingIntervalIn(station, start, end);
  return (
    rules === COMPUTATION_RULES &&
    interval !== undefined &&
    interval === reportingInterval &&
    hasMethodsOf(station, table) &&
    hasPositionOf(station, table)
  );
}

/**
 * Whether the aggregates of a month can be current (`isCurrent`) after they were computed for a station. If not, the rows of the
 * month are always read.
 */
export function canBeCurrent(station: Station, { start, end }: Bucket): boolean {
  return (
    reportingIntervalIn(station, start, end) !== undefined &&
    positionCodeIn(station, start, end) !== SEVERAL_POSITIONS
  );
}

function hasPositionOf(station: Station, { positionCode, start, end }: StoredDays): boolean {
  if (positionCode === NO_POSITION) return true;
  return positionCode !== SEVERAL_POSITIONS && positionCode === positionCodeIn(station, start, end);
}

function hasMethodsOf(station: Station, table: StoredDays): boolean {
  // Nearly all stations have no cell methods of their own. A short comparison for these stations makes long summaries faster,
  // because long summaries read hundreds of months.
  if (station.cellMethods === undefined) return table.unusualMethods.length === 0;
  return String(unusualMethods(station, VARIABLES)) === String(table.unusualMethods);
}
