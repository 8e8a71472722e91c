import { monthLabel, type MonthRows, monthsOf } from '../calendar-rows.js';
import type { ClimateDays, ClimateQuantity } from '../climate-days.js';
import type { MeasuredElement } from '../elements.js';
import type { YearSpan } from '../normals.js';
import {
  addSupport,
  type ClimateRow,
  figure,
  type Figure,
  meetsMonthRule,
  type Support,
} from '../validity.js';
import { combineProvenances, numberSource, ORIGIN, type Provenance } from '../provenance.js';
import {
  type Distribution,
  gammaDistribution,
  lMomentsOf,
  logLogisticDistribution,
  normalQuantile,
} from '../distributions.js';
import { hargreaves } from './hargreaves.js';

export const DROUGHT_INDICES = ['spi', 'spei'] as const;
export type DroughtIndexName = (typeof DROUGHT_INDICES)[number];

/** Numbers of months over which rain, or rain minus evapotranspiration, is added up. */
export const SCALES = [1, 3, 6, 12] as const;
export type Scale = (typeof SCALES)[number];

/** Fewest sums of a reference for one time of the year: WMO-No. 1090 asks for 20 to 30 years. */
export const MIN_REFERENCE = 20;
/** Fewest positive amounts to which a gamma distribution is fitted. Of fewer years with rain, the wet ones have no index. */
const MIN_WET = 10;

export interface DroughtIndex {
  readonly name: DroughtIndexName;
  readonly title: string;
  /** How the index is computed, with sources. */
  readonly method: string;
  readonly quantities: readonly ClimateQuantity[];
  /** The index, and the sum from which it is computed. */
  readonly elements: readonly (MeasuredElement & { readonly description: string })[];
}

const PRECIPITATION = 'precipitation_amount';

export const DROUGHT: Readonly<Record<DroughtIndexName, DroughtIndex>> = {
  spi: {
    name: 'spi',
    title: 'Standardized Precipitation Index',
    method:
      'McKee et al. (1993), WMO-No. 1090: sums of rain, gamma distribution by L-moments for each month of the year (Hosking, 1990); sums of 0 have the ' +
      'probability of the middle of their ranks (Stagge et al., 2015)',
    quantities: ['precipitation'],
    elements: [
      { name: 'spi', unit: '1', description: 'standardized sum of rain' },
      { name: 'precipitation', variable: PRECIPITATION, description: 'sum of rain of the months' },
    ],
  },
  spei: {
    name: 'spei',
    title: 'Standardized Precipitation Evapotranspiration Index',
    method:
      'Vicente-Serrano et al. (2010), Journal of Climate 23: sums of rain minus reference evapotranspiration, log-logistic distribution by unbiased ' +
      'probability-weighted moments for each month of the year; evapotranspiration of days from their extremes of temperature by Hargreaves and Samani ' +
      '(FAO-56, equation 52)',
    quantities: ['precipitation', 'midrange'],
    elements: [
      { name: 'spei', unit: '1', description: 'standardized sum of rain minus reference evapotranspiration' },
      {
        name: 'water_balance',
        variable: PRECIPITATION,
        description: 'sum of rain minus reference evapotranspiration of the months',
      },
    ],
  },
};

export interface DroughtInput {
  readonly index: DroughtIndexName;
  readonly scale: Scale;
  /** The years to which the distributions are fitted; undefined means all years of the table. */
  readonly reference?: YearSpan | undefined;
  readonly site: { readonly latitude: number; readonly longitude: number };
  /** The current day, as in `MonthTerms.today`. */
  readonly today: number;
}

/** A sum of rain, or of rain minus evapotranspiration. */
interface Sum extends Support {
  readonly value: number;
  readonly valid: boolean;
}

/** Computes an index of drought and its sums for all months of a table. */
export function droughtMonths(days: ClimateDays, input: DroughtInput): readonly ClimateRow[] {
  const months = monthsOf(days.dates);
  const sums = sumsOf(sumsOfMonths(days, months, input), input.scale);
  const isReference = ({ year }: MonthRows) =>
    input.reference === undefined || (year >= input.reference.from && year <= input.reference.to);
  const standardizers = Array.from({ length: 12 }, (_, index) => {
    const values = months.flatMap((month, at) => {
      const sum = sums[at] as Sum;
      return month.month === index + 1 && sum.valid && isReference(month) ? [sum.value] : [];
    });
    return standardizerOf(input.index, values);
  });
  return months.map((month, at) => {
    const sum = sums[at] as Sum;
    const value = standardizers[month.month - 1]?.(sum.value) ?? Number.NaN;
    const figures: Figure[] = [
      figure(value, sum, 'standardized', sum.valid && Number.isFinite(value)),
      figure(sum.value, sum, 'sum_of_months', sum.valid),
    ];
    return { label: monthLabel(month), figures };
  });
}

