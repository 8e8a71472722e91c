import { expect } from 'chai';
import type { Frequency } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import { type ByDate, daysOfYears, yearsIn } from './climate-days.js';

/** Daily temperatures in °C and precipitation in mm. */
interface DailyValues {
  readonly maximum?: ByDate;
  readonly minimum?: ByDate;
  readonly precipitation?: ByDate;
}

interface IndexOptions {
  readonly from?: number;
  readonly to?: number;
  readonly frequency?: Frequency;
  readonly isNorthern?: boolean;
  readonly threshold?: number;
  /** The current date, such as `2013-07-18`. Without this date, all periods have ended. */
  readonly today?: string;
}

/** Computes an index by period. By default, the maximum is 10 °C, the minimum 0 °C, and there is no precipitation. */
export function index(
  name: string,
  { maximum = () => 10, minimum = () => 0, precipitation = () => 0 }: DailyValues,
  { from = 2013, to = 2013, frequency = 'year', isNorthern = true, threshold = 1, today }: IndexOptions = {},
): Map<string, Figure> {
  const days = daysOfYears(from, to, { maximum, minimum, precipitation });
  const indices = indicesOf(frequency).filter((one) => one.name === name);
  expect(indices, name).to.have.length(1);
  const rows = indexFigures(days, yearsIn(days), indices, {
    frequency,
    isNorthern,
    threshold,
    today: today === undefined ? Infinity : dateNumber(today),
  });
  return new Map(rows.map(({ label, figures: [figure] }) => [label, figure as Figure]));
}
/** The value of an index for the year 2013. */
export const of2013 = (name: string, given: DailyValues, threshold = 1) =>
  index(name, given, { threshold }).get('2013')?.value;

/** A value for some dates, and another value for all other dates. */
export const valuesOn =
  (values: Readonly<Record<string, number>>, other: number): ByDate =>
  (date) =>
    values[date] ?? other;
export const spell = (value: number, other: number, ...dates: readonly string[]): ByDate =>
  valuesOn(Object.fromEntries(dates.map((date) => [date, value])), other);

/** Returns the precipitation of a day: 5 mm on even days of the month, 0 mm on odd days. */
export function dayParity(date: string): number {
  return Number(date.slice(8)) % 2 === 0 ? 5 : 0;
}
