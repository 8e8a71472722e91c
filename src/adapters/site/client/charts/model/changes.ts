import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/**
 * Divisor of the length of a range. Changes within the resulting time are read together. This time is less than a pixel of a
 * chart.
 */
const PART = 50_000;
const [SOONEST, LATEST] = [MILLISECONDS.second, MILLISECONDS.minute];
/** Delay in ms between a change and the next reading of a range. */
export function readDelay({ from, to }: ShownRange): number {
  return Math.min(LATEST, Math.max(SOONEST, (to - from) / PART));
}

/**
 * Whether a change can affect the shown range.
 *
 * @param changed undefined if changes were missed
 * @param follows whether the range ends now, so that it includes newer values
 */
export function affectsRange(changed: ShownRange | undefined, shown: ShownRange, follows: boolean): boolean {
  return changed === undefined || (changed.to >= shown.from && (follows || changed.from <= shown.to));
}
