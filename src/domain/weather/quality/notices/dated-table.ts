import { MILLISECONDS } from '#domain/time.js';
import type { Series } from '../../series.js';
import { V, variableNumbered } from '../../variables.js';
import type { HourTable } from './hour-table.js';

/** Daily values of a station, by date in mean solar time. */
export interface DatedTable {
  /** The first day, in days since 1970-01-01. */
  readonly first: number;
  readonly days: number;
  /** Hours by which the dates are ahead of the dates of UTC. */
  readonly shift: number;
  /** Columns by number of a daily variable (`daily_maximum_air_temperature` and so on). NaN if absent. */
  readonly columns: ReadonlyMap<number, Float64Array>;
}

/** The published daily values of a station that has none. */
export const NO_DAYS: DatedTable = { first: 0, days: 0, shift: 0, columns: new Map() };

/** Smallest number of hours with a value of a day whose extremes and sums are computed from its hours. */
const MIN_HOURS = 20;
/** Hours in half a day. */
const HALF_DAY = 12;

/** Builds the table of the published daily values of a range from its rows, which can come in several parts. */
export class DatedTableBuilder {
  readonly #first: number;
  readonly #days: number;
  readonly #shift: number;
  readonly #columns = new Map<number, Float64Array>();

  /**
   * @param from @param to the range, in milliseconds since 1970-01-01T00:00:00Z
   * @param longitude degrees east
   */
  constructor(from: number, to: number, longitude: number) {
    this.#shift = shiftAt(longitude);
    this.#first = this.#dayOf(from);
    this.#days = Math.max(0, this.#dayOf(to) + 1 - this.#first);
  }

  /** Adds the daily values in rows. A value with a flag is left out. */
  add({ times, values, flags }: Series): void {
    for (const [variable, column] of values) {
      if (variableNumbered(variable).period !== 'day') continue;
      const bytes = flags.get(variable);
      for (let row = 0; row < times.length; row += 1) {
        const value = column[row] as number;
        const day = this.#dayOf(times[row] as number) - this.#first;
        if (Number.isNaN(value) || (bytes?.[row] ?? 0) !== 0 || day < 0 || day >= this.#days) continue;
        columnOf(this.#columns, variable, this.#days)[day] = value;
      }
    }
  }

  table(): DatedTable {
    return { first: this.#first, days: this.#days, shift: this.#shift, columns: this.#columns };
  }

  /**
   * The time of a daily value is the end of its day, which may be midnight of any time zone or a time of observation. So the value belongs to
   * the date of half a day earlier.
   */
  #dayOf(time: number): number {
    return Math.floor((time / MILLISECONDS.hour + this.#shift - HALF_DAY) / 24);
  }
}

/**
 * The daily values of a station: its published values, and where there are none the values that are computed from its hours.
 *
 * @param longitude degrees east
 */
export function daysOfHours(hours: HourTable, published: DatedTable, longitude: number): DatedTable {
  const shift = shiftAt(longitude);
  const firstHour = hours.begin / MILLISECONDS.hour + shift;
  const first = Math.floor(firstHour / 24);
  const days = Math.ceil((hours.hours + (firstHour - 24 * first)) / 24);
  const columns = new Map<number, Float64Array>();
  const valuesOf = (hourly: number) => {
    const column = hours.columns.get(hourly);
    return column === undefined ? [] : valuesOfDays(column, 24 * first - firstHour, days);
  };
  for (const { day, least, most } of valuesOf(V.temperature)) {
    columnOf(columns, V.dailyMaximum, days)[day] = most;
    columnOf(columns, V.dailyMinimum, days)[day] = least;
  }
  for (const { day, sum } of valuesOf(V.precipitation))
    columnOf(columns, V.dailyPrecipitation, days)[day] = sum;
  for (const [variable, column] of published.columns)
    for (const [index, value] of column.entries()) {
      const day = published.first + index - first;
      if (!Number.isNaN(value) && day >= 0 && day < days) columnOf(columns, variable, days)[day] = value;
    }
  return { first, days, shift, columns };
}

interface ValuesOfDay {
  readonly day: number;
  readonly least: number;
  readonly most: number;
  readonly sum: number;
}

/** @param begin index of the first hour of the first day, which may be negative */
function* valuesOfDays(column: Float64Array, begin: number, days: number): Generator<ValuesOfDay> {
  for (let day = 0; day < days; day += 1) {
    const from = begin + 24 * day;
    let [count, least, most, sum] = [0, Infinity, -Infinity, 0];
    for (let hour = Math.max(0, from); hour < Math.min(column.length, from + 24); hour += 1) {
      const value = column[hour] as number;
      if (Number.isNaN(value)) continue;
      count += 1;
      least = Math.min(least, value);
      most = Math.max(most, value);
      sum += value;
    }
    if (count >= MIN_HOURS) yield { day, least, most, sum };
  }
}

function shiftAt(longitude: number): number {
  return Math.round(longitude / 15);
}

function columnOf(columns: Map<number, Float64Array>, variable: number, days: number): Float64Array {
  const column = columns.get(variable) ?? new Float64Array(days).fill(Number.NaN);
  columns.set(variable, column);
  return column;
}
