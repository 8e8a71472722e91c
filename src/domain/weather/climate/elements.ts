import type { ClimateDays, ClimateQuantity } from './climate-days.js';
import type { AmountsOfDays } from './several-days.js';

/**
 * The statistic over the days of a period. The result of a year is computed from the results of its months: for `mean` as their
 * mean, for `sum` and `days` as their sum.
 */
export type ElementStatistic = 'mean' | 'sum' | 'days' | 'highest' | 'lowest';

/** The name and the unit of a climate value, for example of the mean temperature of a month. */
export interface MeasuredElement {
  readonly name: string;
  /** The number has the unit of this variable. Undefined for a number of days, a percentage and a number without a unit. */
  readonly variable?: string;
  /** The unit of a number without a variable; `d` for days by default, `1` for a number without a unit. */
  readonly unit?: 'd' | '%' | '1';
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
  /** For the statistic `days`: a day counts if its value is at least the threshold, or if its value is lower (`countsBelow`). */
  readonly threshold?: number;
  readonly countsBelow?: boolean;
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
/** Lowest maximum of a hot day, in °C: DWD. */
export const HOT_DAY = 30;
/** Smallest depth of a day with snow on the ground, in m: 1 cm, as the DWD counts days of snow cover. */
const SNOW_DAY = 0.01;
/** Lowest wind speed of a gale, in m/s: Beaufort 8 in WMO-No. 306, code table 1100. */
const GALE = 17.2;

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
  {
    name: 'frost_days',
    description: 'days with a minimum below 0 °C',
    quantity: 'minimum',
    statistic: 'days',
    threshold: 0,
    countsBelow: true,
  },
  {
    name: 'ice_days',
    description: 'days with a maximum below 0 °C',
    quantity: 'maximum',
    statistic: 'days',
    threshold: 0,
    countsBelow: true,
  },
  {
    name: 'summer_days',
    description:
      'days with a maximum of at least 25 °C (DWD); the index `SU` of the ETCCDI counts above 25 °C',
    quantity: 'maximum',
    statistic: 'days',
    threshold: 25,
  },
  {
    name: 'hot_days',
    description: 'days with a maximum of at least 30 °C (DWD)',
    quantity: 'maximum',
    statistic: 'days',
    threshold: HOT_DAY,
  },
  {
    name: 'tropical_nights',
    description:
      'days with a minimum of at least 20 °C (DWD); the index `TR` of the ETCCDI counts above 20 °C',
    quantity: 'minimum',
    statistic: 'days',
    threshold: 20,
  },
  {
    name: 'new_snow',
    description: 'sum of the depths of new snow',
    variable: 'thickness_of_snowfall_amount',
    quantity: 'newSnow',
    statistic: 'sum',
  },
  {
    name: 'greatest_snow_depth',
    description: 'greatest depth of the snow on the ground, and its day',
    variable: 'surface_snow_thickness',
    quantity: 'snowDepth',
    statistic: 'highest',
  },
  {
    name: 'snow_cover_days',
    description: 'days on which the snow on the ground was at least 1 cm deep at any time',
    quantity: 'snowDepth',
    statistic: 'days',
    threshold: SNOW_DAY,
  },
  {
    name: 'mean_daily_sunshine',
    description: 'mean of the duration of the days',
    variable: 'duration_of_sunshine',
    quantity: 'sunshine',
    statistic: 'mean',
  },
  {
    name: 'gale_days',
    description: 'days with a gust or a wind speed of at least 17.2 m/s (Beaufort 8)',
    quantity: 'peakWind',
    statistic: 'days',
    threshold: GALE,
  },
];

/** A number that is computed for months and years (see `Element`), with the values of days from which it is computed. */
export interface DailyElement extends Pick<
  Element,
  'statistic' | 'threshold' | 'countsBelow' | 'needsEveryDay'
> {
  /** NaN for a missing day. */
  readonly values: Float64Array;
  /** Where the values come from, as in `Provenance`. */
  readonly origins?: Uint8Array | undefined;
  /** The published amounts of several days. */
  readonly amounts?: AmountsOfDays | undefined;
}

export function dailyElements(days: ClimateDays, elements: readonly Element[]): readonly DailyElement[] {
  return elements.map((element) => ({
    ...element,
    values: days.known(element.quantity),
    origins: days.provenance(element.quantity).origins,
    amounts: days.amounts(element.quantity),
  }));
}
