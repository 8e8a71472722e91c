import type { YearRows } from '../calendar-rows.js';
import { firstRun } from './spells.js';

/**
 * `DAYS`: number of days in a row that begin or end the season. `THRESHOLD`: mean temperature in °C; the days that begin the
 * season are warmer, the days that end it are colder.
 */
const DAYS = 6;
const THRESHOLD = 5;

/** A year of the growing season. It begins in January in the northern hemisphere and in July in the southern hemisphere. */
export interface SeasonYear {
  /** The calendar year in which the year of the growing season begins. */
  readonly year: number;
  readonly from: number;
  /** The first row of the second half of the year. */
  readonly middle: number;
  readonly to: number;
}

/**
 * @param years whole years, in order. In the southern hemisphere the last year gives no season, because the table does not have
 *   the following year, in which the second half of the season would be.
 */
export function seasonYears(years: readonly YearRows[], isNorthern: boolean): readonly SeasonYear[] {
  const july = (year: YearRows) => year.months.find(({ month }) => month === 7)?.from ?? year.to;
  if (isNorthern) return years.map((one) => ({ ...one, middle: july(one) }));
  return years.slice(0, -1).map((one, index) => {
    const next = years[index + 1] as YearRows;
    return { year: one.year, from: july(one), middle: next.from, to: july(next) };
  });
}

/**
 * Number of days of the growing season. The season begins with the first run of warm days in the first half of the year. It ends
 * before the first run of cold days in the second half, or with the year. 0 if the season does not begin.
 *
 *   |------------ first half ------------|------------ second half -----------|
 *           | 6 days > 5 °C                            | 6 days < 5 °C
 *           |<------------- length ------------------->|
 *
 * @param temperatures (maximum + minimum) / 2 of each day; a missing day belongs to no run
 */
export function growingSeasonLength(temperatures: Float64Array, { from, middle, to }: SeasonYear): number {
  const begin = firstRun(temperatures, (value) => value > THRESHOLD, DAYS, from, middle);
  if (begin < 0) return 0;
  const end = firstRun(temperatures, (value) => value < THRESHOLD, DAYS, middle, to);
  return (end < 0 ? to : end) - begin;
}
