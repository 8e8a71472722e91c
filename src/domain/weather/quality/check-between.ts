import { type CheckedColumns, flagRows, newTail, type Tail } from '../quality-control.js';
import type { StationRules } from './station-rules.js';
import type { Series } from '../series.js';

/**
 * The last values before the checked row that passed quality control, see `Tail`. All calls use this one object, because a commit
 * may have thousands of rows that arrive late, and creating an object for each row would be slow.
 */
const TAIL = newTail();

/**
 * Checks new rows of one station whose times lie between the times of its stored rows. The flags are the same as with
 * `writeSeries`, but the new rows are not merged with the stored rows: the flags are set in `columns`.
 * Each value is compared with the last passed value before it:
 *
 *     stored   o     o        o     o
 *     new               n  n     n          time ->
 *
 * @param columns columns with the new rows from `from` to `to` (not included). No two of these rows have the same time.
 * @param stored the stored rows of the station from `STEP_REACH` before the first new row to the last new row
 * @returns false if the time of a new row is stored already. Then no row is checked.
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

/** Updates `tail` with those values of a stored row that passed quality control. */
function passRow({ times, values, flags }: Series, row: number, tail: Tail): void {
  for (const [variable, column] of values) {
    const value = column[row] as number;
    if (Number.isNaN(value) || (flags.get(variable)?.[row] ?? 0) !== 0) continue;
    tail.times[variable] = times[row] as number;
    tail.values[variable] = value;
  }
}
