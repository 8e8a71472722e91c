import { MILLISECONDS } from '../../time.js';
import type { Bucket } from './bucket.js';
import type { KnownValues } from './column-sums.js';
import type { Coverage } from './coverage.js';
import { HOURS } from './layout.js';
import type { RainStatistics } from './statistics.js';

/** Index of the first field that only rain has (layout.ts). */
const RAIN_FIELDS = 8;
/** Amounts of hours are rounded to a millionth of a millimeter, so that daily aggregates can store them as decimals. */
const DECIMALS = 1e6;
/** Number of clock hours of `RainStatistics.dayMax`. */
const WINDOW = 24;

/**
 * Computes two facts of a bucket, which is one day, and writes them to `fields`: the largest amount in 60 minutes that end with a
 * report, and the amount of each clock hour. The largest amount stays unknown if the amounts have intervals of more than an hour,
 * or of unknown length.
 */
export function addRain(
  fields: readonly Float64Array[],
  index: number,
  { start }: Bucket,
  { times, values, from, to }: KnownValues,
  { interval }: Coverage,
): void {
  const [maxs, maxTimes, hours] = rainFields(fields);
  let first = from;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    const value = values[row] as number;
    // An amount belongs to the hour that contains its time. At a full hour, the amount belongs to the hour that ends then.
    const hour = Math.floor((time - 1 - start) / MILLISECONDS.hour);
    const at = index * HOURS + Math.min(Math.max(hour, 0), HOURS - 1);
    // A negative amount is wrong, and is not added to the amounts of the clock hours.
    if (value > 0) hours[at] = (hours[at] as number) + value;
    if (!(interval <= MILLISECONDS.hour)) continue;
    while ((times[first] as number) <= time - MILLISECONDS.hour) first += 1;
    if (value === 0 && row > from) continue;
    let sum = 0;
    for (let earlier = first; earlier <= row; earlier += 1) sum += values[earlier] as number;
    if (sum <= (maxs[index] as number)) continue;
    maxs[index] = sum;
    if (sum > 0) maxTimes[index] = time;
  }
  for (let at = index * HOURS; at < (index + 1) * HOURS; at += 1)
    hours[at] = Math.round((hours[at] as number) * DECIMALS) / DECIMALS;
}

const rainFields = (fields: readonly Float64Array[]) =>
  fields.slice(RAIN_FIELDS) as [Float64Array, Float64Array, Float64Array];

/**
 * The largest amounts in an hour and in 24 hours over the buckets from `from` to `to` (not included), which are consecutive days.
 * The hour and the 24 hours are completely within these days.
 */
export function rainStatistics(
  fields: readonly Float64Array[],
  buckets: readonly Bucket[],
  from: number,
  to: number,
): RainStatistics {
  const [maxs, maxTimes] = rainFields(fields);
  const [counts] = fields as [Float64Array];
  let [hourMax, hourMaxTime, isHourly] = [Number.NaN, Number.NaN, true];
  for (let index = from; index < to; index += 1) {
    const own = maxs[index] as number;
    // The largest amount in an hour is unknown for a day whose amounts have intervals of more than an hour, or of unknown length.
    if (Number.isNaN(own) && counts[index] !== 0) isHourly = false;
    if (!(own > hourMax) && !(Number.isNaN(hourMax) && !Number.isNaN(own))) continue;
    hourMax = own;
    hourMaxTime = maxTimes[index] as number;
  }
  const [dayMax, dayMaxTime] =
    to - from > 1 ? largestOfDay(fields, buckets, from, to) : [Number.NaN, Number.NaN];
  return { hourMax, hourMaxTime, dayMax, dayMaxTime, isHourly };
}

/** The largest sum of `WINDOW` consecutive clock hours of several days, and the end of the last of these hours. */
function largestOfDay(
  fields: readonly Float64Array[],
  buckets: readonly Bucket[],
  from: number,
  to: number,
): [amount: number, time: number] {
  const [, , hours] = rainFields(fields);
  const window = new Float64Array(WINDOW);
  let [sum, next, largest, time] = [0, 0, 0, Number.NaN];
  for (let index = from; index < to; index += 1) {
    const { start, end } = buckets[index] as Bucket;
    const count = Math.min(HOURS, Math.ceil((end - start) / MILLISECONDS.hour));
    for (let hour = 0; hour < count; hour += 1) {
      const amount = hours[index * HOURS + hour] as number;
      sum += amount - (window[next] as number);
      window[next] = amount;
      next = next + 1 === WINDOW ? 0 : next + 1;
      if (sum <= largest || amount === 0) continue;
      largest = sum;
      time = Math.min(end, start + (hour + 1) * MILLISECONDS.hour);
    }
  }
  return [largest, time];
}
