import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/**
 * What one step of a line shows: a value as measured, or the mean of an hour, a day or a week with the smallest and largest
 * value.
 */
export type Step = 'value' | 'hour' | 'day' | 'week';
/** The interval of an amount in a bar. */
export type BarStep = 'hour' | 'day' | 'week' | 'month';

/** Days with 25 hours must not change the step. */
const TOLERANCE = 2 * MILLISECONDS.hour;
const isUpTo = ({ from, to }: ShownRange, days: number) => to - from <= days * MILLISECONDS.day + TOLERANCE;

/** Chooses the step of lines by the length of the range. A chart has at most about 2200 steps. */
export function stepOf(range: ShownRange): Step {
  if (isUpTo(range, 14)) return 'value';
  if (isUpTo(range, 90)) return 'hour';
  return isUpTo(range, 1100) ? 'day' : 'week';
}

/** Chooses the step of bars by the length of the range. A chart has at most about 200 bars, or a bar for each month. */
export function barStepOf(range: ShownRange): BarStep {
  if (isUpTo(range, 8)) return 'hour';
  if (isUpTo(range, 90)) return 'day';
  return isUpTo(range, 1100) ? 'week' : 'month';
}

/** Which lines of the time axis are drawn behind a range. */
export interface Ground {
  readonly hasNights: boolean;
  /** The vertical lines. */
  readonly lines: 'midnights' | 'weeks' | 'months' | 'years';
}

export function groundOf(range: ShownRange): Ground {
  const hasNights = isUpTo(range, 14);
  if (isUpTo(range, 10)) return { hasNights, lines: 'midnights' };
  if (isUpTo(range, 100)) return { hasNights, lines: 'weeks' };
  return { hasNights, lines: isUpTo(range, 1100) ? 'months' : 'years' };
}

/** Possible lengths in ms of the intervals of which a chart shows the strongest gust as a dot. */
const DOT_LENGTHS = [1 / 6, 1 / 2, 1, 3, 6, 12, 24, 168].map((hours) => hours * MILLISECONDS.hour);
const MAX_DOTS = 400;

/** Length in ms of the intervals of which a chart shows the strongest gust as a dot. One day or more has one dot a step. */
export function dotLengthOf({ from, to }: ShownRange): number {
  return DOT_LENGTHS.find((length) => (to - from) / length <= MAX_DOTS) ?? 7 * MILLISECONDS.day;
}
