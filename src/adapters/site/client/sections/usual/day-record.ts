import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';

/** The daily values that the record holds. */
export const VALUES_OF_DAY = ['mean', 'min', 'max', 'rain'] as const;
export type DayValue = (typeof VALUES_OF_DAY)[number];

/**
 * The days of a station from its first day to its last day, as columns. A day is a number: the days from 1970-01-01 to its local
 * date. Temperatures are in °C, rain is in mm. A value is NaN if the day has none.
 */
export interface DayRecord extends Readonly<Record<DayValue, Float64Array>> {
  /** The first day. The entry at index 0 of each column belongs to this day. */
  readonly first: number;
  /** The last day, which is before `first` if the record is empty. */
  readonly last: number;
  /** 1 if enough of the day was measured, so that its temperatures represent the day. Otherwise 0. */
  readonly isTemperatureComplete: Uint8Array;
  /** 1 if the rain of the whole day was measured. Otherwise 0. */
  readonly isRainComplete: Uint8Array;
}

/**
 * Makes columns of daily summaries in CSV, which is a fifth smaller than JSON after compression. Days without a summary become
 * days without values.
 */
export function recordOf(csv: string): DayRecord {
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = head.split(',');
  const rows = lines.map((line) => line.split(','));
  const days = rows.map(([start = '']) => dateNumber(start));
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? -1];
  const cellsOf = (name: string) => {
    const index = names.indexOf(name);
    return rows.map((row) => row[index] ?? '');
  };
  const column = (name: string) => {
    const values = new Float64Array(last - first + 1).fill(Number.NaN);
    for (const [row, cell] of cellsOf(name).entries())
      if (cell !== '') values[(days[row] as number) - first] = Number(cell);
    return values;
  };
  const completeness = (name: string) => {
    const values = new Uint8Array(last - first + 1);
    for (const [row, cell] of cellsOf(name).entries())
      values[(days[row] as number) - first] = Number(cell === 'true');
    return values;
  };
  return {
    first,
    last,
    mean: column('air_temperature.mean'),
    min: column('air_temperature.min'),
    max: column('air_temperature.max'),
    rain: column('precipitation_amount.sum'),
    isTemperatureComplete: completeness('air_temperature.valid'),
    isRainComplete: completeness('precipitation_amount.valid'),
  };
}

/** The value of a day; NaN if the day has no value or is not in the record. */
export function valueOf(record: DayRecord, day: number, name: DayValue): number {
  return record[name][day - record.first] ?? Number.NaN;
}

/** Whether the value of a day covers enough of the day. */
export function isComplete(record: DayRecord, day: number, name: DayValue): boolean {
  const column = name === 'rain' ? record.isRainComplete : record.isTemperatureComplete;
  return column[day - record.first] === 1 && !Number.isNaN(valueOf(record, day, name));
}

/** The value of a complete day; NaN for every other day. */
export function completeValue(record: DayRecord, day: number, name: DayValue): number {
  return isComplete(record, day, name) ? valueOf(record, day, name) : Number.NaN;
}

/** The last day whose temperatures are complete; undefined if there is none. */
export function lastCompleteDay(record: DayRecord): number | undefined {
  for (let day = record.last; day >= record.first; day -= 1) if (isComplete(record, day, 'mean')) return day;
  return undefined;
}

/** The last day whose rain is known; undefined if the record has no such day. */
export function lastRainDay(record: DayRecord): number | undefined {
  const index = record.isRainComplete.lastIndexOf(1);
  return index < 0 ? undefined : record.first + index;
}

export const yearOf = (day: number): number => Number(dateText(day).slice(0, -6));

/** The years of the record, oldest first. */
export function yearsOf(record: DayRecord): number[] {
  if (record.last < record.first) return [];
  const [from, to] = [yearOf(record.first), yearOf(record.last)];
  return Array.from({ length: to - from + 1 }, (_year, index) => from + index);
}

/** The days of a year, also those outside of the record. */
export function daysOfYear(year: number): number[] {
  const [from, to] = [startOfMonth(year, 1), startOfMonth(year + 1, 1)];
  return Array.from({ length: to - from }, (_day, index) => from + index);
}

/** The first day of a month. @param month from 1; 13 is January of the next year */
export function startOfMonth(year: number, month: number): number {
  if (month > 12) return startOfMonth(year + 1, month - 12);
  return dateNumber(`${yearText(year)}-${String(month).padStart(2, '0')}-01`);
}

const yearText = (year: number) => String(year).padStart(4, '0');

/**
 * The same date some years later, or earlier if `years` is negative. In a year without a 29 February, its place is taken by 28
 * February.
 */
export function sameDate(day: number, years: number): number {
  const text = dateText(day);
  const year = yearText(Number(text.slice(0, -6)) + years);
  const date = text.slice(-5);
  if (date === '02-29' && daysOfYear(Number(year)).length === 365) return dateNumber(`${year}-02-28`);
  return dateNumber(`${year}-${date}`);
}
