import { isDaily } from '#domain/weather/variables.js';

/**
 * A station has two series: its reports, and its daily values, which are the values of variables with `period: 'day'`. Each
 * series is packed as if it belonged to a station of its own, so that a read of daily values decodes no reports. The number of
 * the reports is the number of the station, and the number of the daily values is higher by `DAILY_SERIES`.
 *
 * In `packed-store`, in the operations on observations and in the tables of packed rows, the number of a station is the number of
 * a series. The rules of quality control, daily aggregates, recheck requests and records belong to the station as a whole.
 */
export const DAILY_SERIES = 2 ** 30;

/** The number of the series with the daily values of a station. */
export function dailySeriesOf(station: number): number {
  return station + DAILY_SERIES;
}

/** The number of the station to which a series belongs. */
export function stationOf(series: number): number {
  return isDailySeries(series) ? series - DAILY_SERIES : series;
}

export function isDailySeries(series: number): boolean {
  return series >= DAILY_SERIES;
}

/** Both series of stations, in ascending order. */
export function seriesOf(stations: Iterable<number>): number[] {
  const numbers = [...stations];
  return [...numbers, ...numbers.map(dailySeriesOf)];
}

/** Something about the reports of a station, and the same about its daily values. */
export interface Halves<T> {
  readonly reports: T;
  readonly days: T;
}

/**
 * The series in which variables are stored. Without variables these are the reports, so that the damage of reports is found.
 *
 * @param variables undefined means all variables
 */
export function wantedSeries(variables: Iterable<number> | undefined): Halves<boolean> {
  if (variables === undefined) return { reports: true, days: true };
  const numbers = [...variables];
  const days = numbers.some(isDaily);
  return { reports: !days || !numbers.every(isDaily), days };
}
