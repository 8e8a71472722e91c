import { type MonthRows, monthLabel, type YearRows, yearLabel } from '../calendar-rows.js';
import type { Rows } from '../rows.js';
import type { ClimateDays, ClimateQuantity } from '../climate-days.js';
import { sourceIn } from '../provenance.js';
import { type ClimateRow, figure, type Figure, type Support, type Validity } from '../validity.js';
import { type ClimateIndex, type Frequency, INDICES } from './definitions.js';
import { growingSeasonLength, seasonYears } from './growing-season.js';

/**
 * Largest number of missing days of a valid period, as in climdex.pcic. A season or a year is valid only if all its months are
 * valid too.
 */
const MAX_MISSING: Readonly<Record<Frequency, number>> = { month: 3, season: 6, year: 15 };

export interface IndexInput {
  readonly frequency: Frequency;
  readonly isNorthern: boolean;
  /** The threshold of `Rnnmm`, in mm. */
  readonly threshold: number;
  /** The current day, as in `MonthTerms.today`. */
  readonly today: number;
}

/** A month, a season or a year. */
interface Period extends Rows {
  readonly label: string;
  readonly months: readonly MonthRows[];
}

/** The indices that exist for a frequency. */
export function indicesOf(
  frequency: Frequency,
  indices: readonly ClimateIndex[] = INDICES,
): readonly ClimateIndex[] {
  return indices.filter(({ frequencies }) => frequencies.includes(frequency));
}

/**
 * Computes `indices` for all periods of a table. The indices must exist for `input.frequency`. A spell may cross the end of a
 * year.
 */
export function indexFigures(
  days: ClimateDays,
  years: readonly YearRows[],
  indices: readonly ClimateIndex[],
  input: IndexInput,
): readonly ClimateRow[] {
  const periods = periodsOf(years, input.frequency);
  const isOver = ({ to }: Rows) => (days.dates[to - 1] as number) < input.today;
  const columns = indices.map((index) => {
    if (index.begin === undefined) return growingSeasons(days, years, periods, input.isNorthern, isOver);
    const compute = index.begin(days, input.threshold);
    const countMissing = missingDayCounter(days, index.quantity);
    const supportIn = supportOf(days, index.quantity);
    return periods.map((period) => {
      const missing = countMissing(period);
      const isFull = input.frequency !== 'season' || period.months.length === 3;
      const isValid =
        isFull &&
        isOver(period) &&
        missing <= MAX_MISSING[input.frequency] &&
        period.months.every((month) => countMissing(month) <= MAX_MISSING.month);
      const rule: Validity = index.rule ?? (index.isSpell ? 'climdex_spell' : `climdex_${input.frequency}`);
      return figure(isValid ? compute(period) : Number.NaN, supportIn(period), rule, isValid);
    });
  });
  return periods.map(({ label }, row) => ({
    label,
    figures: columns.map((column) => column[row] as Figure),
  }));
}

function periodsOf(years: readonly YearRows[], frequency: Frequency): readonly Period[] {
  if (frequency === 'year') return years.map((year) => ({ ...year, label: yearLabel(year.year) }));
  const months = years.flatMap((year) => year.months);
  if (frequency === 'month')
    return months.map((month) => ({ ...month, label: monthLabel(month), months: [month] }));
  return seasonsOf(months);
}

/**
 * Divides months into seasons, which begin with December, March, June and September. The first winter of a table has no December,
 * and the last winter has only December, so both are incomplete.
 */
function seasonsOf(months: readonly MonthRows[]): readonly Period[] {
  const seasons: Period[] = [];
  for (const month of months) {
    const last = seasons.at(-1);
    if (last === undefined || month.month % 3 === 0) {
      const begin = {
        year: month.year - (month.month < 3 ? 1 : 0),
        month: month.month < 3 ? 12 : month.month,
      };
      seasons.push({ label: monthLabel(begin), from: month.from, to: month.to, months: [month] });
    } else {
      seasons[seasons.length - 1] = { ...last, to: month.to, months: [...last.months, month] };
    }
  }
  return seasons;
}

/** Returns a function that counts the missing days of a quantity. */
function missingDayCounter(days: ClimateDays, quantity: ClimateQuantity): (rows: Rows) => number {
  const values = days.known(quantity);
  const before = new Int32Array(values.length + 1);
  for (const [row, value] of values.entries())
    before[row + 1] = (before[row] as number) + (Number.isNaN(value) ? 1 : 0);
  return ({ from, to }) => (before[to] as number) - (before[from] as number);
}

/** Returns a function that counts the days of a period that support an index. */
function supportOf(days: ClimateDays, quantity: ClimateQuantity): (rows: Rows) => Support {
  const values = days.known(quantity);
  const { origins } = days.provenance(quantity);
  const amounts = days.amounts(quantity);
  return (rows) => {
    const { from, to } = rows;
    let [known, multidayDays] = [0, 0];
    for (let row = from; row < to; row += 1) {
      if (!Number.isNaN(values[row])) known += 1;
      else if (amounts?.covers(row)) multidayDays += 1;
    }
    const counts = { days: known, missing: to - from - known, ...sourceIn(origins, values, rows) };
    return multidayDays === 0 ? counts : { ...counts, multidayDays };
  };
}

/** The lengths of the growing seasons of all years. In the southern hemisphere, the last year has no length. */
function growingSeasons(
  days: ClimateDays,
  years: readonly YearRows[],
  periods: readonly Period[],
  isNorthern: boolean,
  isOver: (rows: Rows) => boolean,
): readonly Figure[] {
  const temperatures = days.known('midrange');
  const countMissing = missingDayCounter(days, 'midrange');
  const supportIn = supportOf(days, 'midrange');
  const seasons = seasonYears(years, isNorthern);
  return periods.map((period, index): Figure => {
    const season = seasons[index];
    const rule: Validity = isNorthern ? 'climdex_year' : 'climdex_southern_season';
    const rows = season ?? period;
    const missing = countMissing(rows);
    const areMonthsValid =
      !isNorthern || period.months.every((month) => countMissing(month) <= MAX_MISSING.month);
    const known = supportIn(rows);
    if (season === undefined || !isOver(season) || missing > MAX_MISSING.year || !areMonthsValid)
      return figure(Number.NaN, known, rule, false);
    return figure(growingSeasonLength(temperatures, season), known, rule, true);
  });
}
