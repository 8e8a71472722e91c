import { MILLISECONDS } from '../../time.js';
import { reportingIntervalIn } from '../station-history.js';
import type { Station } from '../station.js';
import type { Bucket, BucketSums } from './bucket.js';

/** Stands for the reporting interval of a table in whose month it changed. Longer than any interval, and fits into 32 bits. */
export const SEVERAL_INTERVALS = 0xff_ff_ff_ff;

/**
 * The sums of all days of one month of a station, in its time zone: what `Summaries` adds up from rows that passed quality control.
 * A store keeps tables of past months, so that summaries need not read the rows again.
 */
export interface DayTable extends Bucket {
  /** Number of days. */
  readonly days: number;
  /**
   * That of the station in the month, as it was known when the table was made, in seconds; null if it was unknown;
   * `SEVERAL_INTERVALS` if it changed.
   */
  readonly reportingInterval: number | null;
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
 * Whether the days of a table were judged by the reporting interval of the station in that month. Of several intervals a table does
 * not tell when they changed.
 */
export function hasIntervalOf(station: Station, { start, end, reportingInterval }: StoredDays): boolean {
  const interval = reportingIntervalIn(station, start, end);
  return interval !== undefined && interval === reportingInterval;
}
