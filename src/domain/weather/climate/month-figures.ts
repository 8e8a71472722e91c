import { type MonthRows, monthLabel, type YearRows, yearLabel } from './calendar-rows.js';
import type { Rows } from './rows.js';
import type { ClimateDays } from './climate-days.js';
import type { DailyElement, ElementStatistic } from './elements.js';
import type { MonthRule } from '../summaries/completeness.js';
import { numberSource, ORIGIN } from './provenance.js';
import {
  addSupport,
  type ClimateRow,
  figure,
  type Figure,
  type Gaps,
  meetsMonthRule,
  type Support,
} from './validity.js';

/** The figures of a month or a year. */
export interface PeriodFigures extends ClimateRow {
  readonly year: number;
  /** 1 to 12; 0 for a year. */
  readonly month: number;
}

/** The conditions under which a climate value of a month, for example its mean temperature, is valid. */
export interface MonthTerms {
  /** The rule for means and extremes. Sums, numbers of days and elements with `needsEveryDay` need every day. */
  readonly rule: MonthRule;
  /**
   * The current day, as days from 1970-01-01. A month or a year that contains this day or a later day is not over. Its climate
   * values are not valid yet, but `Figure.soFar` has the value that is computed from its past days.
   */
  readonly today: number;
}

export interface MonthsAndYears {
  readonly months: readonly PeriodFigures[];
  readonly years: readonly PeriodFigures[];
}

/**
 * Computes the numbers of all months and years of a table of days, for example the mean temperature of each month. A `Figure` is
 * such a number with the data that support it.
 *
 * @param dates `ClimateDays.dates`
 */
export function monthsAndYears(
  dates: Int32Array,
  years: readonly YearRows[],
  elements: readonly DailyElement[],
  terms: MonthTerms,
): MonthsAndYears {
  const months: PeriodFigures[] = [];
  const sums: PeriodFigures[] = [];
  for (const one of years) {
    const monthsOfYear = one.months.map((month) => figuresOfMonth(dates, month, elements, terms));
    months.push(...monthsOfYear);
    const figures = elements.map((element, index) => {
      const ofMonths = monthsOfYear.map((month) => month.figures[index] as Figure);
      const running = soFarOf(dates, element, one, terms.today);
      const ofYear =
        element.statistic === 'sum' && element.amounts !== undefined
          ? sumOfYear(dates, element, one, running.soFar === undefined)
          : figureOfYear(element.statistic, ofMonths);
      return { ...ofYear, ...running };
    });
    sums.push({ label: yearLabel(one.year), year: one.year, month: 0, figures });
  }
  return { months, years: sums };
}

function figuresOfMonth(
  dates: Int32Array,
  month: MonthRows,
  elements: readonly DailyElement[],
  terms: MonthTerms,
): PeriodFigures {
  const figures = elements.map((element) => figureOfMonth(dates, element, month, terms));
  return { label: monthLabel(month), year: month.year, month: month.month, figures };
}

function figureOfMonth(
  dates: Int32Array,
  element: DailyElement,
  month: MonthRows,
  { rule, today }: MonthTerms,
): Figure {
  const { statistic, needsEveryDay = false } = element;
  const { value, date, ...counts } = numberOf(dates, element, month);
  const running = soFarOf(dates, element, month, today);
  const needsAll = needsEveryDay || statistic === 'sum' || statistic === 'days';
  const isValid = needsAll ? counts.missing === 0 : meetsMonthRule(rule, counts);
  const result = figure(value, counts, needsAll ? 'every_day' : rule, isValid && running.soFar === undefined);
  return { ...result, ...(date !== undefined && { date: result.valid ? date : Number.NaN }), ...running };
}

/**
 * The number so far of a period that is not over. It is computed from the days before `today`. If the period is over, the result
 * is an empty object.
 */
function soFarOf(
  dates: Int32Array,
  element: DailyElement,
  { from, to }: Rows,
  today: number,
): Pick<Figure, 'soFar'> {
  let end = to;
  while (end > from && (dates[end - 1] as number) >= today) end -= 1;
  if (end === to) return {};
  const { value, date, days, missing } = numberOf(dates, element, { from, to: end });
  const until = end === from ? Number.NaN : (dates[end - 1] as number);
  return {
    soFar: {
      days,
      missing,
      ...(date !== undefined && { date }),
      value: days === 0 ? Number.NaN : value,
      until,
    },
  };
}

