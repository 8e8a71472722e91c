import type { MonthRows } from './calendar-rows.js';
import type { ClimateDays, DayQuantity } from './climate-days.js';
import type { MeasuredElement } from './elements.js';
import { type NumberSource, ORIGIN, type Provenance, sourceNamed } from './provenance.js';

/** The definition of a record, such as the highest temperature of a station. */
export interface RecordElement extends MeasuredElement {
  readonly quantity: DayQuantity;
  readonly seek: 'highest' | 'lowest';
  /** Whether only complete days count. The maximum of a part of a day may be too low, and its minimum too high. */
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

/** Largest number of days that are listed beside a record with the same value. A month without rain has 0 mm on each of its days. */
export const MAX_TIES = 10;

/** A record and its day. Fields are NaN if no day has a value. */
export interface RecordFigure extends NumberSource {
  readonly value: number;
  /** The first day with this value, as days from 1970-01-01. */
  readonly date: number;
  /** The next days with this value, as days from 1970-01-01, at most `MAX_TIES`. */
  readonly ties: readonly number[];
  /** Number of all days with this value, without the first. */
  readonly tieCount: number;
  /** Time of the value in milliseconds since 1970-01-01T00:00:00Z; NaN for a sum and for a published value. */
  readonly time: number;
  /** The first and the last day with a value, as days from 1970-01-01. */
  readonly first: number;
  readonly last: number;
  /** Number of days with a value. */
  readonly days: number;
}

export interface RecordRow {
  /** `01` to `12`, or `all`. */
  readonly label: string;
  readonly records: readonly RecordFigure[];
}

/** The records of each of the 12 months, and in the last row the records of all months. */
export function recordsOf(
  days: ClimateDays,
  months: readonly MonthRows[],
  elements: readonly RecordElement[],
): readonly RecordRow[] {
  const columns = elements.map((element) => {
    const { values, times } = days.column(element.quantity);
    const searched = element.needsCompleteDay ? days.known(element.quantity) : values;
    return { ...element, values: searched, times, ...days.provenance(element.quantity) };
  });
  const recordsIn = (label: string, searched: readonly MonthRows[]): RecordRow => ({
    label,
    records: columns.map((column) => recordOf(days.dates, searched, column)),
  });
  const monthRows = Array.from({ length: 12 }, (_, index) =>
    recordsIn(
      String(index + 1).padStart(2, '0'),
      months.filter(({ month }) => month === index + 1),
    ),
  );
  return [...monthRows, recordsIn('all', months)];
}

interface RecordColumn extends RecordElement, Provenance {
  readonly values: Float64Array;
  readonly times: Float64Array;
}

function recordOf(
  dates: Int32Array,
  months: readonly MonthRows[],
  { values, times, seek, origins }: RecordColumn,
): RecordFigure {
  let [days, dailyDays, first, last, best, tieCount] = [0, 0, -1, -1, -1, 0];
  let ties: number[] = [];
  for (const { from, to } of months) {
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      days += 1;
      if (origins?.[row] === ORIGIN.daily) dailyDays += 1;
      if (first < 0) first = row;
      last = row;
      const record = values[best];
      if (record === undefined || (seek === 'highest' ? value > record : value < record))
        [best, tieCount, ties] = [row, 0, []];
      else if (value === record) {
        tieCount += 1;
        if (ties.length < MAX_TIES) ties.push(dates[row] as number);
      }
    }
  }
  const at = (column: ArrayLike<number>, row: number) => column[row] ?? Number.NaN;
  return {
    value: at(values, best),
    date: at(dates, best),
    ties,
    tieCount,
    time: at(times, best),
    first: at(dates, first),
    last: at(dates, last),
    days,
    ...(origins !== undefined && best >= 0 && { source: sourceNamed(origins[best] as number), dailyDays }),
  };
}
