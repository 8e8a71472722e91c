import { daysInMonth } from '../../time.js';
import type { ElementStatistic } from './elements.js';
import { combineMonths, type PeriodFigures } from './month-figures.js';
import { addSupport, type ClimateRow, figure, type Figure, yearsNeeded } from './validity.js';

/** Years of a period, both included. */
export interface YearSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * `YEARS_OF_NORMAL`: number of years of a climatological standard normal. `MIN_YEARS`: smallest number of years of a period
 * average. Both numbers are from WMO-No. 1203.
 */
export const YEARS_OF_NORMAL = 30;
export const MIN_YEARS = 10;

export interface Normals {
  /** One row for each of the 12 months. */
  readonly months: readonly ClimateRow[];
  readonly year: ClimateRow;
}

/**
 * Averages each of the 12 months over the years of a period. Only valid months count. The average of the year is the mean or the
 * sum of the averages of the months.
 *
 * @param statistics statistics of the elements: `mean`, `sum` or `days`
 * @param months months of any years
 */
export function normalsOf(
  period: YearSpan,
  statistics: readonly ElementStatistic[],
  months: readonly PeriodFigures[],
): Normals {
  const inPeriod = months.filter(({ year }) => year >= period.from && year <= period.to);
  const rows = Array.from({ length: 12 }, (_, index): ClimateRow => {
    const ofMonth = inPeriod.filter(({ month }) => month === index + 1);
    const length = daysOfMonth(period, index + 1);
    return {
      label: String(index + 1).padStart(2, '0'),
      figures: statistics.map((_one, element) =>
        average(
          period,
          length,
          ofMonth.map((month) => month.figures[element] as Figure),
        ),
      ),
    };
  });
  const year = statistics.map((statistic, element) => {
    const averages = rows.map((row) => row.figures[element] as Figure);
    const value = combineMonths(
      statistic,
      averages.map((one) => one.value),
    );
    const valid = averages.every((one) => one.valid);
    const years = Math.min(...averages.map((one) => one.years ?? 0));
    return {
      ...figure(value, addSupport(averages), 'every_month', valid),
      ...yearCounts(period, years),
    };
  });
  return { months: rows, year: { label: 'year', figures: year } };
}

/** @param length number of days of the month in all years of the period */
function average(period: YearSpan, length: number, figures: readonly Figure[]): Figure {
  const valid = figures.filter((one) => one.valid);
  const sum = valid.reduce((total, { value }) => total + value, 0);
  const support = addSupport(figures);
  return {
    ...figure(
      sum / valid.length,
      { ...support, missing: length - support.days },
      'years_80_percent',
      valid.length >= yearsNeeded(lengthOf(period)),
    ),
    ...yearCounts(period, valid.length),
  };
}

function yearCounts(period: YearSpan, years: number) {
  return { years, missingYears: lengthOf(period) - years };
}

export function lengthOf({ from, to }: YearSpan): number {
  return to - from + 1;
}

function daysOfMonth({ from, to }: YearSpan, month: number): number {
  let days = 0;
  for (let year = from; year <= to; year += 1) days += daysInMonth(year, month);
  return days;
}
