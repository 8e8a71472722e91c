import type { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { type DayQuantity, QUANTITIES_OF_DAY } from '#domain/weather/climate/climate-days.js';
import { defaultSource } from '#domain/weather/climate/day-sources.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { DailyName } from './daily-names.js';
import type { Origin } from './names.js';

/** Finds the published value of a day. @param date days since 1970-01-01 @returns undefined if the value is not read from published values */
export type PublishedDays = (date: number, name: DailyName) => number | undefined;

/**
 * Reads the published values of the days of a station that has no observations from which they could be computed, such as the archive of a
 * climate station. The values belong to the dates of the station, by the rules of the climate (`ReadClimateDays`).
 *
 * @param dates days since 1970-01-01, in ascending order
 */
export async function readPublishedDays(
  readClimateDays: ReadClimateDays,
  described: StationSnapshot,
  dates: readonly number[],
  names: readonly DailyName[],
  permit: Permit,
): Promise<PublishedDays> {
  const quantities = [...new Set(names.flatMap((name) => quantityOf(name) ?? []))];
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined || quantities.length === 0) return () => undefined;
  if (defaultSource(described.inventory.variables) !== 'daily') return () => undefined;
  const years = { from: yearOf(first), to: yearOf(last) };
  const found = await readClimateDays.find(described, { years, dayStart: 0 }, quantities, permit);
  if (found === undefined) return () => undefined;
  const { days } = found;
  const rows = new Map(Array.from(days.dates, (date, row) => [date, row]));
  return (date, name) => {
    const quantity = quantityOf(name);
    if (quantity === undefined) return undefined;
    const { values, complete } = days.column(quantity);
    const row = rows.get(date);
    return row === undefined || complete[row] !== 1 ? Number.NaN : values[row];
  };
}

const yearOf = (date: number) => new Date(date * MILLISECONDS.day).getUTCFullYear();

/** The quantity of climate statistics with the meaning of a name; undefined if there is none. */
function quantityOf(name: DailyName): DayQuantity | undefined {
  if ('sky' in name) return undefined;
  const { of, method } = name;
  if (of.origin.kind === 'forecast') return of.origin.number === F.snow ? 'newSnow' : undefined;
  const variable = variableOf(of.origin);
  // The dominant direction is the mean direction.
  const statistic = method === 'dominant' ? 'mean' : method;
  return (Object.keys(QUANTITIES_OF_DAY) as DayQuantity[]).find((quantity) => {
    const source = QUANTITIES_OF_DAY[quantity];
    return source.variable === variable && source.statistic === statistic;
  });
}

/** Name of the variable of observations with the values of an origin. */
function variableOf(origin: Origin): string | undefined {
  const number =
    origin.kind === 'variable'
      ? origin.variable
      : origin.kind === 'derived'
        ? origin.quantity.stored
        : undefined;
  return number === undefined ? undefined : variableNumbered(number).name;
}
