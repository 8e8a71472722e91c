import { dateNumber, dateText, type DayQuantity } from './climate-days.js';

/** Number of days before and after a date whose values count as values of the date. */
export const WINDOW_DAYS = 7;
/** Minimum number of different years with values, below which percentiles say little. */
export const MIN_YEARS_OF_USUAL = 5;

/** The daily value of each variable that is compared with other years: a mean, a sum, or the maximum of the day for gusts. */
export const COMPARED_QUANTITIES = {
  air_temperature: 'mean',
  relative_humidity: 'humidity',
  air_pressure_at_mean_sea_level: 'pressure',
  wind_speed: 'wind',
  wind_speed_of_gust: 'gust',
  precipitation_amount: 'precipitation',
  duration_of_sunshine: 'sunshine',
} as const satisfies Readonly<Record<string, DayQuantity>>;
export type UsualVariable = keyof typeof COMPARED_QUANTITIES;

/** The dates of a leap year in the form `MM-DD`, from `01-01` to `12-31`. */
export const DATES_OF_YEAR: readonly string[] = Array.from({ length: 366 }, (_, day) =>
  dateText(dateNumber('2000-01-01') + day).slice(5),
);

const POSITIONS = new Map(DATES_OF_YEAR.map((date, position) => [date, position]));

/** The usual values of one date. */
export interface UsualValues {
  /** Percentiles 10, 50 and 90 of the values; NaN with values of fewer than `MIN_YEARS_OF_USUAL` years. */
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  /** Number of values. */
  readonly count: number;
}

/** A value of a day, with the year of the day. */
export interface DatedValue {
  readonly year: number;
  readonly value: number;
}

/** The values of days, or of one hour of days, by their date in the year. */
export class DatedValues {
  readonly #values: readonly DatedValue[][] = DATES_OF_YEAR.map(() => []);

  /**
   * @param days days since 1970-01-01, ascending
   * @param values the value of each day; NaN for a day without a value
   */
  static ofDays(days: Int32Array, values: Float64Array): DatedValues {
    const dated = new DatedValues();
    for (const [row, day] of days.entries()) {
      const value = values[row] as number;
      if (!Number.isNaN(value)) dated.add(dateText(day), value);
    }
    return dated;
  }

  /** @param date a date, or a time that begins with its date */
  add(date: string, value: number): void {
    const [year, monthDay] = [date.slice(0, 4), date.slice(5, 10)];
    this.#values[POSITIONS.get(monthDay) as number]?.push({ year: Number(year), value });
  }

  /** The values of a date of all years. @param date an element of `DATES_OF_YEAR` */
  on(date: string): readonly DatedValue[] {
    return this.#values[POSITIONS.get(date) as number] as readonly DatedValue[];
  }

  /** The values of a date and of the `WINDOW_DAYS` days before and after it. The window of a date in January contains days of December. */
  around(date: string): readonly DatedValue[] {
    return datesAround(date).flatMap((near) => this.on(near));
  }
}

/** A date with the `WINDOW_DAYS` dates before and after it. @param date an element of `DATES_OF_YEAR` */
function datesAround(date: string): readonly string[] {
  const first = (POSITIONS.get(date) as number) - WINDOW_DAYS + DATES_OF_YEAR.length;
  return Array.from(
    { length: 2 * WINDOW_DAYS + 1 },
    (_, index) => DATES_OF_YEAR[(first + index) % DATES_OF_YEAR.length] as string,
  );
}

/** Computes the usual values of dates, in all years. For the parameters see `DatedValues.ofDays`. */
export function usualValues(
  days: Int32Array,
  values: Float64Array,
  dates: readonly string[],
): readonly UsualValues[] {
  const dated = DatedValues.ofDays(days, values);
  return dates.map((date) => usualValuesOf(dated.around(date)));
}

/** The hours of a day by the clock. A day on which clocks change has an hour fewer, or an hour twice. */
export const HOURS_OF_DAY: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Computes the usual values of the hours of dates, in all years.
 *
 * @param means the local time of the start of each hour, which begins with `2024-02-29T13`, and the mean of the hour
 * @returns for each date the values of the 24 hours by the clock
 */
export function usualHours(
  means: Iterable<readonly [start: string, mean: number]>,
  dates: readonly string[],
): readonly (readonly UsualValues[])[] {
  const hours = HOURS_OF_DAY.map(() => new DatedValues());
  for (const [start, mean] of means) hours[Number(start.slice(11, 13))]?.add(start, mean);
  return dates.map((date) => hours.map((dated) => usualValuesOf(dated.around(date))));
}

/**
 * The parts of a year that contain dates and their windows.
 *
 * @param dates dates in the form `MM-DD`
 * @returns the first and the last day of each part, as days since 1970-01-01
 */
export function windowsIn(
  year: number,
  dates: readonly string[],
): readonly (readonly [first: number, last: number])[] {
  const wanted = new Set(dates.flatMap(datesAround));
  const parts: [number, number][] = [];
  const [first, next] = [year, year + 1].map((one) => dateNumber(`${String(one).padStart(4, '0')}-01-01`));
  for (let day = first as number; day < (next as number); day += 1) {
    if (!wanted.has(dateText(day).slice(-5))) continue;
    const part = parts.at(-1);
    if (part?.[1] === day - 1) part[1] = day;
    else parts.push([day, day]);
  }
  return parts;
}

/** The percentiles of values around a date. */
export function usualValuesOf(values: readonly DatedValue[]): UsualValues {
  const isUnknown = new Set(values.map(({ year }) => year)).size < MIN_YEARS_OF_USUAL;
  const sorted = Float64Array.from(values, ({ value }) => value).sort();
  const at = (share: number) => (isUnknown ? Number.NaN : percentile(sorted, share));
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9), count: sorted.length };
}

/**
 * A percentile of sorted values, which are at least one. It is definition 8 of Hyndman and Fan (1996), The American Statistician
 * 50: its median is unbiased for any distribution, and the authors recommend it.
 *
 * @param share from 0 to 1
 */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = (sorted.length + 1 / 3) * share + 1 / 3;
  const below = Math.min(Math.max(Math.floor(rank), 1), sorted.length);
  const above = Math.min(below + 1, sorted.length);
  const part = Math.min(Math.max(rank - below, 0), 1);
  const [lower, upper] = [sorted[below - 1] as number, sorted[above - 1] as number];
  return lower + part * (upper - lower);
}
