import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/**
 * After a change, the shown range is read again with a delay, so that several changes need only one reading. The delay is the
 * length of the range divided by this number, but at least `SOONEST` and at most `LATEST`. For a range of 30 days the delay is 52
 * s. A chart has fewer than 50,000 pixels, so the delay is shorter than the time that one pixel covers.
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
 * @param changed the range of times of the change; undefined if it is not known which values have changed
 * @param follows whether the range ends now, so that it includes newer values
 */
export function affectsRange(changed: ShownRange | undefined, shown: ShownRange, follows: boolean): boolean {
  return changed === undefined || (changed.to >= shown.from && (follows || changed.from <= shown.to));
}
