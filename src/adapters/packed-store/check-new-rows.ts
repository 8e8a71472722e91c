import { MILLISECONDS } from '#domain/time.js';
import {
  type CheckedColumns,
  flagRows,
  isTailUnknown,
  newTail,
  STEP_REACH,
  type Tail,
} from '#domain/weather/quality-control.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import type { StationRows } from '#domain/weather/row-order.js';
import type { StationState } from '#domain/weather/station-state.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { rowsAround, type RunRow } from './run-rows.js';
import type { CachedState } from './station-states.js';

/**
 * For each variable, the earlier stored value with which the step check compares a new value: the two must not differ too much.
 * The object is reused for every station, because a commit may have thousands of stations.
 */
const TAIL = newTail();

/**
 * Checks the quality of the new rows of one station, if this is possible without decoding chunks. For the step check, each value
 * is compared with the last value before it that passed quality control. This value may be in a stored row.
 *
 * Stored rows are in chunks (rows of whole days), in runs (rows of single commits, not merged into chunks yet), or in both.
 * `lastSeen` is the time of the newest stored row. All rows after `chunksEnd` are in runs. There are three cases; the picture
 * shows stored rows as `o` and new rows as `n`:
 *
 *             chunks and runs          runs only
 *     o     o     o     o     o  |  o     o     o
 *                             |                 |           time ->
 *                         chunksEnd          lastSeen
 *     1.                                              n  n
 *     2.                               n     n
 *     3.             n
 *
 * 1. All new rows are newer than `lastSeen`. The values for the comparison are in the state of the station, which has the newest
 *    values. This is the usual case. The rows are not checked here if the state does not have such a value (`areAppended`).
 * 2. All new rows are newer than `chunksEnd`, but not all are newer than `lastSeen`. The stored row before each new row is
 *    searched in the runs. This happens when several senders write at the same time, so that rows are late by a short time.
 * 3. A new row is not newer than `chunksEnd`. The rows are not checked here.
 *
 * In case 2 the rows are not checked either if one of these conditions is true:
 *
 * - The new rows span more than a day.
 * - The time of a new row is already stored.
 * - The stored row before the first new row is not in the runs, but may be in a chunk.
 * - The stored row before a new row lacks a value that passed, for one of the variables of the new rows.
 *
 * @returns whether the rows were checked. If not, the caller must check them together with the stored rows around them
 */
export function checkNewRows(
  columns: CheckedColumns,
  { station, from, to }: StationRows,
  { state, chunksEnd }: CachedState,
  rules: StationRules,
  runs: readonly Run[],
): boolean {
  const { times } = columns;
  const first = times[from] as number;
  if (first > state.lastSeen) {
    if (!areAppended(columns, first, state)) return false;
    flagRows(columns, from, to, rules, state.tail);
    return true;
  }
  const reach = first - STEP_REACH;
  const last = times[to - 1] as number;
  // If the new rows span more than a day, there may be thousands of stored rows between them, so the stored rows are not
  // searched.
  if (first <= chunksEnd || last - first > MILLISECONDS.day) return false;
  const neighbors = rowsAround(runs, station, reach, first, last);
  if (neighbors === undefined || (reach <= chunksEnd && !((neighbors[0]?.time ?? Infinity) < first)))
    return false;
  const befores = rowsBefore(neighbors, times, from, to);
  if (befores === undefined || !befores.every((row) => row === undefined || isComplete(row, columns)))
    return false;
  TAIL.times.fill(-Infinity);
  for (let row = from; row < to; row += 1) {
    const before = befores[row - from];
    if (before !== undefined) setTail(TAIL, before, columns);
    flagRows(columns, row, row + 1, rules, TAIL);
  }
  return true;
}

/**
 * Whether rows of a station from the time `first` on are newer than all its stored rows, and the state of the station has each
 * value with which they are compared. The state lacks a value after the last passed value of a variable was replaced by one that
 * did not pass.
 */
export function areAppended({ values }: CheckedColumns, first: number, state: StationState): boolean {
  return first > state.lastSeen && !isTailUnknown(state.tail, values.keys(), first);
}

/**
 * For each new row, finds the last stored row before it that is newer than the previous new row. `neighbors` are the stored rows
 * between the first and the last new row, and the last stored row before them, in order of time.
 *
 * @returns an entry for each new row, which is undefined if there is no such stored row. Instead of the entries, undefined if a
 *   stored row has the time of a new row
 */
function rowsBefore(
  neighbors: readonly RunRow[],
  times: Float64Array,
  from: number,
  to: number,
): (RunRow | undefined)[] | undefined {
  const befores: (RunRow | undefined)[] = [];
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    let before: RunRow | undefined;
    while (at < neighbors.length && (neighbors[at] as RunRow).time < time) before = neighbors[at++];
    if (neighbors[at]?.time === time) return undefined;
    befores.push(before);
  }
  return befores;
}

/** Whether a stored row has, for every variable of the new rows (`next`), a value that passed quality control. */
function isComplete({ columns, row }: RunRow, next: CheckedColumns): boolean {
  for (const variable of next.values.keys()) {
    const value = columns.values.get(variable)?.[row] ?? Number.NaN;
    if (Number.isNaN(value) || (columns.flags.get(variable)?.[row] ?? 0) !== 0) return false;
  }
  return true;
}

function setTail(tail: Tail, { columns, row, time }: RunRow, next: CheckedColumns): void {
  for (const variable of next.values.keys()) {
    tail.times[variable] = time;
    tail.values[variable] = columns.values.get(variable)?.[row] as number;
  }
}
