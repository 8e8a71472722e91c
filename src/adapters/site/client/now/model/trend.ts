import type { Text } from '../../text/en.js';

export type Course = 'up' | 'down' | 'level';

/** A smaller change of temperature over 3 h, in °C, counts as none. */
export const TEMPERATURE_STEADY = 0.3;
/** The same for pressure, in hPa: Met Office, terms of the shipping forecast. */
export const PRESSURE_STEADY = 0.1;
/** Upper bounds of its rates, in hPa over 3 h. */
const RATES = [
  [1.5, 'slow'],
  [3.5, 'usual'],
  [6, 'quick'],
] as const;

/** What is known of the change of the shown value: the trend of an older value waits for the next reading, and a doubtful value has none. */
export function shownTrendOf(
  trend: { readonly change: number; readonly time: string } | null | undefined,
  newest: { readonly time: string; readonly verdict: string } | undefined,
): { readonly change: number; readonly isAwaited: boolean } | undefined {
  if (!trend || newest?.verdict !== 'pass') return undefined;
  return { change: trend.change, isAwaited: trend.time !== newest.time };
}

export function courseOf(change: number, steady: number): Course {
  if (Math.abs(change) < steady) return 'level';
  return change > 0 ? 'up' : 'down';
}

/** The tendency of pressure in words. @param change in hPa over 3 h */
export function tendencyText(change: number, { trend }: Text['station']): string {
  const course = courseOf(change, PRESSURE_STEADY);
  if (course === 'level') return trend.steady;
  const rate = RATES.find(([bound]) => Math.abs(change) <= bound)?.[1] ?? 'fast';
  return course === 'up' ? trend.rising[rate] : trend.falling[rate];
}
