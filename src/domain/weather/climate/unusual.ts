import { DatedValues, usualValuesOf } from './usual.js';

/** A difference from the usual value below this number of degrees Celsius is not unusual. */
export const MIN_UNUSUAL_DIFFERENCE = 1;

/** A mean temperature of 24 hours that is near the usual value of its date. Values are in °C. */
export interface Usual {
  /** The date in the form `MM-DD`. */
  readonly date: string;
  /** The compared mean. */
  readonly mean: number;
  /** The usual value of the date. */
  readonly median: number;
  /** Number of years with values around the date, and the first of them. */
  readonly years: number;
  readonly since: number;
}

/** A mean temperature of 24 hours that differs from the daily means around the same date of all years. */
export interface Unusual extends Usual {
  readonly direction: 'colder' | 'warmer';
  /** Share of the daily means around the date that are as cold as the mean or colder, or as warm or warmer. */
  readonly share: number;
  /** Place of the mean among the daily means of this date, from the coldest or the warmest. `of` includes the mean itself. */
  readonly rank: { readonly place: number; readonly of: number };
}

/**
 * Compares the mean temperature of 24 hours with the usual values of their date.
 *
 * @param days days since 1970-01-01, ascending
 * @param means the mean temperature of each complete day; NaN for other days
 * @param date the date of the 24 hours: `2024-02-29`. The mean of this day itself is not counted
 * @returns undefined if too few years have values
 */
export function compareWithUsual(
  days: Int32Array,
  means: Float64Array,
  date: string,
  mean: number,
): Usual | Unusual | undefined {
  const monthDay = date.slice(-5);
  const values = DatedValues.ofDays(days, means);
  const around = values.around(monthDay);
  const { p50: median } = usualValuesOf(around);
  const difference = mean - median;
  if (Number.isNaN(difference)) return undefined;
  const years = new Set(around.map(({ year }) => year));
  const usual = { date: monthDay, mean, median, years: years.size, since: Math.min(...years) };
  if (Math.abs(difference) < MIN_UNUSUAL_DIFFERENCE) return usual;
  const direction = difference < 0 ? 'colder' : 'warmer';
  const sign = Math.sign(difference);
  const others = values.on(monthDay).filter(({ year }) => year !== Number(date.slice(0, -6)));
  return {
    ...usual,
    direction,
    share: around.filter(({ value }) => sign * (value - mean) >= 0).length / around.length,
    rank: {
      place: 1 + others.filter(({ value }) => sign * (value - mean) > 0).length,
      of: 1 + others.length,
    },
  };
}
