import { setFlagsFromString } from 'node:v8';
import { MILLISECONDS } from '#domain/time.js';

/** Time without growth, in milliseconds. */
const DELAY = 5 * MILLISECONDS.second;

/**
 * Lets the space in which V8 creates objects grow only after the start. V8 doubles this space while many new objects stay in use, as in a
 * start, and does not make it smaller again while the service rests. docs/performance.md has the measurement.
 *
 * @param delay milliseconds until the space grows as usual
 */
export function postponeGrowth(delay: number = DELAY): void {
  setGrowth(1);
  setTimeout(() => setGrowth(2), delay).unref();
}

/** @param factor by which V8 enlarges the space; V8's own value is 2 */
function setGrowth(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
