import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import type { QcSeries } from './qc-series.js';

/**
 * The reporting step of an hour is determined from the values of this hour and from the values up to this many milliseconds
 * before and after it. So a check uses values up to 59 hours away from the checked value. It may use values up to 60 hours away
 * (`CHECK_REACH`).
 */
const LOOKAHEAD = 58 * MILLISECONDS.hour;
/**
 * Share of all changes that may be smaller than the reporting step. Such stray changes come from corrected, converted and wrong
 * values, which are not multiples of the reporting step.
 */
export const STRAY = 0.05;

/**
 * The reporting step of the values around an hour, in the variable's unit, for example 0.56 °C for values in whole °F. The
 * reporting step is the smallest change between consecutive values, without the stray changes (`STRAY`).
 *
 * @param hour time of the begin of the hour, in milliseconds since 1970-01-01T00:00:00Z
 * @returns Infinity if all values are equal
 */
export function resolutionAround({ times, values }: QcSeries, hour: number): number {
  const from = lowerBound(times, hour - LOOKAHEAD);
  const to = lowerBound(times, hour + MILLISECONDS.hour + LOOKAHEAD, from);
  const changes = new Float64Array(Math.max(0, to - from - 1));
  let size = 0;
  for (let index = from + 1; index < to; index += 1) {
    const change = Math.abs((values[index] as number) - (values[index - 1] as number));
    if (change > 0) changes[size++] = change;
  }
  if (size === 0) return Infinity;
  return changes.subarray(0, size).sort()[Math.floor(STRAY * size)] as number;
}
