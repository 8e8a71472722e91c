import { FLAG } from '../../series.js';
import type { Variable } from '../../variables.js';
import { type CheckedColumns, setFlag } from './checked-columns.js';
import { largestAmountSince, limitsOf } from './gross-limits.js';
import { sunFlagOf } from './radiation-limit.js';
import type { StationRules } from '../station-rules.js';

/** The values of one variable that are present and within their gross limits, in order of time. */
export interface QcSeries {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** For each value its row in the series of the station. */
  readonly rows: Int32Array;
}

/** The values of a QC series from index `from` to index `to` (not included). */
export function sliceQcSeries({ times, values, rows }: QcSeries, from: number, to: number): QcSeries {
  return {
    times: times.subarray(from, to),
    values: values.subarray(from, to),
    rows: rows.subarray(from, to),
  };
}

/** The values of a QC series whose byte in `isLeftOut` is 0. */
export function withoutValues({ times, values, rows }: QcSeries, isLeftOut: Uint8Array): QcSeries {
  const isKept = (_: number, index: number) => isLeftOut[index] === 0;
  return { times: times.filter(isKept), values: values.filter(isKept), rows: rows.filter(isKept) };
}

/**
 * Checks the gross limits of a column, and radiation by the sun. Flags the values outside of their limits, and returns the values
 * that are inside of the gross limits.
 */
export function qcSeriesOf(
  columns: CheckedColumns,
  variable: Variable,
  column: Float64Array,
  rules: StationRules,
): QcSeries {
  const { times } = columns;
  const { min, max, byInterval } = limitsOf(variable, rules);
  const qcSeries = {
    times: new Float64Array(times.length),
    values: new Float64Array(times.length),
    rows: new Int32Array(times.length),
  };
  let size = 0;
  let previous = -Infinity;
  for (let row = 0; row < times.length; row += 1) {
    const value = column[row] as number;
    if (Number.isNaN(value)) continue;
    const time = times[row] as number;
    const isInside =
      value >= min && value <= max && !(byInterval && value > largestAmountSince(variable, time - previous));
    const flag = isInside ? sunFlagOf(variable.number, value, time, time - previous, rules) : FLAG.grossRange;
    previous = time;
    if (flag !== 0) setFlag(columns, variable.number, row, flag);
    if (flag === FLAG.grossRange) continue;
    qcSeries.times[size] = time;
    qcSeries.values[size] = value;
    qcSeries.rows[size] = row;
    size += 1;
  }
  return sliceQcSeries(qcSeries, 0, size);
}
