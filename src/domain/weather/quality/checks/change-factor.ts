import { MILLISECONDS } from '#domain/time.js';
import type { Jumps } from './jumps.js';
import { STRAY } from './resolution.js';

/**
 * If changes of a certain size occur on at least three of about four consecutive days (`Window`), changes of this size are usual.
 * Then a change of up to this number times the size is allowed.
 */
export const RECURRING = 1.4;
/**
 * Values are rounded to a reporting step, for example 0.1 °C. Both values of a change are rounded, so this share of the reporting
 * step is added to the allowed change.
 */
export const ROUNDING_SHARE = 0.5;
/** Smallest number of changes from which the reporting step, for example 0.1 °C, is determined. */
const MIN_CHANGES = 8;

/**
 * The values that are used to check a block of six hours (`BLOCK`): the values of the block and of the two days before and after
 * it (`LOOKAHEAD`). They have the indices from `low` to `high` (not included).
 */
export interface Window {
  /** Time of the begin of the window, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly begin: number;
  readonly low: number;
  readonly high: number;
  /** Index in `Jumps.at` of the first large change within the window. */
  readonly jump: number;
}

/** The largest change of each day of a window, which is about four days long. The buffer is reused for every window. */
const daily = new Float64Array(4);

/**
 * The number by which the allowed change is multiplied in a window, which is about four days long. It is the largest of the
 * following three numbers, plus an addition for rounding (`ROUNDING_SHARE`):
 *
 * - 1.
 * - The square root of (median change in the window / usual change). The parameter `usualShare` is the usual change. In weather
 *   with many large changes, larger changes are allowed. The largest changes grow less than the median, hence the square root.
 * - `RECURRING` times the largest change that is reached on three days of the window, for example in the hour after sunrise in a
 *   desert, or with the sea breeze of each noon.
 *
 * A fault hardly alters these numbers. A fault of less than half of the values does not alter the median much. A fault that
 * begins and ends causes large changes on at most two days.
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
 * The reporting step, for example 0.1 °C: the smallest change, apart from stray changes. Stray changes are a small share
 * (`STRAY`) of smaller changes, which come for example from corrected values. The result is 0 if fewer than `MIN_CHANGES` values
 * change.
 *
 * @param sorted the changes in ascending order
 */
function smallestOf(sorted: Float64Array): number {
  let equal = 0;
  while (equal < sorted.length && sorted[equal] === 0) equal += 1;
  const changing = sorted.length - equal;
  return changing < MIN_CHANGES ? 0 : (sorted[equal + Math.floor(STRAY * changing)] as number);
}
