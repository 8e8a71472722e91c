import type { YearRows } from '../calendar-rows.js';
import type { Rows } from '../rows.js';
import type { ClimateDays, ClimateQuantity } from '../climate-days.js';
import type { MeasuredElement } from '../elements.js';
import { percentile } from '../usual.js';
import { ORIGIN } from '../provenance.js';
import type { Validity } from '../validity.js';
import { lMomentsOf } from '../distributions.js';
import { type ExtremeValues, extremeValueQuantile, fitExtremeValues } from './extreme-values.js';

/** A quantity whose largest values of years have return levels. */
export interface ExtremeElement extends MeasuredElement {
  readonly description: string;
  readonly quantity: ClimateQuantity;
}

export const EXTREMES: readonly ExtremeElement[] = [
  {
    name: 'greatest_daily_precipitation',
    description: 'greatest sum of a day',
    variable: 'precipitation_amount',
    quantity: 'precipitation',
  },
  {
    name: 'highest_wind',
    description: 'highest gust or wind speed',
    variable: 'wind_speed',
    quantity: 'peakWind',
  },
];

/** Return periods of the levels, in years. */
export const RETURN_PERIODS = [2, 5, 10, 20, 50, 100] as const;
/** Fewest years with a valid maximum. */
export const MIN_YEARS_OF_EXTREMES = 20;
/** Number of samples of the bootstrap, and the share of the levels of these samples that the interval contains. */
export const SAMPLES = 1000;
export const SHARE_OF_INTERVAL = 0.95;
/** Largest numbers of missing days of a year and of a month, as for an index of a year (`climdex_year`). */
const MAX_MISSING = { year: 15, month: 3 };

/** The level that a year exceeds with the probability 1 / `period`. Numbers are NaN with too few years. */
export interface ReturnLevel {
  readonly period: number;
  readonly value: number;
  /** The ends of the interval. */
  readonly low: number;
  readonly high: number;
}

export interface ReturnLevels {
  readonly levels: readonly ReturnLevel[];
  /** Number of years with a valid maximum. */
  readonly years: number;
  readonly missingYears: number;
  /** Number of years whose maximum is a published value; undefined if all values have the same source. */
  readonly dailyYears?: number;
  readonly rule: Validity;
  readonly valid: boolean;
}

/**
 * The return levels of the largest values of years.
 *
 * @param years the years of the table
 * @param today the current day, as in `MonthTerms.today`
 */
export function returnLevels(
  days: ClimateDays,
  years: readonly YearRows[],
  quantity: ClimateQuantity,
  today: number,
): ReturnLevels {
  const values = days.known(quantity);
  const { origins } = days.provenance(quantity);
  let dailyYears = 0;
  const missingIn = ({ from, to }: Rows) =>
    values.subarray(from, to).reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const maxima = years.flatMap((year) => {
    const isOver = (days.dates[year.to - 1] as number) < today;
    const isKnown =
      missingIn(year) <= MAX_MISSING.year &&
      year.months.length === 12 &&
      year.months.every((month) => missingIn(month) <= MAX_MISSING.month);
    if (!isOver || !isKnown) return [];
    let greatest = -1;
    for (let row = year.from; row < year.to; row += 1)
      if ((values[row] as number) > (values[greatest] ?? -Infinity)) greatest = row;
    if (origins?.[greatest] === ORIGIN.daily) dailyYears += 1;
    return [values[greatest] ?? -Infinity];
  });
  const counts = {
    years: maxima.length,
    missingYears: years.length - maxima.length,
    ...(origins !== undefined && { dailyYears }),
  };
  const fitted = maxima.length < MIN_YEARS_OF_EXTREMES ? undefined : fitExtremeValues(lMomentsOf(maxima));
  if (fitted === undefined) {
    const unknown = { value: Number.NaN, low: Number.NaN, high: Number.NaN };
    const levels = RETURN_PERIODS.map((period) => ({ period, ...unknown }));
    return { levels, ...counts, rule: 'extremes', valid: false };
  }
  return { levels: levelsOf(fitted, maxima.length), ...counts, rule: 'extremes', valid: true };
}

/** The levels with intervals from samples of the fitted distribution, which have the size of the observed sample. */
export function levelsOf(fitted: ExtremeValues, size: number): readonly ReturnLevel[] {
  const random = randomNumbers();
  const ofSamples = RETURN_PERIODS.map(() => new Float64Array(SAMPLES));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const values = Array.from({ length: size }, () => extremeValueQuantile(fitted, random()));
    const again = fitExtremeValues(lMomentsOf(values)) ?? fitted;
    for (const [index, period] of RETURN_PERIODS.entries())
      (ofSamples[index] as Float64Array)[sample] = extremeValueQuantile(again, 1 - 1 / period);
  }
  const outside = (1 - SHARE_OF_INTERVAL) / 2;
  return RETURN_PERIODS.map((period, index) => {
    const sorted = (ofSamples[index] as Float64Array).sort();
    return {
      period,
      value: extremeValueQuantile(fitted, 1 - 1 / period),
      low: percentile(sorted, outside),
      high: percentile(sorted, 1 - outside),
    };
  });
}

/**
 * A generator of numbers between 0 and 1, both excluded: mulberry32 by Ettinger (2017). It begins with the same state each time, so that
 * the same days give the same interval.
 */
function randomNumbers(): () => number {
  let state = 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}
