import { MILLISECONDS } from '#domain/time.js';
import { lowerBound } from '../../series.js';
import type { QcSeries } from './qc-series.js';

/**
 * Milliseconds before and after an hour whose values show in which steps a series is reported. With the hour itself it is less than
 * `JUDGE_REACH`, so that a verdict needs no values further away.
 */
const LOOKAHEAD = 58 * MILLISECONDS.hour;
/**
 * Share of the changes that may be smaller than the step: values that were corrected, converted or wrong are not on the lattice of the
 * others.
 */
export const STRAY = 0.05;

/**
 * The step in which the values around an hour are reported, in the variable's unit: whole °F are 0.56 °C. It is the smallest change between
 * values that follow each other, without `STRAY` of them.
 *
 * @param hour time of its beginning
 * @returns Infinity if no value differs from the one before it
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
