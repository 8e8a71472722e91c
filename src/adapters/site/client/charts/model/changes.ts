import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/**
 * The delay before a range is read again is the length of the range divided by this number, but at least `SOONEST` and at most
 * `LATEST`. Changes within this delay are read together. The quotient is less than the time that a pixel of the chart covers.
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
