import { MILLISECONDS } from '../../time.js';
import { FLAG, lowerBound, type Series } from '../series.js';
import { variableNumbered } from '../variables.js';
import { buddyColumns, compareWithBuddies, isConfirmed } from './checks/buddies.js';
import { changeLimitOf, stuckAfter } from './checks/check-numbers.js';
import { contradictionsIn, checkConsistency } from './checks/consistency.js';
import { explainedChanges } from './checks/explained-changes.js';
import { clearFlag, type CheckedColumns, setFlag } from './checks/checked-columns.js';
import { Jumps } from './checks/jumps.js';
import { checkLevels } from './checks/levels.js';
import type { Neighbor } from './neighbor.js';
import { findStuck } from './checks/persistence.js';
import type { StationRules } from './station-rules.js';
import { signsOfWeather } from './checks/weather-signs.js';
import { type QcSeries, qcSeriesOf } from './checks/qc-series.js';

/**
 * The verdicts of a range depend on the values up to this many milliseconds before and after it: a block and its sight
 * (levels.ts), and the changes before and after these (jumps.ts).
 */
export const CHECK_REACH = 60 * MILLISECONDS.hour;

export type { Neighbor } from './neighbor.js';

/** A half-open range of times. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Judges the rows of a station in `[from, to)` once their neighbors in time are stored: the final verdict, which depends on
 * the values alone and not on the order in which they arrived. The verdict of a row depends on the rows up to `JUDGE_REACH` before
 * and after it, so it is the same in whichever range the row is judged.
 *
 * @param series the rows from `JUDGE_REACH` before `from` to `JUDGE_REACH` after `to`, or more. Its flags are not used.
 * @param neighbors stations nearby
 * @returns flags by number of the variable, for each row of `series`; those outside `[from, to)` mean nothing
 */
export function recheckRange(
  series: Series,
  range: Range,
  rules: StationRules,
  neighbors: readonly Neighbor[],
): ReadonlyMap<number, Uint8Array> {
  const columns: CheckedColumns = { ...series, flags: new Map() };
  for (const [number, column] of series.values) {
    const trace = qcSeriesOf(columns, variableNumbered(number), column, rules);
    recheckSeries(number, trace, columns, range, rules, neighbors);
  }
  const [first, last] = [lowerBound(series.times, range.from), lowerBound(series.times, range.to)];
  for (const one of contradictionsIn(series.values)) checkConsistency(columns, one, first, last, undefined);
  return columns.flags;
}

function recheckSeries(
  number: number,
  trace: QcSeries,
  columns: CheckedColumns,
  range: Range,
  rules: StationRules,
  neighbors: readonly Neighbor[],
): void {
  const variable = variableNumbered(number);
  const set = (index: number, flag: number) => setFlag(columns, number, trace.rows[index] as number, flag);
  const buddies = buddyColumns(variable, neighbors);
  const stuckLimits = stuckAfter(variable, rules);
  const isStuck = new Uint8Array(trace.times.length);
  const findIn = (one: QcSeries, found: (index: number) => void) => {
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
    const jumpsOf = (one: QcSeries) => new Jumps(one, known.limit, evidence);
    checkLevels(trace, jumpsOf, { isStuck, findIn }, range, known, set);
  }
  compareWithBuddies(number, trace, buddies, range, (index, verdict) => {
    if (verdict === 'strange') set(index, FLAG.neighbors);
    // A right value between wrong ones looks like a fault. A value that its neighbors have too is right.
    else clearFlag(columns, number, trace.rows[index] as number, FLAG.spike | FLAG.step);
  });
}
