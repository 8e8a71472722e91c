import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from './span.js';

/** Shortest time in ms between a change and the next reading, so that several changes need only one reading. */
const SOONEST = MILLISECONDS.second;

/** Delay in ms between a change and the next reading: readings are at least a minute apart. @param sinceLast ms since the last one */
export function readDelay(sinceLast: number): number {
  return Math.max(SOONEST, MILLISECONDS.minute - sinceLast);
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

/**
 * Whether a change is a single row at or after the last drawn row, whose values the event contains.
 *
 * @param last time of the last drawn row in ms since 1970; undefined if values of events cannot be drawn
 */
export function isNewestRow(
  changed: ShownRange | undefined,
  last: number | undefined,
  follows: boolean,
): boolean {
  return (
    follows &&
    last !== undefined &&
    changed !== undefined &&
    changed.from === changed.to &&
    changed.from > last
  );
}
