import { STEP_REACH } from '#domain/weather/quality-control.js';

/** The range of times of the stored rows that affect how the rows from `first` to `behind` (not included) are written. */
export function affectedRange(
  times: Float64Array,
  first: number,
  behind: number,
): { from: number; to: number } {
  return { from: (times[first] as number) - STEP_REACH, to: (times[behind - 1] as number) + 1 };
}
