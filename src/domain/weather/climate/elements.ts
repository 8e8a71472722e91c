import type { ClimateDays, ClimateQuantity } from './day-values.js';

/** How the days of a period make one number. Of years, a mean is the mean of the months, a number of days their sum. */
export type ElementStatistic = 'mean' | 'sum' | 'days' | 'highest' | 'lowest';

/** What a number is of, for its unit. */
export interface Measured {
  readonly name: string;
  /** The variable whose unit it has; undefined for a number of days. */
  readonly variable?: string;
  /** A difference of temperatures, such as a range or degree days: converted without the offset of the unit. */
  readonly isDifference?: true;
  /** Behind the unit: ` d` in `°C d`. */
  readonly suffix?: string;
}

/** A number that is computed for months and years. */
export interface Element extends Measured {
  readonly quantity: ClimateQuantity;
  readonly statistic: ElementStatistic;
  /** Of `days`: days with at least this value count. */
  readonly threshold?: number;
}

const TEMPERATURE = 'air_temperature';
const PRECIPITATION = 'precipitation_amount';

/** From how many mm on a day is a wet day: WMO-No. 1203 and ETCCDI. */
export const WET_DAY = 1;

/** The elements of months and years, in the order of replies. */
export const ELEMENTS: readonly Element[] = [
  { name: 'mean_temperature', variable: TEMPERATURE, quantity: 'mean', statistic: 'mean' },
  { name: 'mean_of_daily_extremes', variable: TEMPERATURE, quantity: 'midrange', statistic: 'mean' },
  { name: 'mean_daily_maximum', variable: TEMPERATURE, quantity: 'maximum', statistic: 'mean' },
  { name: 'mean_daily_minimum', variable: TEMPERATURE, quantity: 'minimum', statistic: 'mean' },
  { name: 'highest_temperature', variable: TEMPERATURE, quantity: 'maximum', statistic: 'highest' },
  { name: 'lowest_temperature', variable: TEMPERATURE, quantity: 'minimum', statistic: 'lowest' },
  { name: 'precipitation', variable: PRECIPITATION, quantity: 'precipitation', statistic: 'sum' },
  { name: 'wet_days', quantity: 'precipitation', statistic: 'days', threshold: WET_DAY },
  {
    name: 'greatest_daily_precipitation',
    variable: PRECIPITATION,
    quantity: 'precipitation',
    statistic: 'highest',
  },
  { name: 'sunshine', variable: 'duration_of_sunshine', quantity: 'sunshine', statistic: 'sum' },
  {
    name: 'mean_sea_level_pressure',
    variable: 'air_pressure_at_mean_sea_level',
    quantity: 'pressure',
    statistic: 'mean',
  },
  {
    name: 'mean_relative_humidity',
    variable: 'relative_humidity',
    quantity: 'humidity',
    statistic: 'mean',
  },
  { name: 'mean_wind_speed', variable: 'wind_speed', quantity: 'wind', statistic: 'mean' },
  { name: 'highest_wind', variable: 'wind_speed', quantity: 'peakWind', statistic: 'highest' },
];

/** An element with its value of each day. */
export interface DailyElement extends Pick<Element, 'statistic' | 'threshold'> {
  /** NaN where a day is missing. */
  readonly values: Float64Array;
}

export function dailyElements(days: ClimateDays, elements: readonly Element[]): readonly DailyElement[] {
  return elements.map((element) => ({ ...element, values: days.known(element.quantity) }));
}
