import { MILLISECONDS } from '../../time.js';
import type { Bucket, BucketSums } from './bucket.js';

/**
 * The sums of all days of one month of a station, in its time zone: what `Summaries` adds up from rows that passed quality control.
 * A store keeps tables of past months, so that summaries need not read the rows again.
 */
export interface DayTable extends Bucket {
  /** Number of days. */
  readonly days: number;
  /** That of the station when the table was made, in seconds; null if it was unknown. */
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
