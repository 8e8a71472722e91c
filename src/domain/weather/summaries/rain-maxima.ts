import { MILLISECONDS } from '../../time.js';
import type { Bucket } from './bucket.js';
import type { KnownValues } from './column-sums.js';
import type { Coverage } from './coverage.js';
import { HOURS } from './layout.js';
import type { Statistics } from './statistics.js';

/** Index of the first field that only rain has, in layout.ts. */
const RAIN_FIELDS = 8;
/** Clock hours of the largest amount of a day. */
const WINDOW = 24;
/** Sums of the same amounts in another order may differ by less than this factor. */
const ROUNDING = 1 + 1e-12;

/**
 * Adds the amounts of a bucket of a day: the largest amount in 60 minutes that end with a report, and the amounts of its clock hours.
 * Amounts over more than an hour say nothing about an hour.
 */
export function addRain(
  fields: readonly Float64Array[],
  index: number,
  { start }: Bucket,
  { times, values, from, to }: KnownValues,
  { interval }: Coverage,
): void {
  const [maxs, maxTimes, hours] = fields.slice(RAIN_FIELDS) as [Float64Array, Float64Array, Float64Array];
  let first = from;
  for (let row = from; row < to; row += 1) {
    const [time, value] = [times[row] as number, values[row] as number];
    // An amount belongs to the hour that ends at its time.
    const hour = Math.floor((time - 1 - start) / MILLISECONDS.hour);
    const at = index * HOURS + Math.min(Math.max(hour, 0), HOURS - 1);
    // A negative amount, which is wrong, is in the sum only.
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
}

type RainMaxima = Pick<Statistics, 'hourMax' | 'hourMaxTime' | 'dayMax' | 'dayMaxTime'>;

/** The largest amounts over the buckets from `from` to `to` (not included), which are successive days. Both lie in them as wholes. */
export function rainStatistics(
  fields: readonly Float64Array[],
  buckets: readonly Bucket[],
  from: number,
  to: number,
): RainMaxima {
  const sums = fields[1] as Float64Array;
  const [maxs, maxTimes, hours] = fields.slice(RAIN_FIELDS) as [Float64Array, Float64Array, Float64Array];
  let [hourMax, hourMaxTime] = [Number.NaN, Number.NaN];
  let [dayMax, dayMaxTime] = [-Infinity, Number.NaN];
  for (let index = from; index < to; index += 1) {
    const own = maxs[index] as number;
    if (own > hourMax || (Number.isNaN(hourMax) && !Number.isNaN(own))) {
      hourMax = own;
      hourMaxTime = maxTimes[index] as number;
    }
    // A window that ends in this day has at most the amounts of this day and of the day before.
    const most = (sums[index] as number) + (index > from ? (sums[index - 1] as number) : 0);
    if (most * ROUNDING <= dayMax) continue;
    const { start, end } = buckets[index] as Bucket;
    for (let hour = 0; hour < hoursOf({ start, end }); hour += 1) {
      if (hours[index * HOURS + hour] === 0 && dayMax >= 0) continue;
      const sum = sumUntil(hours, buckets, from, index, hour);
      if (sum <= dayMax) continue;
      dayMax = sum;
      if (sum > 0) dayMaxTime = Math.min(end, start + (hour + 1) * MILLISECONDS.hour);
    }
  }
  const isFound = dayMax >= 0;
  return { hourMax, hourMaxTime, dayMax: isFound ? dayMax : Number.NaN, dayMaxTime };
}

/** The amount of 24 clock hours up to an hour of a day. */
function sumUntil(
  hours: Float64Array,
  buckets: readonly Bucket[],
  from: number,
  index: number,
  hour: number,
): number {
  let [day, at] = [index, hour];
  let sum = 0;
  for (let count = 0; count < WINDOW; count += 1) {
    sum += hours[day * HOURS + at] as number;
    at -= 1;
    if (at >= 0) continue;
    day -= 1;
    if (day < from) break;
    at = hoursOf(buckets[day] as Bucket) - 1;
  }
  return sum;
}

const hoursOf = ({ start, end }: Bucket) => Math.min(HOURS, Math.ceil((end - start) / MILLISECONDS.hour));
