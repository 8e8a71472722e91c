import { type MonthRows, monthLabel, type Rows, type YearRows, yearLabel } from './calendar-rows.js';
import type { ClimateDays } from './day-values.js';
import type { DailyElement, ElementStatistic } from './elements.js';
import type { MonthRule } from '../summaries/completeness.js';
import { type ClimateRow, figure, type Figure, type Gaps, meanHolds } from './validity.js';

/** The figures of a month or a year. */
export interface PeriodFigures extends ClimateRow {
  readonly year: number;
  /** 1 to 12; 0 for a year. */
  readonly month: number;
}

/** When a number of a month is valid. */
export interface MonthTerms {
  /** For means and extremes; sums, numbers of days and elements with `needsEveryDay` need every day. */
  readonly rule: MonthRule;
  /** The running day, as days from 1970-01-01. Periods that reach to it or beyond are not valid, and have numbers so far. */
  readonly today: number;
}

export interface MonthsAndYears {
  readonly months: readonly PeriodFigures[];
  readonly years: readonly PeriodFigures[];
}

/**
 * The figures of all months and years of a table of days.
 *
 * @param dates as in `ClimateDays`
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
    const ofYear = one.months.map((month) => ofMonth(dates, month, elements, terms));
    months.push(...ofYear);
    const figures = elements.map((element, index) => ({
      ...figureOfYear(
        element.statistic,
        ofYear.map((month) => month.figures[index] as Figure),
      ),
      ...soFarOf(dates, element, one, terms.today),
    }));
    sums.push({ label: yearLabel(one.year), year: one.year, month: 0, figures });
  }
  return { months, years: sums };
}

function ofMonth(
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
  const isWhole = needsEveryDay || statistic === 'sum' || statistic === 'days';
  const holds = isWhole ? counts.missing === 0 : meanHolds(rule, counts);
  const found = figure(value, counts, isWhole ? 'every_day' : rule, holds && running.soFar === undefined);
  return { ...found, ...(date !== undefined && { date: found.valid ? date : Number.NaN }), ...running };
}

/** The number of the days of a period that are before `today`; nothing for a period that is over. */
function soFarOf(
  dates: Int32Array,
  element: DailyElement,
  { from, to }: Rows,
  today: number,
): Pick<Figure, 'soFar'> {
  let end = to;
  while (end > from && (dates[end - 1] as number) >= today) end -= 1;
  if (end === to) return {};
  const { inRow: _ignored, value, ...found } = numberOf(dates, element, { from, to: end });
  const until = end === from ? Number.NaN : (dates[end - 1] as number);
  return { soFar: { ...found, value: found.days === 0 ? Number.NaN : value, until } };
}

/** The number that days make, whether valid or not. */
interface FoundNumber extends Gaps {
  readonly value: number;
  readonly days: number;
  /** Of an extreme; NaN without one. */
  readonly date?: number;
}

function numberOf(
  dates: Int32Array,
  { values, statistic, threshold = 0 }: DailyElement,
  { from, to }: Rows,
): FoundNumber {
  let [days, sum, reached, gap, inRow] = [0, 0, 0, 0, 0];
  let extreme = -1;
  const isBeyond = (value: number, other: number) => (statistic === 'lowest' ? value < other : value > other);
  for (let row = from; row < to; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) {
      gap += 1;
      inRow = Math.max(inRow, gap);
      continue;
    }
    gap = 0;
    days += 1;
    sum += value;
    if (value >= threshold) reached += 1;
    if (extreme < 0 || isBeyond(value, values[extreme] as number)) extreme = row;
  }
  const counts = { days, missing: to - from - days, inRow };
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

/** A year needs all of its months. */
function figureOfYear(statistic: ElementStatistic, months: readonly Figure[]): Figure {
  const value = ofMonths(
    statistic,
    months.map((month) => month.value),
  );
  const valid = months.length === 12 && months.every((month) => month.valid);
  const found = figure(value, countsOf(months), 'every_month', valid);
  if (statistic !== 'highest' && statistic !== 'lowest') return found;
  const date = found.valid ? months.find((month) => month.value === value)?.date : undefined;
  return { ...found, date: date ?? Number.NaN };
}

/** The number of a year from those of its months. */
export function ofMonths(statistic: ElementStatistic, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'mean') return sum / values.length;
  if (statistic === 'highest') return Math.max(...values);
  return statistic === 'lowest' ? Math.min(...values) : sum;
}

/** The days of several figures together. */
export function countsOf(figures: readonly Figure[]): { readonly days: number; readonly missing: number } {
  return {
    days: figures.reduce((sum, { days }) => sum + days, 0),
    missing: figures.reduce((sum, { missing }) => sum + missing, 0),
  };
}

/**
 * Leaves out the periods before the first and after the last observation. They are recognized by their labels, which are beginnings of
 * dates.
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
