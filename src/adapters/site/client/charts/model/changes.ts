import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/** Changes that come soon after another are read together: within this part of the range, which is less than a pixel of a chart. */
const PART = 50_000;
const [SOONEST, LATEST] = [MILLISECONDS.second, MILLISECONDS.minute];
/** Milliseconds from a change to the reading of a range. */
export function pollingPause({ from, to }: ShownRange): number {
  return Math.min(LATEST, Math.max(SOONEST, (to - from) / PART));
}

/** Whether a change may have changed what is shown. @param follows whether the range ends now, so that newer values belong to it */
export function concerns(changed: ShownRange | undefined, shown: ShownRange, follows: boolean): boolean {
  return changed === undefined || (changed.to >= shown.from && (follows || changed.from <= shown.to));
}