/** A climate value of a period, for example the mean temperature of a month. It may be valid or not. */
interface PeriodNumber extends Gaps, Support {
  readonly value: number;
  /** The day of an extreme; NaN without a value. */
  readonly date?: number;
}

function numberOf(
  dates: Int32Array,
  { values, statistic, threshold = 0, countsBelow = false, origins, amounts }: DailyElement,
  period: Rows,
): PeriodNumber {
  const { from, to } = period;
  let [days, sum, reached, gap, inRow] = [0, 0, 0, 0, 0];
  let [origin, dailyDays, multidayDays, splitDays] = [0, 0, 0, 0];
  let extreme = -1;
  const isBeyond = (value: number, other: number) => (statistic === 'lowest' ? value < other : value > other);
  for (let row = from; row < to; row += 1) {
    // The days of an amount of several days have a value for a sum alone.
    const share = statistic === 'sum' ? amounts?.shareOf(row, period) : undefined;
    const value = share ?? values[row] ?? Number.NaN;
    if (share !== undefined) multidayDays += 1;
    if (Number.isNaN(value)) {
      gap += 1;
      inRow = Math.max(inRow, gap);
      if (amounts?.covers(row)) {
        if (statistic === 'sum') splitDays += 1;
        else multidayDays += 1;
      }
      continue;
    }
    gap = 0;
    days += 1;
    sum += value;
    if (origins !== undefined) {
      const own = share === undefined ? (origins[row] as number) : ORIGIN.daily;
      origin |= own;
      if (own === ORIGIN.daily) dailyDays += 1;
    }
    if (value < threshold === countsBelow) reached += 1;
    if (extreme < 0 || isBeyond(value, values[extreme] as number)) extreme = row;
  }
  // The source of an extreme is the source of its day.
  const isExtreme = statistic === 'highest' || statistic === 'lowest';
  if (isExtreme && extreme >= 0) origin = origins?.[extreme] ?? 0;
  const counts = {
    days,
    missing: to - from - days,
    inRow,
    ...numberSource(origin, dailyDays),
    ...(multidayDays > 0 && { multidayDays }),
    ...(splitDays > 0 && { splitDays }),
  };
  switch (statistic) {
    case 'sum':
      return { ...counts, value: sum };
    case 'days':
      return { ...counts, value: reached };
    case 'mean':
      return { ...counts, value: sum / days };
    case 'highest':
    case 'lowest':
      return { ...counts, value: values[extreme] ?? Number.NaN, date: dates[extreme] ?? Number.NaN };
  }
}

/**
 * Computes a climate value of a year, for example its mean temperature, from the values of its months. It is valid only if the
 * values of all 12 months are valid.
 */
function figureOfYear(statistic: ElementStatistic, months: readonly Figure[]): Figure {
  const value = combineMonths(
    statistic,
    months.map((month) => month.value),
  );
  const valid = months.length === 12 && months.every((month) => month.valid);
  const result = figure(value, addSupport(months), 'every_month', valid);
  if (statistic !== 'highest' && statistic !== 'lowest') return result;
  const month = result.valid ? months.find((one) => one.value === value) : undefined;
  const source = month?.source;
  return { ...result, date: month?.date ?? Number.NaN, ...(source !== undefined && { source }) };
}

/**
 * The sum of a year with amounts of several days. An amount whose days are in two months is in no sum of a month, but in the sum of
 * the year.
 */
function sumOfYear(dates: Int32Array, element: DailyElement, year: YearRows, isOver: boolean): Figure {
  const { value, ...support } = numberOf(dates, element, year);
  return figure(value, support, 'every_month', year.months.length === 12 && support.missing === 0 && isOver);
}

/** Computes a climate value of a year, for example its mean temperature, from the values of its months. */
export function combineMonths(statistic: ElementStatistic, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'mean') return sum / values.length;
  if (statistic === 'highest') return Math.max(...values);
  return statistic === 'lowest' ? Math.min(...values) : sum;
}

/**
 * Removes the periods before the first and after the last observation. The label of a period consists of the first characters of
 * its dates, so labels and dates can be compared as texts.
 */
export function observedRows<Row extends ClimateRow>(
  days: ClimateDays | undefined,
  rows: readonly Row[],
): readonly Row[] {
  const { first, last } = days?.observed ?? {};
  if (first === undefined || last === undefined) return [];
  return rows.filter(
    ({ label }) => label >= first.slice(0, label.length) && label <= last.slice(0, label.length),
  );
}
