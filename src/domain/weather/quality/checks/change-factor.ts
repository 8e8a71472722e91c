import { MILLISECONDS } from '#domain/time.js';
import type { Jumps } from './jumps.js';
import { STRAY } from './resolution.js';

/** A change that three days reach is the climate of these days. This multiple of it is allowed. */
export const RECURRING = 1.4;
/** Share of the step in which values are reported that is added to the allowed change, because both of its values are rounded. */
export const ROUNDING_SHARE = 0.5;
/** From this number of changes on they show the step in which the values are reported. */
const MIN_CHANGES = 8;

/** The values from `low` to `high` (not included), which are those around a block. */
export interface Window {
  /** Time of its beginning. */
  readonly begin: number;
  readonly low: number;
  readonly high: number;
  /** Index in `Jumps.at` of the first jump within the window. */
  readonly jump: number;
}

/** Reused for every window: the largest change of each of its days. */
const daily = new Float64Array(4);

/**
 * The number by which the allowed change is multiplied: the largest of three.
 *
 * - 1;
 * - the root of the ratio of the usual change (the median) of these days to that of the table. Where the weather of these days, or the
 *   climate, changes more than usual, so do the largest changes, but less than in proportion;
 * - `RECURRING` times the change that three days reach: the hour after sunrise in a desert, the sea breeze of each noon.
 *
 * A fault of less than half of the values does not alter the median much, and a fault that begins and ends does not alter more than two
 * days.
 */
export function factorOf(jumps: Jumps, window: Window, usualShare: number): number {
  const { begin, low, high } = window;
  const changes = new Float64Array(high - low - 1);
  daily.fill(-1);
  for (let index = low + 1; index < high; index += 1) {
    const change = jumps.relativeChange(index);
    changes[index - low - 1] = change;
    const day = Math.min(daily.length - 1, Math.floor((jumps.timeAt(index) - begin) / MILLISECONDS.day));
    if (change > (daily[day] as number)) daily[day] = change;
  }
  const median = changes.sort()[changes.length >> 1] as number;
  const recurring = Math.max(0, daily.sort()[daily.length - 3] as number);
  const factor = Math.max(1, Math.sqrt(median / usualShare), RECURRING * recurring);
  return factor + ROUNDING_SHARE * smallestOf(changes);
}

/**
 * The smallest change that is none of the stray ones, which is the step in which the values are reported; 0 if too few values change to
 * show it.
 */
function smallestOf(sorted: Float64Array): number {
  let equal = 0;
  while (equal < sorted.length && sorted[equal] === 0) equal += 1;
  const changing = sorted.length - equal;
  return changing < MIN_CHANGES ? 0 : (sorted[equal + Math.floor(STRAY * changing)] as number);
}
