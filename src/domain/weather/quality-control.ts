import { MILLISECONDS } from '../time.js';
import {
  type ColumnContradiction,
  contradictionsIn,
  checkConsistency,
} from './quality/checks/consistency.js';
import { type CheckedColumns, setFlag } from './quality/checks/checked-columns.js';
import { allowedStep, largestAmountSince, limitsOf } from './quality/checks/gross-limits.js';
import type { StationRules } from './quality/station-rules.js';
import { FLAG, type Series } from './series.js';
import { type StepLimit, type Variable, VARIABLES, variableNumbered } from './variables.js';

/** Largest age in milliseconds of an earlier value that the step check uses. */
export const STEP_REACH = 3 * MILLISECONDS.hour;

export type { CheckedColumns } from './quality/checks/checked-columns.js';

const SLOTS = Math.max(...VARIABLES.map(({ number }) => number)) + 1;

/**
 * The last passed value of each variable and its time, by number of the variable. The step check compares the next value of the
 * variable with this value.
 *
 * A later write may replace the last passed value by a value that does not pass. `values` then has NaN for the variable, and its
 * time stays. The last passed value is then an earlier value, which is not known here.
 */
export interface Tail {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/**
 * Whether the step check of a value at `time` needs a last passed value that `tail` does not know: the value was replaced by a
 * value that did not pass (see `Tail`). The last passed value must then be read from the stored rows of the last `STEP_REACH`.
 */
export function isTailUnknown(tail: Tail, columns: Series, time: number): boolean {
  for (const { number } of checksOf(columns).perVariable)
    if (Number.isNaN(tail.values[number]) && time - (tail.times[number] as number) <= STEP_REACH) return true;
  return false;
}

export function newTail(): Tail {
  return { times: new Float64Array(SLOTS).fill(-Infinity), values: new Float64Array(SLOTS) };
}

/**
 * Checks rows of a series and replaces their flags. Values are never changed. The step check compares each value with
 * the last passed value before it, which may be in `tail`. An example with one row a minute:
 *
 *   tail      row 0     row 1     row 2
 *   21.0      21.4      35.0      21.6     air_temperature
 *     |        |         |         |
 *     +--------+ passed  |         |
 *              +---------+ step    |
 *              +-------------------+ passed
 *
 * @param tail is updated with the passed values of the series
 * @param touched 1 for each row to check; if absent, all rows are checked
 */
export function recheck(series: Series, rules: StationRules, tail: Tail, touched?: Uint8Array): Series {
  const flags = new Map([...series.flags].map(([variable, bytes]) => [variable, bytes.slice()]));
  if (touched !== undefined) {
    for (const bytes of flags.values())
      for (let row = 0; row < bytes.length; row += 1) if (touched[row]) bytes[row] = 0;
  } else flags.clear();
  const checked = { ...series, flags };
  flagRows(checked, 0, series.times.length, rules, tail, touched);
  return checked;
}

/** The tail before the rows of a call of `flagRows`. One object is enough for all calls, of which there may be thousands in a commit. */
const BEFORE = newTail();

/**
 * Checks the rows from `from` to `to` (not included), which belong to one station, and adds flags to `columns`. The columns
 * may contain rows of many stations. Touched rows must not have flags yet.
 *
 * The columns are checked one after the other, because this is fast. But if the values of a row contradict each other, they have
 * not passed, so that later rows must not be compared with them. Then all rows are checked again, one after the other.
 */
export function flagRows(
  columns: CheckedColumns,
  from: number,
  to: number,
  rules: StationRules,
  tail: Tail,
  touched?: Uint8Array,
): void {
  const { times, flags } = columns;
  const { perVariable, contradictions } = checksOf(columns);
  const { steps } = rules;
  for (const { number, column, variable, defaultStep } of perVariable) {
    BEFORE.times[number] = tail.times[number] as number;
    BEFORE.values[number] = tail.values[number] as number;
    const { min, max, byInterval } = limitsOf(variable, rules);
    const step = steps === undefined ? defaultStep : (steps.get(number) ?? defaultStep);
    const earlier = touched === undefined ? undefined : flags.get(number);
    for (let row = from; row < to; row += 1) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      const time = times[row] as number;
      let failed = 0;
      if (touched === undefined || touched[row] === 1) {
        if (value < min || value > max) failed = FLAG.grossRange;
        else if (byInterval && value > largestAmountSince(variable, elapsedSince(tail, number, time)))
          failed = FLAG.grossRange;
        else if (step !== undefined && exceedsStep(step, time, value, tail, number)) failed = FLAG.step;
        if (failed !== 0) setFlag(columns, number, row, failed);
      } else failed = earlier?.[row] ?? 0;
      if (failed === 0) {
        tail.times[number] = time;
        tail.values[number] = value;
      }
    }
  }
  let isContradicted = false;
  for (const one of contradictions)
    if (checkConsistency(columns, one, from, to, touched)) isContradicted = true;
  if (!isContradicted) return;
  const isOneRow = to - from === 1;
  for (const { number, column } of perVariable) {
    const bytes = flags.get(number);
    if (isOneRow && (Number.isNaN(column[from]) || (bytes?.[from] ?? 0) === 0)) continue;
    tail.times[number] = BEFORE.times[number] as number;
    tail.values[number] = BEFORE.values[number] as number;
    if (isOneRow || bytes === undefined) continue;
    for (let row = from; row < to; row += 1) if (touched === undefined || touched[row] === 1) bytes[row] = 0;
  }
  if (isOneRow) return;
  for (let row = from; row < to; row += 1) flagRows(columns, row, row + 1, rules, tail, touched);
}

/** The columns of a batch, each with the data that its checks need. So the data are not looked up again for each row. */
interface Checks {
  readonly size: number;
  readonly perVariable: readonly {
    readonly number: number;
    readonly column: Float64Array;
    readonly variable: Variable;
    readonly defaultStep: StepLimit | undefined;
  }[];
  readonly contradictions: readonly ColumnContradiction[];
}

/**
 * Caches what the checks need to know about the columns of a batch (`Checks`). The key is the map of the columns. A batch can
 * have rows of thousands of stations, and all of them use the same `Checks`.
 */
const CHECKS = new WeakMap<Series['values'], Checks>();

function checksOf({ values }: Series): Checks {
  const known = CHECKS.get(values);
  if (known?.size === values.size) return known;
  const checks: Checks = {
    size: values.size,
    perVariable: [...values].map(([number, column]) => {
      const variable = variableNumbered(number);
      return { number, column, variable, defaultStep: variable.step };
    }),
    contradictions: contradictionsIn(values),
  };
  CHECKS.set(values, checks);
  return checks;
}

/** Milliseconds from the last passed value of a variable to `time`; Infinity if there is none, or if it is unknown. */
function elapsedSince(tail: Tail, variable: number, time: number): number {
  return Number.isNaN(tail.values[variable]) ? Infinity : time - (tail.times[variable] as number);
}

/** Whether a value differs too much from the last passed value. The allowed change grows with the time, for at most an hour. */
function exceedsStep(step: StepLimit, time: number, value: number, tail: Tail, number: number): boolean {
  const elapsed = time - (tail.times[number] as number);
  if (elapsed <= 0 || elapsed > STEP_REACH) return false;
  return Math.abs(value - (tail.values[number] as number)) > allowedStep(step, elapsed);
}
