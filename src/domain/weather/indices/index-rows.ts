import { MILLISECONDS, utcDate } from '#domain/time.js';
import type { IndexColumn, IndexRows, YearStart } from './station-index.js';

/** A row that is being built: a value for each column, the number of missing inputs, and whether the row is valid. */
export interface IndexRow {
  readonly values: readonly number[];
  readonly missing: number;
  readonly valid: boolean;
}

/** Builds the columns of a result from its rows. A row that is not valid keeps its values: each is NaN if it is unknown. */
export function rowsOf(columns: readonly IndexColumn[], rows: readonly IndexRow[]): IndexRows {
  return {
    columns: columns.map((_column, at) => Float64Array.from(rows, ({ values }) => values[at] ?? Number.NaN)),
    missing: Int32Array.from(rows, ({ missing }) => missing),
    valid: Uint8Array.from(rows, ({ valid }) => Number(valid)),
  };
}

/** A local day: its date in days since 1970-01-01, and its hours from index `from` to `to` (not included). */
export interface LocalDay {
  readonly date: number;
  readonly from: number;
  readonly to: number;
}

/** The local days of hours in the order of time. A day has 23 to 25 hours. */
export function localDays(dates: Int32Array): readonly LocalDay[] {
  const days: LocalDay[] = [];
  let from = 0;
  for (let hour = 1; hour <= dates.length; hour += 1) {
    // A day ends where a later date begins. In Alaska in 1867 clocks went back to a date before.
    if (hour < dates.length && (dates[hour] as number) <= (dates[from] as number)) continue;
    days.push({ date: dates[from] as number, from, to: hour });
    from = hour;
  }
  return days;
}

/** Whether sums begin again on a date, in days since 1970-01-01. A start on 29 February is 1 March in other years. */
export function isStart(date: number, { month, day }: YearStart): boolean {
  const time = new Date(date * MILLISECONDS.day);
  return utcDate(time.getUTCFullYear(), month, day) === time.getTime();
}

/** The last start of sums on or before a date, in days since 1970-01-01. */
export function startBefore(date: number, start: YearStart): number {
  let found = date;
  while (!isStart(found, start)) found -= 1;
  return found;
}
