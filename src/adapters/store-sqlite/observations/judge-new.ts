import { MILLISECONDS } from '../../../domain/time.js';
import {
  type JudgedColumns,
  judgeRows,
  newTail,
  STEP_REACH,
  type StationRules,
  type Tail,
} from '../../../domain/weather/quality-control.js';
import type { StationRows } from '../../../domain/weather/row-order.js';

import type { Run } from '../../formats/packed/run-codec.js';
import { rowsAround, type RunRow } from './run-rows.js';
import type { KnownState } from './station-states.js';

/** Used again for every group: there are thousands in a commit. */
const TAIL = newTail();

/**
 * Judges rows that are new, without a look at history where they come last, and otherwise with one at the runs: senders
 * that take turns overtake each other, so that most that is late is late by little.
 *
 * @returns false where that is not enough to tell: some of the rows are there already, they are older than what is in
 * chunks, or a neighbour says nothing of one of the variables. They are to be laid over what there is then.
 */
export function judgeNew(
  columns: JudgedColumns,
  { station, from, to }: StationRows,
  { state, chunksEnd }: KnownState,
  rules: StationRules,
  runs: readonly Run[],
): boolean {
  const { times } = columns;
  const first = times[from] as number;
  if (first > state.lastSeen) {
    judgeRows(columns, from, to, rules, state.tail);
    return true;
  }
  const reach = first - STEP_REACH;
  const last = times[to - 1] as number;
  // Between rows that are far apart there may be thousands of others.
  if (first <= chunksEnd || last - first > MILLISECONDS.day) return false;
  const neighbours = rowsAround(runs, station, reach, first, last);
  if (neighbours === undefined || (reach <= chunksEnd && !((neighbours[0]?.time ?? Infinity) < first)))
    return false;
  const befores = interleaved(neighbours, times, from, to);
  if (befores === undefined || !befores.every((row) => row === undefined || isComplete(row, columns)))
    return false;
  TAIL.times.fill(-Infinity);
  for (let row = from; row < to; row += 1) {
    const before = befores[row - from];
    if (before !== undefined) setTail(TAIL, before, columns);
    judgeRows(columns, row, row + 1, rules, TAIL);
  }
  return true;
}

/** For each row the one of `neighbours` that comes between it and the row before it; undefined when a row is there already. */
function interleaved(
  neighbours: readonly RunRow[],
  times: Float64Array,
  from: number,
  to: number,
): (RunRow | undefined)[] | undefined {
  const found: (RunRow | undefined)[] = [];
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    let before: RunRow | undefined;
    while (at < neighbours.length && (neighbours[at] as RunRow).time < time) before = neighbours[at++];
    if (neighbours[at]?.time === time) return undefined;
    found.push(before);
  }
  return found;
}

/** Whether a row has a value that passed of every variable of `next`. */
function isComplete({ columns, row }: RunRow, next: JudgedColumns): boolean {
  for (const variable of next.values.keys()) {
    const value = columns.values.get(variable)?.[row] ?? Number.NaN;
    if (Number.isNaN(value) || (columns.flags.get(variable)?.[row] ?? 0) !== 0) return false;
  }
  return true;
}

function setTail(tail: Tail, { columns, row, time }: RunRow, next: JudgedColumns): void {
  for (const variable of next.values.keys()) {
    tail.times[variable] = time;
    tail.values[variable] = columns.values.get(variable)?.[row] as number;
  }
}
