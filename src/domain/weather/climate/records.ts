import type { MonthRows } from './calendar-rows.js';
import type { ClimateDays, DayQuantity } from './day-values.js';
import type { MeasuredElement } from './elements.js';

/** A record that is sought in the days of a station. */
export interface RecordElement extends MeasuredElement {
  readonly quantity: DayQuantity;
  readonly seek: 'highest' | 'lowest';
  /** Whether a day must be complete: part of a day has no true lowest maximum. */
  readonly needsCompleteDay?: true;
}

const TEMPERATURE = 'air_temperature';
const PRESSURE = 'air_pressure_at_mean_sea_level';

export const RECORDS: readonly RecordElement[] = [
  { name: 'highest_temperature', variable: TEMPERATURE, quantity: 'maximum', seek: 'highest' },
  { name: 'lowest_temperature', variable: TEMPERATURE, quantity: 'minimum', seek: 'lowest' },
  {
    name: 'highest_daily_minimum',
    variable: TEMPERATURE,
    quantity: 'minimum',
    seek: 'highest',
    needsCompleteDay: true,
  },
  {
    name: 'lowest_daily_maximum',
    variable: TEMPERATURE,
    quantity: 'maximum',
    seek: 'lowest',
    needsCompleteDay: true,
  },
  {
    name: 'greatest_daily_precipitation',
    variable: 'precipitation_amount',
    quantity: 'precipitation',
    seek: 'highest',
  },
  { name: 'highest_gust', variable: 'wind_speed_of_gust', quantity: 'gust', seek: 'highest' },
  { name: 'highest_sea_level_pressure', variable: PRESSURE, quantity: 'highestPressure', seek: 'highest' },
  { name: 'lowest_sea_level_pressure', variable: PRESSURE, quantity: 'lowestPressure', seek: 'lowest' },
];

/** Fields are NaN without a day. */
export interface RecordFigure {
  readonly value: number;
  /** The day, as days from 1970-01-01; the first of several. */
  readonly date: number;
  /** When it occurred, in milliseconds since 1970-01-01T00:00:00Z; NaN for a sum. */
  readonly time: number;
  /** The first and the last day that was searched. */
  readonly first: number;
  readonly last: number;
  /** Number of days that were searched. */
  readonly days: number;
}

export interface RecordRow {
  /** `01` to `12`, or `all`. */
  readonly label: string;
  readonly records: readonly RecordFigure[];
}

/** The records of each month of the year, and of all months (the last row). */
export function recordsOf(
  days: ClimateDays,
  months: readonly MonthRows[],
  elements: readonly RecordElement[],
): readonly RecordRow[] {
  const columns = elements.map((element) => {
    const { values, times } = days.column(element.quantity);
    return { ...element, values: element.needsCompleteDay ? days.known(element.quantity) : values, times };
  });
  const recordsIn = (label: string, searched: readonly MonthRows[]): RecordRow => ({
    label,
    records: columns.map((column) => recordOf(days.dates, searched, column)),
  });
  const ofMonths = Array.from({ length: 12 }, (_, index) =>
    recordsIn(
      String(index + 1).padStart(2, '0'),
      months.filter(({ month }) => month === index + 1),
    ),
  );
  return [...ofMonths, recordsIn('all', months)];
}

interface RecordColumn extends RecordElement {
  readonly values: Float64Array;
  readonly times: Float64Array;
}

function recordOf(
  dates: Int32Array,
  months: readonly MonthRows[],
  { values, times, seek }: RecordColumn,
): RecordFigure {
  let [days, first, last, best] = [0, -1, -1, -1];
  for (const { from, to } of months) {
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      days += 1;
      if (first < 0) first = row;
      last = row;
      const record = values[best];
      if (record === undefined || (seek === 'highest' ? value > record : value < record)) best = row;
    }
  }
  const at = (column: ArrayLike<number>, row: number) => column[row] ?? Number.NaN;
  return {
    value: at(values, best),
    date: at(dates, best),
    time: at(times, best),
    first: at(dates, first),
    last: at(dates, last),
    days,
  };
}
