import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { type DayRecord, type DayValue, daysOfYear, isComplete, valueOf } from '../usual/day-record.js';

/** The variable of each value that the calendar can show. */
export const VARIABLE_OF = {
  mean: 'air_temperature',
  max: 'air_temperature',
  min: 'air_temperature',
  rain: 'precipitation_amount',
} as const satisfies Readonly<Record<DayValue, string>>;

export interface CalendarDay {
  /** The date as the number of days from 1970-01-01. */
  readonly day: number;
  readonly value: number | undefined;
  readonly isComplete: boolean;
}

/** All days of a year, including days without a value. */
export function calendarDaysOf(record: DayRecord, year: number, name: DayValue): CalendarDay[] {
  return daysOfYear(year).map((day) => {
    const value = valueOf(record, day, name);
    return {
      day,
      value: Number.isNaN(value) ? undefined : value,
      isComplete: isComplete(record, day, name),
    };
  });
}

/** The days of a week; 1970-01-01 was a Thursday, the fourth day. */
const WEEK = 7;
const FIRST_WEEKDAY = 3;

/** The cell of a day, counted from 0. `weeks`: each week from Monday is a column. `months`: each month is a column. */
export type CalendarForm = 'weeks' | 'months';

export function cellOf(day: number, form: CalendarForm): { readonly column: number; readonly row: number } {
  const text = dateText(day);
  if (form === 'months') return { column: Number(text.slice(-5, -3)) - 1, row: Number(text.slice(-2)) - 1 };
  const start = dateNumber(`${text.slice(0, -6)}-01-01`);
  const weekOf = (one: number) => Math.floor((one + FIRST_WEEKDAY) / WEEK);
  return { column: weekOf(day) - weekOf(start), row: (day + FIRST_WEEKDAY) % WEEK };
}

/**
 * Moves the cursor of the calendar with a key. The cursor stays in its year.
 *
 * @returns the new day; undefined for other keys
 */
export function moveDay(day: number, key: string, form: CalendarForm): number | undefined {
  const across = (direction: -1 | 1) =>
    form === 'weeks' ? day + direction * WEEK : addMonths(day, direction);
  const targets: Readonly<Record<string, () => number>> = {
    ArrowUp: () => day - 1,
    ArrowDown: () => day + 1,
    ArrowLeft: () => across(-1),
    ArrowRight: () => across(1),
    PageUp: () => addMonths(day, -1),
    PageDown: () => addMonths(day, 1),
    Home: () => dateNumber(`${yearText(day)}-01-01`),
    End: () => dateNumber(`${yearText(day)}-12-31`),
  };
  const target = targets[key]?.();
  if (target === undefined) return undefined;
  return yearText(target) === yearText(day) ? target : day;
}

const yearText = (day: number) => dateText(day).slice(0, -6);

/** The same day of another month, or the last day of a shorter month. */
function addMonths(day: number, months: number): number {
  const date = new Date(`${dateText(day)}T00:00:00Z`);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  const target = Date.UTC(
    date.getUTCFullYear(),
    date.getUTCMonth() + months,
    Math.min(date.getUTCDate(), last),
  );
  return dateNumber(new Date(target).toISOString());
}
