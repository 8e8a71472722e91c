import { STEP_REACH } from '#domain/weather/quality-control.js';

/**
 * Returns the range of times whose stored rows are needed to write new rows. The range begins some hours before the first new
 * row, because quality control compares a value with earlier values.
 *
 * @param first index of the first new row in `times`
 * @param behind index after the last new row
 */
export function affectedRange(
  times: Float64Array,
  first: number,
  behind: number,
): { from: number; to: number } {
  return { from: (times[first] as number) - STEP_REACH, to: (times[behind - 1] as number) + 1 };
}
