import { dateText } from '#domain/weather/climate/climate-days.js';
import { DATES_OF_YEAR, type UsualValues, usualValues } from '#domain/weather/climate/usual.js';
import { completeValue, type DayRecord, daysOfYear } from './day-record.js';

/** The usual daily means by date (`MM-DD`), with NaN for dates whose record is too short. */
export type UsualMeans = ReadonlyMap<string, UsualValues>;

/** The usual daily mean temperatures of all dates of a year. */
export function usualMeansOf(record: DayRecord): UsualMeans {
  const days = Int32Array.from(record.mean, (_value, index) => record.first + index);
  const means = Float64Array.from(days, (day) => completeValue(record, day, 'mean'));
  const usual = usualValues(days, means, DATES_OF_YEAR);
  return new Map(DATES_OF_YEAR.map((date, index) => [date, usual[index] as UsualValues]));
}

/** A day of a year with its mean and its usual range, in °C. Unknown values are NaN. */
export interface ComparedDay {
  readonly day: number;
  readonly mean: number;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

export function comparedDays(record: DayRecord, year: number, usual: UsualMeans): ComparedDay[] {
  return daysOfYear(year).map((day) => {
    const { p10, p50, p90 } = usual.get(dateText(day).slice(-5)) as UsualValues;
    return { day, mean: completeValue(record, day, 'mean'), p10, p50, p90 };
  });
}

/** A point of a picture: the position of a day in its year, which may be a fraction, and a value. */
export type Point = readonly [position: number, value: number];

/** The pieces of a line between its gaps. */
export function piecesOf(values: readonly number[]): Point[][] {
  const pieces: Point[][] = [];
  for (const [position, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    if (position === 0 || Number.isNaN(values[position - 1])) pieces.push([]);
    pieces.at(-1)?.push([position, value]);
  }
  return pieces;
}

/**
 * The areas between a line and a bound where the line is on the outer side of the bound. Each area is a closed polygon, which
 * begins and ends where the two lines cross.
 *
 * @param side 1 if the outer side is above the bound, −1 if it is below
 */
export function areasOutside(values: readonly number[], bounds: readonly number[], side: 1 | -1): Point[][] {
  const excess = values.map((value, position) => side * (value - (bounds[position] as number)));
  /** The point where the lines cross between a position and the next one. */
  const crossing = (position: number): Point => {
    const [before, after] = [excess[position] as number, excess[position + 1] as number];
    const share = before / (before - after);
    const [from, to] = [bounds[position] as number, bounds[position + 1] as number];
    return [position + share, from + share * (to - from)];
  };
  const areas: Point[][] = [];
  let start: number | undefined;
  for (let position = 0; position <= values.length; position += 1) {
    if ((excess[position] ?? Number.NaN) > 0) {
      start ??= position;
      continue;
    }
    if (start === undefined) continue;
    const last = position - 1;
    const inside = (one: number) => !Number.isNaN(excess[one] ?? Number.NaN);
    const outer = values.slice(start, position).map((value, index): Point => [(start ?? 0) + index, value]);
    const inner = bounds.slice(start, position).map((value, index): Point => [(start ?? 0) + index, value]);
    areas.push([
      ...(inside(start - 1) ? [crossing(start - 1)] : []),
      ...outer,
      ...(inside(position) ? [crossing(last)] : []),
      ...inner.toReversed(),
    ]);
    start = undefined;
  }
  return areas;
}

/** Round numbers for an axis, from below the lowest to above the highest value, at most about seven. */
export function axisTicks(lowest: number, highest: number): number[] {
  const step = [1, 2, 5, 10, 20, 50].find((size) => (highest - lowest) / size <= 6) ?? 100;
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_tick, index) => (first + index) * step);
}
