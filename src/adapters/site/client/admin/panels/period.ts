import { MILLISECONDS } from '#domain/time.js';

/** A retention period in the form. */
export type Kept = 'default' | 'forever' | 'days';

/** A retention period of the API in seconds; null for ever; `default` for the period of all stations. */
export type Period = number | null | 'default';

/** The choice in the form for a retention period. */
export function keptOf(period: Period): Kept {
  if (period === 'default') return period;
  return period === null ? 'forever' : 'days';
}

/** The retention period in days with at most two decimals. */
export function daysOf(period: number): number {
  return Math.round(((period * MILLISECONDS.second) / MILLISECONDS.day) * 100) / 100;
}

/** Converts the values of the form to the field `period` of the API, which is in whole seconds. */
export function periodOf(kept: string | undefined, days: string): number | null | 'default' {
  if (kept === 'default') return 'default';
  if (kept !== 'days') return null;
  return Math.round((Number(days.replace(',', '.')) * MILLISECONDS.day) / MILLISECONDS.second);
}

/** Whether a new period erases rows that the former one keeps: at the next run, or when the rows are older. Periods are in seconds. */
export function mayErase(former: number | null, period: number | null | 'default', rows: number): boolean {
  return rows > 0 || (typeof period === 'number' && (former === null || period < former));
}
