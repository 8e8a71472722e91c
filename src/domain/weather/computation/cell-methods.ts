import { lowerBound } from '../series.js';
import { type CellMethod, type Variable, variableNumbered } from '../variables.js';

/** The cell methods of a station. A cell method (CF conventions) says whether a value describes a point in time or an interval. */
export interface WithCellMethods {
  /** Cell methods by variable, as in `Station.cellMethods`. */
  readonly cellMethods?: Readonly<Record<string, CellMethod>>;
}

/** Whether a station can set the cell method of a variable. Amounts and values of days always describe an interval. */
export function mayBePoint({ aggregation, period }: Variable): boolean {
  return aggregation !== 'sum' && period !== 'day';
}

/** The cell method of a variable at a station. */
export function cellMethodOf(variable: Variable, { cellMethods }: WithCellMethods): CellMethod {
  const own = mayBePoint(variable) ? cellMethods?.[variable.name] : undefined;
  return own ?? variable.cellMethod;
}

/**
 * The delay in milliseconds of a variable: 0 for values at a point in time, 1 for values of an interval. The time of a value of
 * an interval is the end of the interval. So a value at the end of a bucket (an hour, a day or another period) still belongs to
 * this bucket, if it is the value of an interval:
 *
 *     bucket                   [start ........................ end)
 *     values at a point        start <= time < end
 *     values of an interval    start <  time <= end
 *
 * With the delay, one rule is enough for both: a value belongs to a bucket if `start + delay <= time < end + delay`. A delay of
 * one millisecond is enough, because times are whole milliseconds.
 */
export function delayOf(variable: Variable, station: WithCellMethods): 0 | 1 {
  return cellMethodOf(variable, station) === 'interval' ? 1 : 0;
}

/**
 * The rows, from `from` to `to` (not included), whose values belong to a bucket, which is an hour, a day or another period.
 *
 * @param delay `delayOf` of the variable
 * @param first only rows from `first` to `last` (not included) are searched
 */
export function rowsOfBucket(
  times: Float64Array,
  { start, end }: { readonly start: number; readonly end: number },
  delay: 0 | 1,
  first = 0,
  last = times.length,
): { readonly from: number; readonly to: number } {
  const from = lowerBound(times, start + delay, first, last);
  return { from, to: lowerBound(times, end + delay, from, last) };
}

/** Numbers of the variables whose cell method at a station differs from the cell method of the catalog, in ascending order. */
export function unusualMethods(station: WithCellMethods, variables: readonly Variable[]): readonly number[] {
  return variables
    .filter((variable) => cellMethodOf(variable, station) !== variable.cellMethod)
    .map(({ number }) => number)
    .sort((a, b) => a - b);
}

/**
 * Returns the cell methods of a station, in the form of `Station.cellMethods`. `numbers` is the result of `unusualMethods`: the
 * variables whose cell method differs from the catalog.
 */
export function withUnusualMethods(numbers: readonly number[]): WithCellMethods {
  const methods = numbers.map(variableNumbered).map(({ name, cellMethod }) => {
    return [name, cellMethod === 'point' ? 'interval' : 'point'] as const;
  });
  return { cellMethods: Object.fromEntries(methods) };
}
