import { V, type Variable } from '../variables.js';
import { isEnough } from './completeness.js';

/** Base temperatures of degree days, in °C. */
export interface DegreeDayBases {
  readonly heating: number;
  readonly cooling: number;
  readonly growing: number;
}

/** The temperature of a day in degree days: (maximum + minimum) / 2, or the mean of all values. */
export const MEANS_OF_DAY = ['midrange', 'mean'] as const;
export type DayMean = (typeof MEANS_OF_DAY)[number];

/** 65 °F, as NOAA and WeeWX have it; for the growth of plants 10 °C. */
export const DEFAULT_BASES: DegreeDayBases = { heating: 55 / 3, cooling: 55 / 3, growing: 10 };

/** Amounts in mm from which a day counts as a day with rain. */
export const RAIN_DAYS = [0.1, 1, 10] as const;
/** Sums of decimals are not exact: 0.2 + 0.7 + 0.1 is 0.9999999999999999. */
const ROUNDING = 1e-9;

/** What is counted by days. NaN without a day that counts. */
export interface DayQuantities {
  /** Of temperatures; undefined for rain. */
  readonly temperature: TemperatureOfDays | undefined;
  /** Of rain: number of days with at least each amount of `RAIN_DAYS`. */
  readonly rainDays: readonly number[] | undefined;
}

export interface TemperatureOfDays {
  /** Half of maximum and minimum; of several days the mean of the days. */
  readonly midrange: number;
  /** Degree days. Of an interval of several days NaN unless each of them is complete. */
  readonly heating: number;
  readonly cooling: number;
  readonly growing: number;
}

/** The statistics of single days of a variable. */
export interface SumsOfDays {
  /** ms of each bucket. */
  readonly lengths: Float64Array;
  /** As in layout.ts. */
  readonly fields: readonly Float64Array[];
}

/** The days of an interval: those from `from` to `to` (not included). */
export interface DaysOfInterval {
  readonly from: number;
  readonly to: number;
  /** ms of the interval. It has more days than these if the station has no rows at its beginning or end. */
  readonly length: number;
}

/** Counts the days of an interval. Undefined for other variables than temperatures and rain. */
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
 * In the mean of the days, those count that are complete, or whose completeness is unknown. An interval of a single day always counts.
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
  // ms of the complete days
  let whole = 0;
  for (let day = from; day < to; day += 1) {
    const count = counts[day] as number;
    if (count === 0) continue;
    const time = covered[day] as number;
    const isComplete = isDay || isEnough(variable, time, lengths[day] as number);
    if (!isComplete && !Number.isNaN(time)) continue;
    if (isComplete) whole += lengths[day] as number;
    const mean = Number.isNaN(weighted[day]) ? (sums[day] as number) / count : (weighted[day] as number);
    const ofDay = ((mins[day] as number) + (maxs[day] as number)) / 2;
    const temperature = dayMean === 'mean' ? mean : ofDay;
    days += 1;
    midranges += ofDay;
    heating += Math.max(0, bases.heating - temperature);
    cooling += Math.max(0, temperature - bases.cooling);
    growing += Math.max(0, temperature - bases.growing);
  }
  if (days === 0) return NO_TEMPERATURE;
  const midrange = midranges / days;
  return whole === length ? { midrange, heating, cooling, growing } : { ...NO_TEMPERATURE, midrange };
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
