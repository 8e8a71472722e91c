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
import type { Series } from '#domain/weather/series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { rowsAround, type RunRow } from './run-rows.js';
import type { CachedState } from './station-states.js';

/**
 * For each variable, the earlier stored value with which the step check compares a new value: the two must not differ too much.
 * The object is reused for every station, because a commit may have thousands of stations.
 */
const TAIL = newTail();

/**
 * Checks the quality of the new rows of one station, but only if this is possible without decoding chunks (packed rows of whole
 * days).
 *
 * The step check compares each value with the last earlier value that passed quality control. This function looks for the earlier
 * values in two places: in the state of the station, which has its newest values, and in runs, which have the rows of single
 * commits that are not merged into chunks yet. All stored rows after the time `chunksEnd` are in runs. The time of the newest
 * stored row is `lastSeen`.
 *
 * The picture shows stored rows as `o`, and the new rows of three cases as `n`:
 *
 *             chunks and runs          runs only
 *     o     o     o     o     o  |  o     o     o
 *                             |                 |           time ->
 *                         chunksEnd          lastSeen
 *     1.                                              n  n
 *     2.                               n     n
 *     3.             n
 *
 * 1. All new rows are newer than `lastSeen`. This is the usual case. The earlier values are taken from the state. If the state
 *    lacks one of them (`areAppended`), the result is false.
 * 2. All new rows are newer than `chunksEnd`, but not all are newer than `lastSeen`. This happens when several senders write at
 *    the same time, so that rows are a little late. The earlier values are taken from the runs.
 * 3. A new row is not newer than `chunksEnd`. The result is false.
 *
 * In case 2 the result is also false if one of these conditions is true:
 *
 * - The new rows span more than a day.
 * - A new row has the same time as a stored row.
 * - The stored row before the first new row may be in a chunk, because the runs have none between `chunksEnd` and the new row.
 * - The stored row before a new row lacks a passed value for one of the variables of the new rows.
 *
 * @returns true if the rows were checked. If false, the caller must check them together with the stored rows around them
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
  if (neighbors === undefined) return false;
  // Rows that are not newer than `chunksEnd` may be in chunks, even if a run has some of them: a late row, which was written after
  // the last merge, is in a run and may be older than a row in a chunk.
  const earliest = neighbors[0]?.time ?? Infinity;
  if (reach <= chunksEnd && (earliest <= chunksEnd || earliest >= first)) return false;
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
 * Whether new rows of a station, the first of which has the time `first`, can be checked with the state of the station alone. The
 * state has the newest values of the station. Two conditions must be true:
 *
 * - The new rows are newer than all stored rows of the station.
 * - The state lacks none of the values with which the step check compares the new values: for each variable, the last value that
 *   passed quality control. The state lacks such a value if it was replaced by a value that did not pass.
 */
export function areAppended(columns: CheckedColumns, first: number, state: StationState): boolean {
  return first > state.lastSeen && !isTailUnknown(state.tail, columns, first);
}

/**
 * For each new row, finds the last stored row between the previous new row and this new row. For the first new row, finds the
 * last stored row before it.
 *
 * @param neighbors stored rows in order of time: the last row before the first new row, and all rows up to the last new row
 * @returns one entry for each new row, a series with the stored row; the entry is undefined if there is no such stored row. If a
 *   stored row has the same time as a new row, the whole result is undefined
 */
function rowsBefore(
  neighbors: readonly RunRow[],
  times: Float64Array,
  from: number,
  to: number,
): (Series | undefined)[] | undefined {
  const befores: (Series | undefined)[] = [];
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    let before: RunRow | undefined;
    while (at < neighbors.length && (neighbors[at] as RunRow).time < time) before = neighbors[at++];
    if (neighbors[at]?.time === time) return undefined;
    befores.push(before?.run.read(before.row, before.row + 1));
  }
  return befores;
}

/** Whether a stored row has, for every variable of the new rows (`next`), a value that passed quality control. */
function isComplete({ values, flags }: Series, next: CheckedColumns): boolean {
  for (const variable of next.values.keys()) {
    const value = values.get(variable)?.[0] ?? Number.NaN;
    if (Number.isNaN(value) || (flags.get(variable)?.[0] ?? 0) !== 0) return false;
  }
  return true;
}

function setTail(tail: Tail, { times, values }: Series, next: CheckedColumns): void {
  for (const variable of next.values.keys()) {
    tail.times[variable] = times[0] as number;
    tail.values[variable] = values.get(variable)?.[0] as number;
  }
}
