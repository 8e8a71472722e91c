import type { Reply } from '../../api.js';
import { addDays } from '../../charts/model/zone.js';

export const QUANTITIES = ['mean', 'max', 'min', 'rain'] as const;
export type CalendarQuantity = (typeof QUANTITIES)[number];

export const VARIABLE_OF = {
  mean: 'air_temperature',
  max: 'air_temperature',
  min: 'air_temperature',
  rain: 'precipitation_amount',
} as const satisfies Readonly<Record<CalendarQuantity, string>>;
const FIELD_OF: Readonly<Record<CalendarQuantity, 'mean' | 'max' | 'min' | 'sum'>> = {
  mean: 'mean',
  max: 'max',
  min: 'min',
  rain: 'sum',
};

export type DayReply = Pick<Reply<'/v1/stations/{id}/summaries', 'get'>, 'summaries'>;

export interface Day {
  /** Date of the day, such as `2013-07-18`. */
  readonly date: string;
  readonly value: number | undefined;
  /** Whether the API has marked the summary of the day as valid. */
  readonly isComplete: boolean;
}

/** All days of a year, including days without a value. */
export function calendarDaysOf(year: string, { summaries }: DayReply, quantity: CalendarQuantity): Day[] {
  const byDate = new Map(
    summaries.map((summary) => [summary.start.slice(0, 10), summary[VARIABLE_OF[quantity]]]),
  );
  const days: Day[] = [];
  for (let date = `${year}-01-01`; date.startsWith(year); date = addDays(date, 1)) {
    const summary = byDate.get(date);
    const value = summary?.[FIELD_OF[quantity]];
    days.push({
      date,
      value: typeof value === 'number' ? value : undefined,
      isComplete: summary?.valid === true,
    });
  }
  return days;
}

/**
 * Moves the cursor of the calendar with a key.
 *
 * @param isUpright whether months are columns; otherwise they are rows
 * @returns the new date; undefined for other keys
 */
export function moveDay(date: string, key: string, isUpright: boolean): string | undefined {
  const along = { '-1': ['ArrowLeft', 'ArrowUp'], '1': ['ArrowRight', 'ArrowDown'] } as const;
  for (const direction of [-1, 1] as const) {
    const [sideways, vertical] = along[`${direction}`];
    if (key === (isUpright ? vertical : sideways)) return sameYear(date, addDays(date, direction));
    if (key === (isUpright ? sideways : vertical)) return sameYear(date, addMonths(date, direction));
  }
  const year = date.slice(0, 4);
  if (key === 'Home') return `${year}-01-01`;
  return key === 'End' ? `${year}-12-31` : undefined;
}

const sameYear = (from: string, to: string) => (from.slice(0, 4) === to.slice(0, 4) ? to : from);

/** The same day of another month, or the last day of a shorter month. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}
