/**
 * A change of pressure over 3 h that is smaller than this value, in hPa, counts as steady (Met Office, terms of the shipping
 * forecast).
 */
const PRESSURE_STEADY = 0.1;

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

/** The course of pressure. @param change in hPa over 3 h */
export function pressureCourse(change: number): 'up' | 'down' | 'level' {
  if (Math.abs(change) < PRESSURE_STEADY) return 'level';
  return change > 0 ? 'up' : 'down';
}
