export type TrendName = 'rising' | 'falling' | 'steady';

/** The temperature is steady if it changes by at most this number of degrees Celsius in 3 hours. */
export const STEADY_CHANGE = 0.5;

/** The trend of a temperature. @param change in °C in 3 hours */
export function trendName(change: number): TrendName {
  if (change < -STEADY_CHANGE) return 'falling';
  return change > STEADY_CHANGE ? 'rising' : 'steady';
}
