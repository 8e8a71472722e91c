const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 2_592_000_000 };

/**
 * A duration in words, all six units always present: `1 months 0 days 0 hours 0 minutes 0 seconds
 * 0 milliseconds`. A month is 30 days, so that the default token lifetime reads as one month.
 *
 * @param milliseconds not negative; fractions of a millisecond are dropped
 */
export function humanDuration(milliseconds: number): string {
  const { second, minute, hour, day, month } = MILLISECONDS;
  const whole = Math.floor(milliseconds);
  return [
    `${Math.floor(whole / month)} months`,
    `${Math.floor((whole % month) / day)} days`,
    `${Math.floor((whole % day) / hour)} hours`,
    `${Math.floor((whole % hour) / minute)} minutes`,
    `${Math.floor((whole % minute) / second)} seconds`,
    `${whole % second} milliseconds`,
  ].join(' ');
}
