import { MILLISECONDS } from '../../time.js';
import { FLAG, lowerBound, type Series } from '../series.js';
import { variableNumbered } from '../variables.js';
import { buddyColumns, compareWithBuddies, isConfirmed } from './checks/buddies.js';
import { changeLimitOf, stuckAfter } from './checks/check-numbers.js';
import { contradictionsIn, judgeConsistency } from './checks/consistency.js';
import { explainedChanges } from './checks/explained-changes.js';
import { clearFlag, type JudgedColumns, setFlag } from './checks/judged-columns.js';
import { Jumps } from './checks/jumps.js';
import { judgeLevels } from './checks/levels.js';
import type { Neighbour } from './neighbour.js';
import { findStuck } from './checks/persistence.js';
import type { StationRules } from './station-rules.js';
import { signsOfWeather } from './checks/weather-signs.js';
import { type Trace, traceOf } from './checks/trace.js';

/**
 * The verdicts of a range depend on the values up to this many milliseconds before and after it: a block and its sight
 * (levels.ts), and the changes before and after these (jumps.ts).
 */
export const JUDGE_REACH = 60 * MILLISECONDS.hour;

export type { Neighbour } from './neighbour.js';

/** A half-open range of times. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Judges the rows of a station in `[from, to)` once their neighbours in time are stored: the final verdict, which depends on
 * the values alone and not on the order in which they arrived. The verdict of a row depends on the rows up to `JUDGE_REACH` before
 * and after it, so it is the same in whichever range the row is judged.
 *
 * @param series the rows from `JUDGE_REACH` before `from` to `JUDGE_REACH` after `to`, or more. Its flags are not used.
 * @param neighbours stations nearby
 * @returns flags by number of the variable, for each row of `series`; those outside `[from, to)` mean nothing
 */
export function judgeRange(
  series: Series,
  range: Range,
  rules: StationRules,
  neighbours: readonly Neighbour[],
): ReadonlyMap<number, Uint8Array> {
  const columns: JudgedColumns = { ...series, flags: new Map() };
  for (const [number, column] of series.values) {
    const trace = traceOf(columns, variableNumbered(number), column, rules);
    judgeTrace(number, trace, columns, range, rules, neighbours);
  }
  const [first, last] = [lowerBound(series.times, range.from), lowerBound(series.times, range.to)];
  for (const one of contradictionsIn(series.values)) judgeConsistency(columns, one, first, last, undefined);
  return columns.flags;
}

function judgeTrace(
  number: number,
  trace: Trace,
  columns: JudgedColumns,
  range: Range,
  rules: StationRules,
  neighbours: readonly Neighbour[],
): void {
  const variable = variableNumbered(number);
  const set = (index: number, flag: number) => setFlag(columns, number, trace.rows[index] as number, flag);
  const buddies = buddyColumns(variable, neighbours);
  const stuckLimits = stuckAfter(variable, rules);
  const isStuck = new Uint8Array(trace.times.length);
  const findIn = (one: Trace, found: (index: number) => void) => {
    if (stuckLimits !== undefined) findStuck(number, one, stuckLimits, columns.values, rules, found);
  };
  findIn(trace, (index) => {
    isStuck[index] = 1;
    set(index, FLAG.persistence);
  });
  const known = changeLimitOf(variable, rules);
  if (known !== undefined) {
    const evidence = {
      explained: explainedChanges(number, columns.values),
      // A station's own steps are used as they are.
      leniency: rules.steps?.has(number) === true ? () => 1 : signsOfWeather(number, columns),
      confirmed: (from: number, to: number, change: number) => isConfirmed(buddies, from, to, change),
    };
    const jumpsOf = (one: Trace) => new Jumps(one, known.limit, evidence);
    judgeLevels(trace, jumpsOf, { isStuck, findIn }, range, known, set);
  }
  compareWithBuddies(number, trace, buddies, range, (index, verdict) => {
    if (verdict === 'strange') set(index, FLAG.neighbours);
    // A right value between wrong ones looks like a fault. A value that its neighbours have too is right.
    else clearFlag(columns, number, trace.rows[index] as number, FLAG.spike | FLAG.step);
  });
}
