import { lowerBound } from '../series.js';
import { type CellMethod, type Variable, variableNumbered } from '../variables.js';

/** What a station says of its values. */
export interface WithCellMethods {
  /** As in `Station`. */
  readonly cellMethods?: Readonly<Record<string, CellMethod>>;
}

/** Whether a station may say which time the values of a variable describe. Amounts, and values of days, are always of an interval. */
export function mayBePoint({ aggregation, period }: Variable): boolean {
  return aggregation !== 'sum' && period !== 'day';
}

/** The time that the values of a variable describe at a station. */
export function cellMethodOf(variable: Variable, { cellMethods }: WithCellMethods): CellMethod {
  const own = mayBePoint(variable) ? cellMethods?.[variable.name] : undefined;
  return own ?? variable.cellMethod;
}

/**
 * The one rule for the interval, hour or day to which a value belongs, by the time of its row:
 *
 *     bucket                   [start ........................ end)
 *     values at a point        start <= time < end
 *     values of an interval    start <  time <= end
 *
 * It is expressed in ms that are added to both bounds, because times are whole milliseconds.
 */
export function delayOf(variable: Variable, station: WithCellMethods): 0 | 1 {
  return cellMethodOf(variable, station) === 'interval' ? 1 : 0;
}

/** The rows of a bucket, from `from` to `to` (not included), whose values of a variable belong to it. @param delay `delayOf` */
export function rowsOfBucket(
  times: Float64Array,
  { start, end }: { readonly start: number; readonly end: number },
  delay: 0 | 1,
): { readonly from: number; readonly to: number } {
  return { from: lowerBound(times, start + delay), to: lowerBound(times, end + delay) };
}

/** Numbers of the variables whose values at a station describe another time than the catalogue says, in rising order. */
export function unusualMethods(station: WithCellMethods, variables: readonly Variable[]): readonly number[] {
  return variables
    .filter((variable) => cellMethodOf(variable, station) !== variable.cellMethod)
    .map(({ number }) => number)
    .sort((a, b) => a - b);
}

/** As `Station.cellMethods`, of numbers as `unusualMethods` returns them. */
export function withUnusualMethods(numbers: readonly number[]): WithCellMethods {
  const methods = numbers.map(variableNumbered).map(({ name, cellMethod }) => {
    return [name, cellMethod === 'point' ? 'interval' : 'point'] as const;
  });
  return { cellMethods: Object.fromEntries(methods) };
}
