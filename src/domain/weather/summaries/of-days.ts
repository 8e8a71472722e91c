import { V, type Variable } from '../variables.js';
import { isEnough } from './completeness.js';

/** Base temperatures of degree days, in °C. */
export interface DegreeDayBases {
  readonly heating: number;
  readonly cooling: number;
  readonly growing: number;
}

/** How the temperature of a day is computed for degree days: (maximum + minimum) / 2, or the mean of all values. */
export const MEANS_OF_DAY = ['midrange', 'mean'] as const;
export type DayMean = (typeof MEANS_OF_DAY)[number];

/** 65 °F for heating and cooling, as in reports of NOAA and WeeWX; 10 °C for the growth of plants. */
export const DEFAULT_BASES: DegreeDayBases = { heating: 55 / 3, cooling: 55 / 3, growing: 10 };

/** Amounts in mm from which a day counts as a day with rain. */
export const RAIN_DAYS = [0.1, 1, 10] as const;
/**
 * An amount that is too low by less than this number still counts, because sums of decimals are not exact: 0.2 + 0.7 + 0.1 is
 * 0.9999999999999999.
 */
const ROUNDING = 1e-9;

/**
 * Numbers that are computed from the sums of each day, such as degree days. The numbers of a temperature are NaN if no day is
 * used.
 */
export interface DayQuantities {
  /** Defined only for temperatures. */
  readonly temperature: TemperatureOfDays | undefined;
  /** Defined only for rain: for each amount of `RAIN_DAYS`, the number of days with at least this amount. */
  readonly rainDays: readonly number[] | undefined;
}

export interface TemperatureOfDays {
  /** (maximum + minimum) / 2 of a day; for several days the mean over the days. */
  readonly midrange: number;
  /** Degree days. For an interval of several days, NaN if one of the days is not known to be complete. */
  readonly heating: number;
  readonly cooling: number;
  readonly growing: number;
}

/** The sums of a variable for each of several days. */
export interface SumsOfDays {
  /** Length of each day in ms. */
  readonly lengths: Float64Array;
  /** The sums of all days in the order of `layoutOf` (layout.ts), such as the counts and the minima. */
  readonly fields: readonly Float64Array[];
}

/** The days of an interval: from index `from` to `to` (not included). */
export interface DaysOfInterval {
  readonly from: number;
  readonly to: number;
  /**
   * Length of the interval in ms. The length includes days without rows at the start and at the end of the interval, although
   * such days have no index.
   */
  readonly length: number;
}

/** Computes the numbers of an interval from its days. @returns undefined for variables other than temperatures and rain */
export function quantitiesOfDays(
  variable: Variable,
  sums: SumsOfDays,
  days: DaysOfInterval,
  bases: DegreeDayBases,
  dayMean: DayMean = 'mean',
): DayQuantities | undefined {
  if (variable.number === V.precipitation || variable.number === V.dailyPrecipitation)
    return { temperature: undefined, rainDays: rainDaysOf(sums, days) };
  if (variable.unit !== '°C') return undefined;
  return { temperature: temperatureOf(variable, sums, days, bases, dayMean), rainDays: undefined };
}

function rainDaysOf({ fields }: SumsOfDays, { from, to }: DaysOfInterval): number[] {
  const [counts, sums] = fields as [Float64Array, Float64Array];
  const rainDays = RAIN_DAYS.map(() => 0);
  for (let day = from; day < to; day += 1) {
    if (counts[day] === 0) continue;
    for (const [index, amount] of RAIN_DAYS.entries())
      if ((sums[day] as number) >= amount - ROUNDING) rainDays[index] = (rainDays[index] as number) + 1;
  }
  return rainDays;
}

/**
 * The mean over days uses complete days, and days whose completeness is unknown. If the interval is a single day, this day is used
 * even if it is not complete.
 */
function temperatureOf(
  variable: Variable,
  { fields, lengths }: SumsOfDays,
  { from, to, length }: DaysOfInterval,
  bases: DegreeDayBases,
  dayMean: DayMean,
): TemperatureOfDays {
  const [counts, sums, mins, , maxs, , covered, weighted] = fields as Fields;
  let [days, midranges, heating, cooling, growing] = [0, 0, 0, 0, 0];
  const isDay = to - from === 1 && lengths[from] === length;
  let completeTime = 0;
  for (let day = from; day < to; day += 1) {
    const count = counts[day] as number;
    if (count === 0) continue;
    const time = covered[day] as number;
    const isComplete = isDay || isEnough(variable, time, lengths[day] as number);
    if (!isComplete && !Number.isNaN(time)) continue;
    if (isComplete) completeTime += lengths[day] as number;
    const mean = Number.isNaN(weighted[day]) ? (sums[day] as number) / count : (weighted[day] as number);
    const midrangeOfDay = ((mins[day] as number) + (maxs[day] as number)) / 2;
    const temperature = dayMean === 'mean' ? mean : midrangeOfDay;
    days += 1;
    midranges += midrangeOfDay;
    heating += Math.max(0, bases.heating - temperature);
    cooling += Math.max(0, temperature - bases.cooling);
    growing += Math.max(0, temperature - bases.growing);
  }
  if (days === 0) return NO_TEMPERATURE;
  const midrange = midranges / days;
  return completeTime === length ? { midrange, heating, cooling, growing } : { ...NO_TEMPERATURE, midrange };
}

const NO_TEMPERATURE: TemperatureOfDays = {
  midrange: Number.NaN,
  heating: Number.NaN,
  cooling: Number.NaN,
  growing: Number.NaN,
};

type Fields = [
  ...[Float64Array, Float64Array, Float64Array, Float64Array],
  ...[Float64Array, Float64Array, Float64Array, Float64Array],
];
