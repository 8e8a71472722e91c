import { MILLISECONDS } from './time.js';

const { second, minute, hour, day } = MILLISECONDS;
const MONTH = 30 * day;

/**
 * A duration as text, always with all six units: `1 months 0 days 0 hours 0 minutes 0 seconds 0 milliseconds`. A month
 * is 30 days, so that the default token lifetime reads as one month.
 *
 * @param milliseconds not negative; fractions of a millisecond are dropped
 */
export function humanDuration(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const months = Math.floor(whole / MONTH);
  const days = Math.floor((whole % MONTH) / day);
  const hours = Math.floor((whole % day) / hour);
  const minutes = Math.floor((whole % hour) / minute);
  const seconds = Math.floor((whole % minute) / second);
  return `${months} months ${days} days ${hours} hours ${minutes} minutes ${seconds} seconds ${whole % second} milliseconds`;
}
