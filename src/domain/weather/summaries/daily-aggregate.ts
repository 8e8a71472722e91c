import { MILLISECONDS } from '../../time.js';
import { unusualMethods } from '../computation/cell-methods.js';
import { COMPUTATION_RULES } from '../computation/computation-rules.js';
import { reportingIntervalIn } from '../station-history.js';
import type { Station } from '../station.js';
import { VARIABLES } from '../variables.js';
import type { Bucket, BucketSums } from './bucket.js';

/** Stands for the reporting interval of a table in whose month it changed. Longer than any interval, and fits into 32 bits. */
export const SEVERAL_INTERVALS = 0xff_ff_ff_ff;

/**
 * The sums of all days of one month of a station, in its time zone: what `Summaries` adds up from rows that passed quality control.
 * A store keeps tables of past months, so that summaries need not read the rows again.
 */
export interface DailyAggregates extends Bucket {
  /** Number of days. */
  readonly days: number;
  /**
   * That of the station in the month, as it was known when the table was made, in seconds; null if it was unknown;
   * `SEVERAL_INTERVALS` if it changed.
   */
  readonly reportingInterval: number | null;
  /** The `COMPUTATION_RULES` by which the table was made. */
  readonly rules: number;
  /** As `unusualMethods` returns them. */
  readonly unusualMethods: readonly number[];
  /** ms between routine reports of a variable in the month (routine-interval.ts), where no other interval was known. */
  readonly routine: ReadonlyMap<number, number>;
  /** Of every variable that has a value. */
  readonly sums: BucketSums;
}

/** A table that a store has kept. */
export interface StoredDays extends Bucket {
  /** `Station.number`. */
  readonly station: number;
  /** Number of days. */
  readonly days: number;
  /** As in `DayTable`; undefined for a table of a former version, which does not have all fields. */
  readonly reportingInterval: number | null | undefined;
  /** As in `DayTable`; 1 for a table of a former version. */
  readonly rules: number;
  readonly unusualMethods: readonly number[];
  readonly routine: ReadonlyMap<number, number>;
  /** Numbers of the variables that have a value. */
  readonly variables: Iterable<number>;
  /** Writes the sums of a variable into the fields of its layout (layout.ts), from bucket `at` on. */
  copyTo(variable: number, fields: readonly Float64Array[], at: number): void;
}

/**
 * Milliseconds by which the newest row of a station must be later than the end of a month before the month gets a table. So rows
 * that are late by less never touch a table.
 */
export const SETTLING = 2 * MILLISECONDS.day;

/** Whether a month may have a table. @param lastSeen time of the newest row of the station */
export function isSettled({ end }: Bucket, lastSeen: number): boolean {
  return end + SETTLING < lastSeen;
}

/**
 * Whether a table has the sums that would be computed now: by these rules, with the reporting interval of the station in that month (of
 * several intervals a table does not tell when they changed), and with the times that its values describe.
 */
export function isCurrent(station: Station, table: StoredDays): boolean {
  const { start, end, reportingInterval, rules } = table;
  const interval = reportingIntervalIn(station, start, end);
  return (
    rules === COMPUTATION_RULES &&
    interval !== undefined &&
    interval === reportingInterval &&
    hasMethodsOf(station, table)
  );
}

function hasMethodsOf(station: Station, table: StoredDays): boolean {
  // Nearly all stations have none, and a long summary has hundreds of tables.
  if (station.cellMethods === undefined) return table.unusualMethods.length === 0;
  return String(unusualMethods(station, VARIABLES)) === String(table.unusualMethods);
}
