import {
  ClimateDays,
  dateNumber,
  dateText,
  type DayColumn,
  type DayQuantity,
} from '#domain/weather/climate/climate-days.js';
import { monthsOf, type YearRows, yearsOf } from '#domain/weather/climate/calendar-rows.js';

/** Returns the value of a day by its date (`2013-07-18`); NaN for a missing day. */
export type ByDate = (date: string) => number;

/** Creates the days of the years from `from` to `to`, both included, with the given values. */
export function daysOfYears(
  from: number,
  to: number,
  values: Partial<Record<DayQuantity, ByDate>>,
): ClimateDays {
  const first = dateNumber(`${from}-01-01`);
  const dates = Int32Array.from({ length: dateNumber(`${to}-12-31`) - first + 1 }, (_, row) => first + row);
  const columns = Object.entries(values).map(([quantity, valueOf]): [DayQuantity, DayColumn] => {
    const column = Float64Array.from(dates, (date) => valueOf(dateText(date)));
    return [quantity as DayQuantity, completeColumn(column)];
  });
  return new ClimateDays(dates, new Map(columns));
}

/**
 * The default rule that says how many days a valid month may lack (`MONTH_RULES`). All periods count as ended, because `today` is
 * Infinity.
 */
export const DEFAULT_RULE = { rule: 'wmo_1203', today: Infinity } as const;

/** A column in which each day with a value is complete. */
export function completeColumn(values: Float64Array): DayColumn {
  return {
    values,
    times: new Float64Array(values.length).fill(Number.NaN),
    complete: Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1)),
  };
}

export function yearsIn({ dates }: ClimateDays): readonly YearRows[] {
  return yearsOf(monthsOf(dates));
}

/**
 * Returns the values of `valueOf` without the values of some dates.
 *
 * @param missing dates, or beginnings of dates (`2013-07` for a month)
 */
export function removeDays(valueOf: ByDate, ...missing: readonly string[]): ByDate {
  return (date) => (missing.some((one) => date.startsWith(one)) ? Number.NaN : valueOf(date));
}

/** Returns consecutive dates of a month, such as `2013-07-03` and `2013-07-04`. */
export function datesIn(month: string, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, day) => `${month}-${String(first + day).padStart(2, '0')}`);
}
