import { MILLISECONDS } from '../../time.js';
import { type DayQuantity, QUANTITIES_OF_DAY, type Source } from './day-values.js';
import { variableNamed } from '../variables.js';

/** Where the values of days come from: computed from the observations of each day, or published for the day. */
export const SOURCES_OF_DAYS = ['observations', 'daily'] as const;
export type DaySource = (typeof SOURCES_OF_DAYS)[number];

/**
 * Minutes after midnight at which the days begin to which values of days are assigned. A value whose 24 hours end at 12:00 or earlier
 * belongs to the day before, a later one to the day in which it ends: each to the day that has most of its hours.
 */
export const NOON = MILLISECONDS.day / 2 / MILLISECONDS.minute;

/** The quantities that are published for days. */
const PUBLISHED: Partial<Readonly<Record<DayQuantity, Source>>> = {
  maximum: { variable: 'daily_maximum_air_temperature', statistic: 'max' },
  minimum: { variable: 'daily_minimum_air_temperature', statistic: 'min' },
  mean: { variable: 'daily_mean_air_temperature', statistic: 'mean' },
  precipitation: { variable: 'daily_precipitation_amount', statistic: 'sum' },
};

/** Whether a quantity is taken from values of days, if the source is `daily`. */
export function isPublished(quantity: DayQuantity): boolean {
  return PUBLISHED[quantity] !== undefined;
}

/** The variable and the statistic of a quantity of days. */
export function sourceIn(source: DaySource, quantity: DayQuantity): Source {
  return (source === 'daily' ? PUBLISHED[quantity] : undefined) ?? QUANTITIES_OF_DAY[quantity];
}

/**
 * The source of a station that nobody has chosen: values of days if it has nothing else.
 *
 * @param variables numbers of those that the station has
 */
export function usualSource(variables: readonly number[]): DaySource {
  const has = (source: DaySource) =>
    Object.keys(PUBLISHED).some((quantity) => {
      const { variable } = sourceIn(source, quantity as DayQuantity);
      return variables.includes(variableNamed(variable)?.number ?? Number.NaN);
    });
  return has('daily') && !has('observations') ? 'daily' : 'observations';
}
