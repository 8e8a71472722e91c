import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { DATES_OF_YEAR, MIN_YEARS_OF_USUAL, percentile, WINDOW_DAYS } from '#domain/weather/climate/usual.js';
import {
  completeValue,
  type DayRecord,
  type DayValue,
  isComplete,
  sameDate,
  startOfMonth,
  valueOf,
  yearOf,
  yearsOf,
} from './day-record.js';

/** A period is compared only with years in which at least this share of its days was measured. */
const ENOUGH = 0.9;
/** Lower limit of the maximum of a hot day, in °C. */
export const HOT = 30;

export interface YearValue {
  readonly year: number;
  readonly value: number;
}

/** A period of this year, and the same dates of the other years. */
export interface Comparison {
  /** The year that is compared. A period that begins before 1 January belongs to the year in which it ends. */
  readonly year: number;
  /** The value of this year, of the days that were measured; NaN if there are none. */
  readonly value: number;
  /** Number of days of this year without a complete value. */
  readonly missing: number;
  /** Number of days of the period. */
  readonly days: number;
  /** The years with enough days, oldest first. This year is one of them if it has enough days. */
  readonly values: readonly YearValue[];
}

/** What is computed from the days of a period. */
export type Statistic = 'mean' | 'rain' | 'frost' | 'hot';

const VALUE_OF = { mean: 'mean', rain: 'rain', frost: 'min', hot: 'max' } as const satisfies Record<
  Statistic,
  DayValue
>;

/**
 * Compares a period with the same dates of all other years of the record.
 *
 * @param to the last day, included
 */
export function comparePeriod(
  record: DayRecord,
  { from, to }: { readonly from: number; readonly to: number },
  statistic: Statistic,
): Comparison {
  const year = yearOf(to);
  const ofYear = (one: number) =>
    periodValue(record, sameDate(from, one - year), sameDate(to, one - year), statistic);
  const own = ofYear(year);
  const values = yearsOf(record).flatMap((one) => {
    const { value, missing, days } = ofYear(one);
    return !Number.isNaN(value) && days - missing >= ENOUGH * days ? [{ year: one, value }] : [];
  });
  return { year, ...own, values };
}

/** The mean temperature of each calendar month by year, from January to December. A year with too few days has none. */
export function monthlyMeans(record: DayRecord): ReadonlyMap<number, number>[] {
  // A leap year, so that every 29 February is compared.
  const year = 2000;
  return Array.from({ length: 12 }, (_month, index) => {
    const [from, to] = [startOfMonth(year, index + 1), startOfMonth(year, index + 2) - 1];
    const { values } = comparePeriod(record, { from, to }, 'mean');
    return new Map(values.map((one) => [one.year, one.value]));
  });
}

function periodValue(record: DayRecord, from: number, to: number, statistic: Statistic) {
  const name = VALUE_OF[statistic];
  let [total, count, missing] = [0, 0, 0];
  for (let day = from; day <= to; day += 1) {
    if (!isComplete(record, day, name)) missing += 1;
    const value = termOf(record, day, statistic);
    if (Number.isNaN(value)) continue;
    total += value;
    count += 1;
  }
  const value = count === 0 ? Number.NaN : statistic === 'mean' ? total / count : total;
  return { value, missing, days: to - from + 1 };
}

/**
 * The contribution of a day to its period; NaN if it is unknown. Rain that was measured on an incomplete day has fallen, and an
 * incomplete day with frost is a day with frost.
 */
function termOf(record: DayRecord, day: number, statistic: Statistic): number {
  if (statistic === 'mean') return completeValue(record, day, 'mean');
  const value = valueOf(record, day, VALUE_OF[statistic]);
  if (statistic === 'rain' || Number.isNaN(value)) return value;
  const isCounted = statistic === 'frost' ? value < 0 : value >= HOT;
  return isCounted || isComplete(record, day, VALUE_OF[statistic]) ? Number(isCounted) : Number.NaN;
}

/** Compares a value of a date with the daily means of the same date in the other years. */
export function compareDate(record: DayRecord, day: number, value: number): Comparison {
  const year = yearOf(day);
  const values = yearsOf(record).flatMap((one) => {
    const other = one === year ? value : completeValue(record, sameDate(day, one - year), 'mean');
    return Number.isNaN(other) ? [] : [{ year: one, value: other }];
  });
  return { year, value, missing: 0, days: 1, values };
}

/** The place of this year among all years, counted from the nearer end. Equal values share a place. */
export interface Rank {
  readonly place: number;
  readonly of: number;
  readonly end: 'lowest' | 'highest';
  readonly isShared: boolean;
}

/** The rank of this year; undefined if this year has too few days, or if there is no other year. */
export function rankOf({ year, values }: Comparison): Rank | undefined {
  const own = values.find((one) => one.year === year)?.value;
  if (own === undefined || values.length < 2) return undefined;
  const [lower, higher] = [
    values.filter(({ value }) => value < own).length,
    values.filter(({ value }) => value > own).length,
  ];
  return {
    place: Math.min(lower, higher) + 1,
    of: values.length,
    end: lower <= higher ? 'lowest' : 'highest',
    isShared: lower + higher + 1 < values.length,
  };
}

/** The median of the other years; undefined if there are none. */
export function medianOfOthers({ year, values }: Comparison): number | undefined {
  const others = Float64Array.from(
    values.filter((one) => one.year !== year),
    ({ value }) => value,
  ).sort();
  return others.length === 0 ? undefined : percentile(others, 0.5);
}

