import { MILLISECONDS } from '../../time.js';
import { type DayQuantity, QUANTITIES_OF_DAY, type Source } from './climate-days.js';
import type { DaySource } from './provenance.js';
import { V, variableNamed } from '../variables.js';

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
  sunshine: { variable: 'daily_duration_of_sunshine', statistic: 'sum' },
  humidity: { variable: 'daily_mean_relative_humidity', statistic: 'mean' },
  pressure: { variable: 'daily_mean_air_pressure_at_mean_sea_level', statistic: 'mean' },
  wind: { variable: 'daily_mean_wind_speed', statistic: 'mean' },
  highestWind: { variable: 'daily_maximum_wind_speed', statistic: 'max' },
  windDirection: { variable: 'daily_mean_wind_from_direction', statistic: 'mean' },
  gust: { variable: 'daily_maximum_wind_speed_of_gust', statistic: 'max' },
  newSnow: { variable: 'daily_thickness_of_snowfall_amount', statistic: 'sum' },
  snowDepth: { variable: 'daily_surface_snow_thickness', statistic: 'max' },
};

/** Numbers of the variables with published amounts of several days, and with their numbers of days, by quantity. */
const PUBLISHED_AMOUNTS: Partial<
  Readonly<Record<DayQuantity, { readonly amount: number; readonly days: number }>>
> = {
  precipitation: { amount: V.multidayPrecipitation, days: V.multidayPrecipitationDays },
  newSnow: { amount: V.multidaySnow, days: V.multidaySnowDays },
};

/** The quantities whose observations make `observations` the default source of a station. */
const DECISIVE: readonly DayQuantity[] = ['maximum', 'minimum', 'mean', 'precipitation'];

/**
 * The quantities that are never computed from observations with the source `daily`. The others are computed from observations if the
 * station has no published values of them.
 */
const DAILY_ONLY: ReadonlySet<DayQuantity> = new Set([...DECISIVE, 'newSnow']);

/** The variable and the statistic from which a quantity is computed. */
export function sourceOf(source: Exclude<DaySource, 'both'>, quantity: DayQuantity): Source {
  return (source === 'daily' ? PUBLISHED[quantity] : undefined) ?? QUANTITIES_OF_DAY[quantity];
}

/** The variables with the amounts of several days of a quantity; undefined if the station has none. */
export function amountsOf(quantity: DayQuantity, variables: readonly number[]) {
  const found = PUBLISHED_AMOUNTS[quantity];
  return found !== undefined && variables.includes(found.amount) && variables.includes(found.days)
    ? found
    : undefined;
}

/**
 * How quantities are read: from published values, from observations, or with the source `both` from both.
 *
 * @param variables numbers of the variables of the station
 */
export function readFrom(
  source: DaySource,
  quantities: readonly DayQuantity[],
  variables: readonly number[],
): { readonly published: readonly DayQuantity[]; readonly observed: readonly DayQuantity[] } {
  const published = quantities.filter(
    (quantity) =>
      source !== 'observations' &&
      (hasVariable(PUBLISHED[quantity], variables) || (source === 'daily' && DAILY_ONLY.has(quantity))),
  );
  const observed = source === 'daily' ? quantities.filter((one) => !published.includes(one)) : quantities;
  return { published, observed };
}

/**
 * The default source of a station: `daily` if the station has published values of days, but no observations from which the same
 * quantities can be computed. Otherwise `observations`.
 *
 * @param variables numbers of the variables of the station
 */
export function defaultSource(variables: readonly number[]): DaySource {
  const areObserved = (quantities: readonly DayQuantity[]) =>
    quantities.some((one) => hasVariable(QUANTITIES_OF_DAY[one], variables));
  const arePublished = (quantities: readonly DayQuantity[]) =>
    quantities.some((one) => hasVariable(PUBLISHED[one], variables));
  const all = Object.keys(QUANTITIES_OF_DAY) as DayQuantity[];
  const isDaily =
    (arePublished(DECISIVE) && !areObserved(DECISIVE)) || (arePublished(all) && !areObserved(all));
  return isDaily ? 'daily' : 'observations';
}

function hasVariable(source: Source | undefined, variables: readonly number[]): boolean {
  const number = source && variableNamed(source.variable)?.number;
  return number !== undefined && variables.includes(number);
}
