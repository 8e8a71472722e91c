import type { Text } from '../../text/en.js';

export type TrendDirection = 'up' | 'down' | 'level';

/** A change of temperature over 3 h that is smaller than this value, in °C, counts as steady. */
export const TEMPERATURE_STEADY = 0.3;
/**
 * A change of pressure over 3 h that is smaller than this value, in hPa, counts as steady (Met Office, terms of the shipping
 * forecast).
 */
export const PRESSURE_STEADY = 0.1;
/** Rates of the shipping forecast, each with its upper bound in hPa over 3 h. */
const RATES = [
  [1.5, 'slow'],
  [3.5, 'usual'],
  [6, 'quick'],
] as const;

/**
 * Returns the trend to show beside the newest value; undefined if this value did not pass quality control. `isAwaited` is true if
 * `trend` belongs to an older value: the newest value has arrived, but its own trend has not been read yet.
 */
export function shownTrendOf(
  trend: { readonly change: number; readonly time: string } | null | undefined,
  newest: { readonly time: string; readonly verdict: string } | undefined,
): { readonly change: number; readonly isAwaited: boolean } | undefined {
  if (!trend || newest?.verdict !== 'pass') return undefined;
  return { change: trend.change, isAwaited: trend.time !== newest.time };
}

export function trendDirectionOf(change: number, steady: number): TrendDirection {
  if (Math.abs(change) < steady) return 'level';
  return change > 0 ? 'up' : 'down';
}

/** The tendency of pressure as text. @param change in hPa over 3 h */
export function tendencyText(change: number, { trend }: Text['station']): string {
  const course = trendDirectionOf(change, PRESSURE_STEADY);
  if (course === 'level') return trend.steady;
  const rate = RATES.find(([bound]) => Math.abs(change) <= bound)?.[1] ?? 'fast';
  return course === 'up' ? trend.rising[rate] : trend.falling[rate];
}