/** How a value compares with the days around its date. */
export interface Around {
  readonly direction: 'colder' | 'warmer';
  /** Share of the days within `WINDOW_DAYS` of the date, in all years, that were at least as cold or as warm. */
  readonly share: number;
  /** Number of these days. */
  readonly count: number;
  /** The years with values among these days, oldest first. */
  readonly years: readonly number[];
  readonly median: number;
  readonly mean: number;
}

/**
 * Compares a value with the daily means within `WINDOW_DAYS` days of its date in all years.
 *
 * @param day the date of the value
 * @param end the days of the record from this day on are not used, because they overlap the value
 * @returns undefined if there are no days to compare with
 */
export function compareAround(
  record: DayRecord,
  day: number,
  value: number,
  end: number,
): Around | undefined {
  const middle = DATES_OF_YEAR.indexOf(dateText(day).slice(-5));
  const near = new Set(
    Array.from({ length: 2 * WINDOW_DAYS + 1 }, (_, index) => {
      const position = middle - WINDOW_DAYS + index + DATES_OF_YEAR.length;
      return DATES_OF_YEAR[position % DATES_OF_YEAR.length];
    }),
  );
  const found: YearValue[] = [];
  for (let other = record.first; other <= record.last && other < end; other += 1) {
    const mean = completeValue(record, other, 'mean');
    if (Number.isNaN(mean) || !near.has(dateText(other).slice(-5))) continue;
    found.push({ year: yearOf(other), value: mean });
  }
  if (found.length === 0) return undefined;
  const sorted = Float64Array.from(found, (one) => one.value).sort();
  const median = percentile(sorted, 0.5);
  const direction = value < median ? 'colder' : 'warmer';
  const as = found.filter((one) => (direction === 'colder' ? one.value <= value : one.value >= value));
  return {
    direction,
    share: as.length / found.length,
    count: found.length,
    years: [...new Set(found.map(({ year }) => year))].toSorted((a, b) => a - b),
    median,
    mean: found.reduce((sum, one) => sum + one.value, 0) / found.length,
  };
}

export type Verdict = 'usual' | 'uncommon' | 'rare' | 'never';

/**
 * The verdict on a day. Below a share of 3 %, `never` is the verdict only if no other year had the same date as cold or as warm.
 *
 * @param isFirst whether the day has the first place among the same dates of all years, and shares it with no other year
 */
export function verdictOf(share: number, isFirst: boolean): Verdict {
  if (share > 0.25) return 'usual';
  if (share >= 0.1) return 'uncommon';
  return share < 0.03 && isFirst ? 'never' : 'rare';
}

/** Whether there are enough years to say what is usual. */
export const hasUsual = ({ years }: Pick<Around, 'years'>): boolean => years.length >= MIN_YEARS_OF_USUAL;

/** Consecutive days. */
export interface Run {
  readonly days: number;
  /** The last day of the run. */
  readonly last: number;
  /** Whether the day before the run is unknown, so that the run may be longer. */
  readonly isAtLeast: boolean;
}

export type RunKind = 'dry' | 'frost';

/** Whether a day belongs to a run; undefined if that is unknown. */
function isInRun(record: DayRecord, day: number, kind: RunKind): boolean | undefined {
  const name = kind === 'dry' ? 'rain' : 'min';
  const value = valueOf(record, day, name);
  if (kind === 'dry' && value > 0) return false;
  if (kind === 'frost' && value < 0) return true;
  if (!isComplete(record, day, name)) return undefined;
  return kind === 'dry';
}

/**
 * Finds the run at the end of the record, and the longest run. If the last day is not known yet, because it has not ended, the run
 * at the end is the run to the day before.
 */
export function findRuns(
  record: DayRecord,
  kind: RunKind,
): { readonly current: Run | undefined; readonly longest: Run | undefined } {
  let [days, isAtLeast] = [0, true];
  let [current, longest]: [Run | undefined, Run | undefined] = [undefined, undefined];
  for (let day = record.first; day <= record.last; day += 1) {
    const state = isInRun(record, day, kind);
    if (state === undefined && day === record.last) break;
    if (state === true) {
      days += 1;
      current = { days, last: day, isAtLeast };
      if (days > (longest?.days ?? 0)) longest = current;
    } else {
      [days, isAtLeast, current] = [0, state === undefined, undefined];
    }
  }
  return { current, longest };
}

/** The half-year of winter, in which frost is counted, or of summer, in which hot days are counted. */
export interface HalfYear {
  readonly kind: 'frost' | 'hot';
  readonly from: number;
}

/** The half-year of a day: from October to March, or from April to September. */
export function halfYearOf(day: number, latitude: number): HalfYear {
  const text = dateText(day);
  const [year, month] = [Number(text.slice(0, -6)), Number(text.slice(-5, -3))];
  const isDarkHalf = month >= 10 || month <= 3;
  const start = `${String(month <= 3 ? year - 1 : year).padStart(4, '0')}-${isDarkHalf ? '10' : '04'}-01`;
  return { kind: isDarkHalf === latitude >= 0 ? 'frost' : 'hot', from: dateNumber(start) };
}

/** The first day of the month, or of the year, of a day. */
export function startOf(day: number, unit: 'month' | 'year'): number {
  const text = dateText(day);
  return dateNumber(unit === 'month' ? `${text.slice(0, -3)}-01` : `${text.slice(0, -6)}-01-01`);
}
