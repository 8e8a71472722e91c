import { MILLISECONDS } from '#domain/time.js';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { MIN_YEARS_OF_USUAL, percentile } from '#domain/weather/climate/usual.js';
import type { Reply } from '../../api.js';
import type { DisplayUnit } from '../../format/units.js';
import {
  daysOfYear,
  type DayRecord,
  isComplete,
  sameDate,
  valueOf,
  yearOf,
  yearsOf,
} from '../../sections/usual/day-record.js';
import type { DrawnPoint } from './drawing.js';
import type { Band } from './layout.js';
import { RAIN, type SummaryReply, TEMPERATURE } from './read.js';
import type { ShownRange } from './span.js';
import { localTime, startOfDay, startsOfDays } from './zone.js';

/** What the whole record of a station says about a range: the usual range, earlier years, and the rain of the year. */

export type UsualReply = Reply<'/v1/stations/{id}/climate/usual', 'get'>;
/** Percentiles by date. With `by=hour`, each date has 24 values. */
interface Percentiles {
  readonly p10: readonly (number | null | readonly (number | null)[])[];
  readonly p50: readonly (number | null | readonly (number | null)[])[];
  readonly p90: readonly (number | null | readonly (number | null)[])[];
}

const valueAt = (column: Percentiles['p10'] | undefined, row: number, hour: number): number | undefined => {
  const entry = column?.[row];
  const value = Array.isArray(entry) ? (entry as readonly (number | null)[])[hour] : (entry as number | null);
  return value ?? undefined;
};

/**
 * The usual range of a variable in a range of times, from the percentiles of dates: a point at the noon of each day, or a point
 * at each hour if the reply has values of hours.
 *
 * @returns undefined if no date has percentiles
 */
export function usualBand(
  reply: UsualReply,
  variable: string,
  range: ShownRange,
  zone: string,
  { convert }: Pick<DisplayUnit, 'convert'>,
): Band | undefined {
  const percentiles = (reply as unknown as Readonly<Record<string, Percentiles | undefined>>)[variable];
  if (percentiles === undefined) return undefined;
  const rows = new Map(reply.dates.map((date, index) => [date, index]));
  const isHourly = percentiles.p50.some((entry) => Array.isArray(entry));
  const band = {
    times: [] as number[],
    lows: [] as DrawnPoint[],
    middles: [] as DrawnPoint[],
    highs: [] as DrawnPoint[],
  };
  const add = (time: number, row: number, hour: number) => {
    const points = [percentiles.p10, percentiles.p50, percentiles.p90].map((column) => {
      const value = valueAt(column, row, hour);
      return value === undefined ? undefined : convert(value);
    });
    band.times.push(time);
    band.lows.push(points[0]);
    band.middles.push(points[1]);
    band.highs.push(points[2]);
  };
  const starts = startsOfDays(range.from - MILLISECONDS.day, range.to + MILLISECONDS.day, zone);
  for (const [index, start] of starts.entries()) {
    const row = rows.get(localTime(start, zone).date.slice(5));
    if (row === undefined) continue;
    const end = starts[index + 1] ?? start + MILLISECONDS.day;
    if (!isHourly) add((start + end) / 2, row, 0);
    else
      for (let time = start; time < end; time += MILLISECONDS.hour) {
        // The value of an hour is the value of its middle.
        add(time + MILLISECONDS.hour / 2, row, localTime(time, zone).hour);
      }
  }
  return band.middles.some((value) => value !== undefined) ? band : undefined;
}

/** The daily means of an earlier year, at the times of the shown range. */
export interface EarlierYear {
  /** The year in which the earlier range begins. */
  readonly year: number;
  readonly times: readonly number[];
  readonly values: readonly DrawnPoint[];
}

/** The daily mean temperatures of the same dates in all earlier years. A range longer than a year has no earlier years. */
export function earlierYears(
  record: DayRecord,
  range: ShownRange,
  zone: string,
  { convert }: Pick<DisplayUnit, 'convert'>,
): EarlierYear[] {
  if (record.last < record.first || range.to - range.from > 367 * MILLISECONDS.day) return [];
  const starts = startsOfDays(range.from, range.to, zone);
  const days = starts.map((start) => dateNumber(localTime(start, zone).date));
  const times = starts.map((start) => start + MILLISECONDS.day / 2);
  const firstYear = yearOf(days[0] ?? record.first);
  const years: EarlierYear[] = [];
  for (let year = firstYear - 1; year >= yearOf(record.first); year -= 1) {
    const values = days.map((day) => {
      const mean = valueOf(record, sameDate(day, year - firstYear), 'mean');
      return Number.isNaN(mean) ? undefined : convert(mean);
    });
    if (values.some((value) => value !== undefined)) years.push({ year, times, values });
  }
  return years;
}

/** The rain since 1 January, and how much had fallen by the same day in the other years. */
export interface RainOfYear {
  readonly year: number;
  /** The days. Each value belongs to the end of its day. */
  readonly days: readonly ShownRange[];
  readonly times: readonly number[];
  readonly values: readonly DrawnPoint[];
  /** Absent if fewer than `MIN_YEARS_OF_USUAL` other years are known. */
  readonly usual?: Band;
  readonly years: number;
  /** The last sum as a share of the median of the other years; absent without `usual`. */
  readonly share?: number;
  /** Whether days without all values are among the days, so that more can have fallen. */
  readonly isAtLeast: boolean;
}

