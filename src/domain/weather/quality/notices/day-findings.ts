import { MILLISECONDS } from '#domain/time.js';
import { type DatedTable, daysOfHours } from './dated-table.js';
import type { NoticeFacts } from './notice.js';
import type { Finding, NoticeInput } from './notice-check.js';

/** The daily values of the station. */
export function daysOf({ own, published, position }: NoticeInput): DatedTable {
  return daysOfHours(own, published, position?.longitude ?? 0);
}

/** A column of daily values of a neighbor, or of what was computed from them. */
export interface NeighborDays {
  readonly number: number;
  readonly column: Float64Array;
}

/** The daily values of a variable at the station and at the neighbors that have it, by the dates of the station. */
export function daysBeside(
  input: NoticeInput,
  variable: number,
): {
  readonly days: DatedTable;
  readonly own: Float64Array | undefined;
  readonly others: readonly NeighborDays[];
} {
  const days = daysOf(input);
  const others = input.neighbors.flatMap(({ number, table, published }) => {
    const column = daysOfHours(table, published, input.position?.longitude ?? 0).columns.get(variable);
    return column === undefined ? [] : [{ number, column }];
  });
  return { days, own: days.columns.get(variable), others };
}

/** The index of the first hour of a day, counted from the first day of a table, in hours that begin at `begin` (ms since 1970-01-01T00:00:00Z). */
export function hourOfDay({ first, shift }: DatedTable, begin: number, day: number): number {
  return 24 * (first + day) - shift - begin / MILLISECONDS.hour;
}

/** A finding about the days `[from, to)`, counted from the first day of `days`. */
export function dayFinding(
  { own }: NoticeInput,
  days: DatedTable,
  found: {
    readonly variable: number;
    readonly from: number;
    readonly to: number;
    readonly facts: NoticeFacts;
    readonly comparedWith?: readonly number[];
  },
): Finding {
  const hourOf = (day: number) => hourOfDay(days, own.begin, day);
  return { comparedWith: [], ...found, from: hourOf(found.from), to: hourOf(found.to) };
}

/** Days in the year of a day since 1970-01-01, from 0. */
export function dayOfYear(day: number): number {
  const time = day * MILLISECONDS.day;
  return Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0, 1)) / MILLISECONDS.day);
}

/**
 * A function that gives the values of all years around the date of a day since 1970-01-01, as `of` has made them. Each date is made once.
 *
 * @param first the day of the first value of the column
 * @param around number of days before and after the date
 * @param keeps which values are used
 */
export function byDate<T>(
  column: Float64Array,
  first: number,
  around: number,
  keeps: (value: number) => boolean,
  of: (values: readonly number[]) => T,
): (day: number) => T {
  const byDay = Array.from({ length: 366 }, (): number[] => []);
  for (const [day, value] of column.entries())
    if (!Number.isNaN(value) && keeps(value)) byDay[dayOfYear(first + day)]?.push(value);
  const made = new Map<number, T>();
  return (day) => {
    const date = dayOfYear(day);
    const known = made.get(date);
    if (known !== undefined) return known;
    const values: number[] = [];
    for (let near = date - around; near <= date + around; near += 1)
      values.push(...(byDay[(near + 366) % 366] ?? []));
    const result = of(values);
    made.set(date, result);
    return result;
  };
}
