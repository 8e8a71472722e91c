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
 * The verdicts on a range of times depend on the values up to this many milliseconds before and after the range. The check of
 * jumps reaches farthest: it uses the values up to 48 hours before and after a block of 6 hours (`LOOKAHEAD` and `BLOCK` in
 * `levels.ts`). It also compares the first and the last change in this time with the next change outside, which needs a few more
 * hours (`RAMP_REACH` in `jumps.ts`).
 */
export const CHECK_REACH = 60 * MILLISECONDS.hour;

export type { Neighbor } from './neighbor.js';

/** The range of times `[from, to)`, in milliseconds since 1970-01-01T00:00:00Z. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Checks the rows of a station in `[from, to)` when the rows before and after them are stored. The verdicts are final: they
 * depend only on the values and not on the order in which the values arrived.
 *
 * The verdict of a row depends on the rows up to `CHECK_REACH` before and after it. So it does not matter whether a row is
 * checked as a part of a short or of a long range.
 *
 * @param series the rows from `CHECK_REACH` before `from` to `CHECK_REACH` after `to`, or more. Its flags are not used.
 * @param neighbors nearby stations
 * @returns flags by number of the variable, for each row of `series`. Flags outside of `[from, to)` have no meaning.
 */
export function recheckRange(
  series: Series,
  range: Range,
  rules: StationRules,
  neighbors: readonly Neighbor[],
): ReadonlyMap<number, Uint8Array> {
  const columns: CheckedColumns = { ...series, flags: new Map() };
  for (const [number, column] of series.values) {
    const qcSeries = qcSeriesOf(columns, variableNumbered(number), column, rules);
    recheckSeries(number, qcSeries, columns, range, rules, neighbors);
  }
  const [first, last] = [lowerBound(series.times, range.from), lowerBound(series.times, range.to)];
  for (const one of contradictionsIn(series.values)) checkConsistency(columns, one, first, last, undefined);
  return columns.flags;
}

function recheckSeries(
  number: number,
  qcSeries: QcSeries,
  columns: CheckedColumns,
  range: Range,
  rules: StationRules,
  neighbors: readonly Neighbor[],
): void {
  const variable = variableNumbered(number);
  const set = (index: number, flag: number) => setFlag(columns, number, qcSeries.rows[index] as number, flag);
  const buddies = buddyColumns(variable, neighbors);
  const stuckLimits = stuckAfter(variable, rules);
  const isStuck = new Uint8Array(qcSeries.times.length);
  const findIn = (part: QcSeries, report: (index: number) => void) => {
    if (stuckLimits !== undefined) findStuck(number, part, stuckLimits, columns.values, rules, report);
  };
  findIn(qcSeries, (index) => {
    isStuck[index] = 1;
    set(index, FLAG.persistence);
  });
  const known = changeLimitOf(variable, rules);
  if (known !== undefined) {
    const evidence = {
      explained: explainedChanges(number, columns.values),
      // If the station has its own limit for changes of this variable, signs of weather, such as gusts, do not increase the
      // limit.
      leniency: rules.steps?.has(number) === true ? () => 1 : signsOfWeather(number, columns),
      confirmed: (from: number, to: number, change: number) => isConfirmed(buddies, from, to, change),
    };
    const jumpsOf = (part: QcSeries) => new Jumps(part, known.limit, evidence);
    checkLevels(qcSeries, jumpsOf, { isStuck, findIn }, range, known, set);
  }
  compareWithBuddies(number, qcSeries, buddies, range, (index, verdict) => {
    if (verdict === 'different') set(index, FLAG.neighbors);
    // A right value between wrong values looks like a fault. If the values of nearby stations are similar, the value is right.
    else clearFlag(columns, number, qcSeries.rows[index] as number, FLAG.spike | FLAG.step);
  });
}
