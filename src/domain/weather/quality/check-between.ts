import { type CheckedColumns, flagRows, newTail, type Tail } from '../quality-control.js';
import type { StationRules } from './station-rules.js';
import type { Series } from '../series.js';

/** Reused for every call, because a commit may have thousands of late rows. */
const TAIL = newTail();

/**
 * Judges new rows of one station that lie between stored rows, as `writeSeries` does, but in place and without merging
 * them. Each value is compared with the last value before it that passed:
 *
 *     stored   o     o        o     o
 *     new               n  n     n          time ->
 *
 * @param columns with the new rows from `from` to `to` (not included), whose times differ
 * @param stored the stored rows of the station from `STEP_REACH` before the first new row to the last one
 * @returns false, without having judged any row, if a time is stored already
 */
export function checkBetween(
  columns: CheckedColumns,
  from: number,
  to: number,
  stored: Series,
  rules: StationRules,
): boolean {
  const { times } = columns;
  if (hasSameTime(times, from, to, stored.times)) return false;
  TAIL.times.fill(-Infinity);
  let next = 0;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    for (; next < stored.times.length && (stored.times[next] as number) < time; next += 1)
      passRow(stored, next, TAIL);
    flagRows(columns, row, row + 1, rules, TAIL);
  }
  return true;
}

function hasSameTime(times: Float64Array, from: number, to: number, stored: Float64Array): boolean {
  let next = 0;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    while (next < stored.length && (stored[next] as number) < time) next += 1;
    if (stored[next] === time) return true;
  }
  return false;
}

/** Updates the tail with the values of a stored row that passed. */
function passRow({ times, values, flags }: Series, row: number, tail: Tail): void {
  for (const [variable, column] of values) {
    const value = column[row] as number;
    if (Number.isNaN(value) || (flags.get(variable)?.[row] ?? 0) !== 0) continue;
    tail.times[variable] = times[row] as number;
    tail.values[variable] = value;
  }
}
