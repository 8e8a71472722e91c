import { MILLISECONDS } from '#domain/time.js';
import type { Series } from '../../series.js';
import { V, variableNumbered } from '../../variables.js';
import type { HourTable } from './hour-table.js';

/** Daily values of a station, by date. */
export interface DatedTable {
  /** The first day, in days since 1970-01-01. */
  readonly first: number;
  readonly days: number;
  /**
   * Columns by number of a daily variable (`daily_maximum_air_temperature` and so on). NaN if absent. Published daily values come
   * first; otherwise the values are computed from hours.
   */
  readonly columns: ReadonlyMap<number, Float64Array>;
}

/** Smallest number of hours with a value of a day whose extremes are computed from its hours. */
const MIN_HOURS = 20;

/** The published daily values in rows. Flags are not used: a value outside of its limits is left out by its reader. */
export function* publishedDays({
  times,
  values,
  flags,
}: Series): Generator<[variable: number, day: number, value: number]> {
  for (const [variable, column] of values) {
    if (variableNumbered(variable).period !== 'day') continue;
    const bytes = flags.get(variable);
    for (let row = 0; row < times.length; row += 1) {
      const value = column[row] as number;
      // The time of a daily value is the end of its day.
      if (!Number.isNaN(value) && (bytes?.[row] ?? 0) === 0)
        yield [variable, Math.floor(((times[row] as number) - 1) / MILLISECONDS.day), value];
    }
  }
}

/**
 * The days of a table of hours, by mean solar time.
 *
 * @param longitude degrees east
 */
export function daysOfHours(
  hours: HourTable,
  longitude: number,
  published: Iterable<readonly [variable: number, day: number, value: number]>,
): DatedTable {
  const shift = Math.round(longitude / 15);
  const firstHour = hours.begin / MILLISECONDS.hour + shift;
  const first = Math.floor(firstHour / 24);
  const days = Math.ceil((hours.hours + (firstHour - 24 * first)) / 24);
  const columns = new Map<number, Float64Array>();
  const columnOf = (variable: number) => {
    const column = columns.get(variable) ?? new Float64Array(days).fill(Number.NaN);
    columns.set(variable, column);
    return column;
  };
  const temperatures = hours.columns.get(V.temperature);
  if (temperatures !== undefined)
    for (let day = 0; day < days; day += 1) {
      const from = 24 * (first + day) - firstHour;
      let [count, least, most] = [0, Infinity, -Infinity];
      for (let hour = Math.max(0, from); hour < Math.min(hours.hours, from + 24); hour += 1) {
        const value = temperatures[hour] as number;
        if (Number.isNaN(value)) continue;
        count += 1;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      if (count < MIN_HOURS) continue;
      columnOf(V.dailyMaximum)[day] = most;
      columnOf(V.dailyMinimum)[day] = least;
    }
  for (const [variable, day, value] of published)
    if (day >= first && day < first + days) columnOf(variable)[day - first] = value;
  return { first, days, columns };
}