/** Where the sums come from. */
export function droughtProvenance(days: ClimateDays, index: DroughtIndexName): Provenance {
  const parts = DROUGHT[index].quantities.map((quantity) => days.provenance(quantity));
  return combineProvenances(parts, days.dates.length);
}

function sumsOfMonths(
  days: ClimateDays,
  months: readonly MonthRows[],
  { index, site, today }: DroughtInput,
): readonly Sum[] {
  const amounts = days.known('precipitation');
  const evapotranspiration =
    index === 'spei'
      ? hargreaves(days.dates, days.known('maximum'), days.known('minimum'), site)
      : new Float64Array(amounts.length);
  const ofDays = days.amounts('precipitation');
  const { origins } = droughtProvenance(days, index);
  return months.map((month) => {
    const { from, to } = month;
    let [origin, dailyDays, multidayDays, splitDays] = [0, 0, 0, 0];
    let [rain, rainDays, lost, lostDays, known, inRow, gap] = [0, 0, 0, 0, 0, 0, 0];
    for (let row = from; row < to; row += 1) {
      const share = ofDays?.shareOf(row, month);
      const [amount, loss] = [share ?? (amounts[row] as number), evapotranspiration[row] as number];
      if (share !== undefined) multidayDays += 1;
      else if (Number.isNaN(amount) && ofDays?.covers(row)) splitDays += 1;
      if (!Number.isNaN(amount)) [rain, rainDays] = [rain + amount, rainDays + 1];
      if (Number.isNaN(loss)) {
        gap += 1;
        inRow = Math.max(inRow, gap);
      } else [lost, lostDays, gap] = [lost + loss, lostDays + 1, 0];
      if (Number.isNaN(amount + loss)) continue;
      known += 1;
      if (origins === undefined) continue;
      const own = (origins[row] as number) | (share === undefined ? 0 : ORIGIN.daily);
      origin |= own;
      if (own === ORIGIN.daily) dailyDays += 1;
    }
    const length = to - from;
    const isOver = (days.dates[to - 1] as number) < today;
    const isLossValid = lostDays > 0 && meetsMonthRule('wmo_1203', { missing: length - lostDays, inRow });
    return {
      value: rain - (lost / lostDays) * length,
      days: known,
      missing: length - known,
      ...numberSource(origin, dailyDays),
      multidayDays,
      splitDays,
      valid: isOver && rainDays === length && isLossValid,
    };
  });
}

/** The sums of each month and of the months before it, `scale` months in total. The first months of a table have no sum. */
function sumsOf(months: readonly Sum[], scale: Scale): readonly Sum[] {
  return months.map((_, at) => {
    const parts = months.slice(Math.max(0, at + 1 - scale), at + 1);
    const total = (of: (part: Sum) => number) => parts.reduce((sum, part) => sum + of(part), 0);
    return {
      value: total(({ value }) => value),
      ...addSupport(parts),
      valid: parts.length === scale && parts.every(({ valid }) => valid),
    };
  });
}

/**
 * Returns the function that standardizes a sum: the value of the standard normal distribution with the same probability. Undefined if
 * the reference has too few values, or for SPEI if all of them are equal.
 *
 * @param values the sums of the reference
 */
export function standardizerOf(
  index: DroughtIndexName,
  values: readonly number[],
): ((sum: number) => number) | undefined {
  if (values.length < MIN_REFERENCE) return undefined;
  if (index === 'spei') {
    if (areEqual(values)) return undefined;
    const distribution = logLogisticDistribution(lMomentsOf(values));
    return (sum) => normalQuantile(distribution(sum));
  }
  const wet = values.filter((value) => value > 0);
  const dry = values.length - wet.length;
  const isFitted = wet.length >= MIN_WET && !areEqual(wet);
  const distribution: Distribution = isFitted ? gammaDistribution(lMomentsOf(wet)) : () => Number.NaN;
  const ofDry = dry / (values.length + 1);
  return (sum) =>
    sum > 0
      ? normalQuantile(ofDry + (1 - ofDry) * distribution(sum))
      : normalQuantile((dry + 1) / (2 * (values.length + 1)));
}

const areEqual = (values: readonly number[]) => values.every((value) => value === values[0]);
