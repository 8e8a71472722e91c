import { MILLISECONDS } from '../../time.js';
import { type DayQuantity, QUANTITIES_OF_DAY, type Source } from './climate-days.js';
import { variableNamed } from '../variables.js';

/** Sources of the values of days: computed from the observations of each day, or published for each day. */
export const SOURCES_OF_DAYS = ['observations', 'daily'] as const;
export type DaySource = (typeof SOURCES_OF_DAYS)[number];

/**
 * Noon, in minutes after midnight. A published value describes 24 hours, which may begin at any time of the day. It belongs to
 * the calendar day that contains most of these hours, so noon decides:
 *
 * - If the 24 hours end at 12:00 or earlier, the value belongs to the day before the end. For example, a value of the 24 hours
 *   until 2 May at 07:00 belongs to 1 May.
 * - If the 24 hours end later, the value belongs to the day of the end.
 */
export const NOON = MILLISECONDS.day / 2 / MILLISECONDS.minute;

/** The variables with published values of days, by quantity. */
const PUBLISHED: Partial<Readonly<Record<DayQuantity, Source>>> = {
  maximum: { variable: 'daily_maximum_air_temperature', statistic: 'max' },
  minimum: { variable: 'daily_minimum_air_temperature', statistic: 'min' },
  mean: { variable: 'daily_mean_air_temperature', statistic: 'mean' },
  precipitation: { variable: 'daily_precipitation_amount', statistic: 'sum' },
  newSnow: { variable: 'daily_thickness_of_snowfall_amount', statistic: 'sum' },
};

/** The quantities whose observations make `observations` the default source of a station. */
const DECISIVE: readonly DayQuantity[] = ['maximum', 'minimum', 'mean', 'precipitation'];

/** Whether the source `daily` has published values of a quantity. */
export function isPublished(quantity: DayQuantity): boolean {
  return PUBLISHED[quantity] !== undefined;
}

/** The variable and the statistic from which a quantity is computed. */
export function sourceIn(source: DaySource, quantity: DayQuantity): Source {
  return (source === 'daily' ? PUBLISHED[quantity] : undefined) ?? QUANTITIES_OF_DAY[quantity];
}

/**
 * The default source of a station: `daily` if the station has published values of days, but no observations from which the same
 * quantities can be computed. Otherwise `observations`.
 *
 * @param variables numbers of the variables of the station
 */
export function defaultSource(variables: readonly number[]): DaySource {
  const has = (source: DaySource) =>
    DECISIVE.some((quantity) => {
      const { variable } = sourceIn(source, quantity);
      return variables.includes(variableNamed(variable)?.number ?? Number.NaN);
    });
  return has('daily') && !has('observations') ? 'daily' : 'observations';
}
