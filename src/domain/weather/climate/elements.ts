import type { ClimateDays, ClimateQuantity } from './climate-days.js';

/**
 * The statistic over the days of a period. The result of a year is computed from the results of its months: for `mean` as their
 * mean, for `sum` and `days` as their sum.
 */
export type ElementStatistic = 'mean' | 'sum' | 'days' | 'highest' | 'lowest';

/** The name and the unit of a climate value, for example of the mean temperature of a month. */
export interface MeasuredElement {
  readonly name: string;
  /** The number has the unit of this variable. Undefined for a number of days. */
  readonly variable?: string;
  /**
   * Whether the number is a difference of temperatures, such as a range. A difference is converted without the offset of the
   * unit: a difference of 10 °C is 18 °F.
   */
  readonly isDifference?: true;
  /** Text behind the unit: ` d` in `°C d`. */
  readonly suffix?: string;
}

/** A climate value that is computed for months and years, for example the mean temperature. */
export interface Element extends MeasuredElement {
  /** The description in the documentation. */
  readonly description: string;
  readonly quantity: ClimateQuantity;
  readonly statistic: ElementStatistic;
  /** For the statistic `days`: a day counts if its value is at least the threshold. */
  readonly threshold?: number;
  /**
   * For an extreme: whether it is valid only if every day has a value. If false, some days may be missing, as for a mean
   * (`MonthTerms.rule`).
   */
  readonly needsEveryDay?: boolean;
}

const TEMPERATURE = 'air_temperature';
const PRECIPITATION = 'precipitation_amount';

/** Smallest precipitation of a wet day, in mm: WMO-No. 1203 and ETCCDI. */
export const WET_DAY = 1;

/** The elements of months and years, in the order of replies. */
export const ELEMENTS: readonly Element[] = [
  {
    name: 'mean_temperature',
    description: 'mean of the daily means of all values',
    variable: TEMPERATURE,
    quantity: 'mean',
    statistic: 'mean',
  },
  {
    name: 'mean_of_daily_extremes',
    description: 'mean of (maximum + minimum) / 2',
    variable: TEMPERATURE,
    quantity: 'midrange',
    statistic: 'mean',
  },
  {
    name: 'mean_daily_maximum',
    description: 'mean of the daily maxima',
    variable: TEMPERATURE,
    quantity: 'maximum',
    statistic: 'mean',
  },
  {
    name: 'mean_daily_minimum',
    description: 'mean of the daily minima',
    variable: TEMPERATURE,
    quantity: 'minimum',
    statistic: 'mean',
  },
  {
    name: 'highest_temperature',
    description: 'highest value and its day',
    variable: TEMPERATURE,
    quantity: 'maximum',
    statistic: 'highest',
  },
  {
    name: 'lowest_temperature',
    description: 'lowest value and its day',
    variable: TEMPERATURE,
    quantity: 'minimum',
    statistic: 'lowest',
  },
  {
    name: 'precipitation',
    description: 'sum of all amounts',
    variable: PRECIPITATION,
    quantity: 'precipitation',
    statistic: 'sum',
  },
  {
    name: 'wet_days',
    description: 'days of at least 1 mm',
    quantity: 'precipitation',
    statistic: 'days',
    threshold: WET_DAY,
  },
  {
    name: 'greatest_daily_precipitation',
    description: 'greatest sum of a day, and the day; needs every day',
    variable: PRECIPITATION,
    quantity: 'precipitation',
    statistic: 'highest',
    // Rain falls on few days, so a single missing day may be the wettest day. An incomplete day counts as missing, because its
    // amount may be too small.
    needsEveryDay: true,
  },
  {
    name: 'sunshine',
    description: 'sum of the duration',
    variable: 'duration_of_sunshine',
    quantity: 'sunshine',
    statistic: 'sum',
  },
  {
    name: 'mean_sea_level_pressure',
    description: 'mean of the daily means of the pressure at sea level',
    variable: 'air_pressure_at_mean_sea_level',
    quantity: 'pressure',
    statistic: 'mean',
  },
  {
    name: 'mean_relative_humidity',
    description: 'mean of the daily means',
    variable: 'relative_humidity',
    quantity: 'humidity',
    statistic: 'mean',
  },
  {
    name: 'mean_wind_speed',
    description: 'mean of the daily means',
    variable: 'wind_speed',
    quantity: 'wind',
    statistic: 'mean',
  },
  {
    name: 'highest_wind',
    description: 'highest gust or wind speed, and its day',
    variable: 'wind_speed',
    quantity: 'peakWind',
    statistic: 'highest',
  },
];

/** A number that is computed for months and years (see `Element`), with the values of days from which it is computed. */
export interface DailyElement extends Pick<Element, 'statistic' | 'threshold' | 'needsEveryDay'> {
  /** NaN for a missing day. */
  readonly values: Float64Array;
}

export function dailyElements(days: ClimateDays, elements: readonly Element[]): readonly DailyElement[] {
  return elements.map((element) => ({ ...element, values: days.known(element.quantity) }));
}
