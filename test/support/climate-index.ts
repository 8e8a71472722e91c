import { expect } from 'chai';
import type { Frequency } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import { type ByDate, daysOfYears, yearsIn } from './climate-days.js';

interface GivenSettings {
  readonly maximum?: ByDate;
  readonly minimum?: ByDate;
  readonly precipitation?: ByDate;
}

interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly frequency?: Frequency;
  readonly isNorthern?: boolean;
  readonly threshold?: number;
  /** As `2013-07-18`; without it all periods are over. */
  readonly today?: string;
}

/** The figures of an index by period. Temperatures are 10 and 0 °C and days dry unless they are given. */
export function index(
  name: string,
  { maximum = () => 10, minimum = () => 0, precipitation = () => 0 }: GivenSettings,
  { from = 2013, to = 2013, frequency = 'year', isNorthern = true, threshold = 1, today }: Asked = {},
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
export const of2013 = (name: string, given: GivenSettings, threshold = 1) =>
  index(name, given, { threshold }).get('2013')?.value;

/** Values of some dates; the value of others. */
export const on =
  (values: Readonly<Record<string, number>>, other: number): ByDate =>
  (date) =>
    values[date] ?? other;
export const spell = (value: number, other: number, ...dates: readonly string[]): ByDate =>
  on(Object.fromEntries(dates.map((date) => [date, value])), other);

/** Wet and dry days in turn. */
export function dayParity(date: string): number {
  return Number(date.slice(8)) % 2 === 0 ? 5 : 0;
}