/** A year counts up to a day if at least this share of the days before it is known. */
const MIN_KNOWN = 0.95;

/** The sum of the known rain from 1 January to each day of a year in the record, and the share of these days that is known. */
function rainSums(record: DayRecord, year: number) {
  const [sums, shares]: [number[], number[]] = [[], []];
  let [sum, known] = [0, 0];
  for (const [elapsed, day] of daysOfYear(year).entries()) {
    if (day > record.last) break;
    const rain = valueOf(record, day, 'rain');
    if (!Number.isNaN(rain)) [sum, known] = [sum + rain, known + 1];
    sums.push(sum);
    shares.push(known / (elapsed + 1));
  }
  return { sums, shares };
}

/**
 * The rain since the last 1 January of a range, or since the 1 January before the range if none is in it.
 *
 * @returns undefined if no day of the year has rain data
 */
export function rainOfYear(
  record: DayRecord,
  range: ShownRange,
  zone: string,
  { convert }: Pick<DisplayUnit, 'convert'>,
): RainOfYear | undefined {
  const year = Number(localTime(range.to - 1, zone).date.slice(0, 4));
  const own = rainSums(record, year);
  if (!own.shares.some((share) => share > 0)) return undefined;
  const others = yearsOf(record).flatMap((other) => (other === year ? [] : [rainSums(record, other)]));
  const days: ShownRange[] = [];
  const times: number[] = [];
  const values: DrawnPoint[] = [];
  const usual = { times, lows: [] as DrawnPoint[], middles: [] as DrawnPoint[], highs: [] as DrawnPoint[] };
  let isAtLeast = false;
  let years = 0;
  for (const [elapsed, day] of daysOfYear(year).entries()) {
    const [start, end] = [day, day + 1].map((one) => startOfDay(dateText(one), zone)) as [number, number];
    const sum = own.sums[elapsed];
    if (start >= range.to || sum === undefined) break;
    isAtLeast ||= !isComplete(record, day, 'rain') && end <= range.to;
    if (end <= range.from || day < record.first) continue;
    days.push({ from: start, to: end });
    times.push(end);
    values.push(convert(sum));
    const known = others.filter(({ shares }) => (shares[elapsed] ?? 0) >= MIN_KNOWN);
    const sums = Float64Array.from(known, ({ sums: column }) => column[elapsed] ?? 0).sort();
    const points = [0.1, 0.5, 0.9].map((share) =>
      sums.length < MIN_YEARS_OF_USUAL ? undefined : convert(percentile(sums, share)),
    );
    usual.lows.push(points[0]);
    usual.middles.push(points[1]);
    usual.highs.push(points[2]);
    years = Math.max(years, sums.length);
  }
  const [last, median] = [values.at(-1), usual.middles.at(-1)];
  return {
    year,
    days,
    times,
    values,
    years,
    isAtLeast,
    ...(years >= MIN_YEARS_OF_USUAL && { usual }),
    ...(last !== undefined && median !== undefined && median > 0 && { share: last / median }),
  };
}

/** What a range was like, in metric units. Undefined where no value is known. */
export interface RangeFacts {
  readonly mean: number | undefined;
  /** Mean distance from the median of each date. */
  readonly difference: number | undefined;
  readonly frostDays: number | undefined;
  readonly rain: number | undefined;
  readonly rainDays: number | undefined;
  /** Whether rain can be missing, so that the sum is a lower limit. */
  readonly isAtLeast: boolean;
}

/** Lowest rain in mm of a day with rain. */
export const RAIN_DAY = 1;

export function rangeFacts(
  { summaries }: Pick<SummaryReply, 'summaries'>,
  usual: UsualReply | undefined,
  range: ShownRange,
): RangeFacts {
  const shown = summaries.filter(
    ({ start, end }) => Date.parse(end) > range.from && Date.parse(start) < range.to,
  );
  const temperatures = shown.map((summary) => summary[TEMPERATURE]);
  const means = temperatures.flatMap((field) => (typeof field?.mean === 'number' ? [field.mean] : []));
  const minimums = temperatures.flatMap((field) => (typeof field?.min === 'number' ? [field.min] : []));
  const percentiles = (usual as unknown as Readonly<Record<string, Percentiles | undefined>> | undefined)?.[
    TEMPERATURE
  ];
  const rows = new Map(usual?.dates.map((date, index) => [date, index]));
  const differences = shown.flatMap((summary) => {
    const mean = summary[TEMPERATURE]?.mean;
    const median = valueAt(percentiles?.p50, rows.get(summary.start.slice(5, 10)) ?? -1, 0);
    return typeof mean === 'number' && median !== undefined ? [mean - median] : [];
  });
  const rains = shown.map((summary) => summary[RAIN]);
  const sums = rains.flatMap((field) => (typeof field?.sum === 'number' ? [field.sum] : []));
  return {
    mean: meanOf(means),
    difference: differences.length < means.length / 2 ? undefined : meanOf(differences),
    frostDays: minimums.length === 0 ? undefined : minimums.filter((value) => value < 0).length,
    rain: sums.length === 0 ? undefined : sums.reduce((sum, value) => sum + value, 0),
    rainDays: sums.length === 0 ? undefined : sums.filter((value) => value >= RAIN_DAY).length,
    // A day that is not over at the end of the range has no more rain in the range.
    isAtLeast: shown.some((day) => day[RAIN]?.complete !== true && Date.parse(day.end) <= range.to),
  };
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
