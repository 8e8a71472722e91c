import { type MonthRows, monthLabel, type Rows, type YearRows, yearLabel } from './calendar-rows.js';
import type { ClimateDays } from './day-values.js';
import type { DailyElement, ElementStatistic } from './elements.js';
import type { MonthRule } from '../summaries/completeness.js';
import { type ClimateRow, figure, type Figure, meanHolds } from './validity.js';

/** The figures of a month or a year. */
export interface PeriodFigures extends ClimateRow {
  readonly year: number;
  /** 1 to 12; 0 for a year. */
  readonly month: number;
}

export interface MonthsAndYears {
  readonly months: readonly PeriodFigures[];
  readonly years: readonly PeriodFigures[];
}

/**
 * The figures of all months and years of a table of days.
 *
 * @param dates as in `ClimateDays`
 * @param rule for means and extremes; sums, numbers of days and elements with `needsEveryDay` need every day
 */
export function monthsAndYears(
  dates: Int32Array,
  years: readonly YearRows[],
  elements: readonly DailyElement[],
  rule: MonthRule,
): MonthsAndYears {
  const months: PeriodFigures[] = [];
  const sums: PeriodFigures[] = [];
  for (const one of years) {
    const ofYear = one.months.map((month) => ofMonth(dates, month, elements, rule));
    months.push(...ofYear);
    const figures = elements.map(({ statistic }, index) =>
      figureOfYear(
        statistic,
        ofYear.map((month) => month.figures[index] as Figure),
      ),
    );
    sums.push({ label: yearLabel(one.year), year: one.year, month: 0, figures });
  }
  return { months, years: sums };
}

function ofMonth(
  dates: Int32Array,
  month: MonthRows,
  elements: readonly DailyElement[],
  rule: MonthRule,
): PeriodFigures {
  const figures = elements.map((element) => figureOfMonth(dates, element, month, rule));
  return { label: monthLabel(month), year: month.year, month: month.month, figures };
}

function figureOfMonth(
  dates: Int32Array,
  { values, statistic, threshold = 0, needsEveryDay = false }: DailyElement,
  { from, to }: Rows,
  rule: MonthRule,
): Figure {
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
  const counts = { days, missing: to - from - days };
  switch (statistic) {
    case 'sum':
    case 'days':
      return figure(statistic === 'sum' ? sum : reached, counts, 'every_day', counts.missing === 0);
    case 'mean':
      return figure(sum / days, counts, rule, meanHolds(rule, { ...counts, inRow }));
    case 'highest':
    case 'lowest': {
      const value = values[extreme] ?? Number.NaN;
      const found = needsEveryDay
        ? figure(value, counts, 'every_day', counts.missing === 0)
        : figure(value, counts, rule, meanHolds(rule, { ...counts, inRow }));
      return { ...found, date: found.valid ? (dates[extreme] as number) : Number.NaN };
    }
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
 * Leaves out the periods before the first and after the last observation. They are recognised by their labels, which are beginnings of
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
