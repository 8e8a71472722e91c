import type { DayMean, DegreeDayBases } from '../summaries/of-days.js';
import type { ClimateDays, ClimateQuantity } from './climate-days.js';
import type { DailyElement, MeasuredElement } from './elements.js';

interface DegreeDays extends MeasuredElement {
  readonly name: keyof DegreeDayBases;
  /** 1: degrees above the base; -1: degrees below it. */
  readonly sign: 1 | -1;
}

export const DEGREE_DAYS: readonly DegreeDays[] = (
  [
    { name: 'heating', sign: -1 },
    { name: 'cooling', sign: 1 },
    { name: 'growing', sign: 1 },
  ] as const
).map((one) => ({ ...one, variable: 'air_temperature', isDifference: true, suffix: ' d' }));

/** The degrees of a day above or below the base, at least 0; NaN if the temperature is NaN. */
export function degreesBeyond(temperature: number, base: number, sign: 1 | -1): number {
  return Math.max(0, sign * (temperature - base));
}

/**
 * For each day, the degrees above or below the base. The sum of these degrees over a period is its number of degree days. `days`
 * must have the quantity `mean` or `midrange`.
 */
export function dailyDegreeDays(
  days: ClimateDays,
  quantity: Extract<ClimateQuantity, DayMean>,
  bases: DegreeDayBases,
): readonly DailyElement[] {
  const temperatures = days.known(quantity);
  const { origins } = days.provenance(quantity);
  return DEGREE_DAYS.map(({ name, sign }) => ({
    statistic: 'sum',
    values: temperatures.map((temperature) => degreesBeyond(temperature, bases[name], sign)),
    origins,
  }));
}
