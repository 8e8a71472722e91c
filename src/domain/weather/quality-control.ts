import { MILLISECONDS } from '../time.js';
import { FLAG, type Series } from './series.js';
import type { StationRules } from './quality/station-rules.js';
import { V, type Variable, VARIABLES, variableNumbered } from './variables.js';

/** Largest distance in time, in milliseconds, at which a neighbouring value is used by the step check. */
export const STEP_REACH = 3 * MILLISECONDS.hour;
/** Tolerance in °C: rounding to tenths may make a dew point slightly higher than the temperature. */
const ROUNDING = 0.05 + 1e-9;
/** Length of a reporting interval in minutes where the station has none. */
const LONGEST_INTERVAL = MILLISECONDS.day / MILLISECONDS.minute;

const SLOTS = Math.max(...VARIABLES.map(({ number }) => number)) + 1;

/**
 * The last value of each variable that passed, by number of the variable. The step check compares the next
 * value with it.
 */
export interface Tail {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export function newTail(): Tail {
  return { times: new Float64Array(SLOTS).fill(-Infinity), values: new Float64Array(SLOTS) };
}

/**
 * Judges rows of a series and replaces their flags. Values are never changed. The step check compares each value with
 * the last value before it that passed, which may be in `tail`. An example with one row a minute:
 *
 *   tail      row 0     row 1     row 2
 *   21.0      21.4      35.0      21.6     air_temperature
 *     |        |         |         |
 *     +--------+ passed  |         |
 *              +---------+ step    |
 *              +-------------------+ passed
 *
 * @param tail is updated with the values of the series that passed
 * @param touched 1 for each row that is judged; all rows if left out
 */
export function judge(series: Series, rules: StationRules, tail: Tail, touched?: Uint8Array): Series {
  const flags = new Map([...series.flags].map(([variable, bytes]) => [variable, bytes.slice()]));
  if (touched !== undefined) {
    for (const bytes of flags.values())
      for (let row = 0; row < bytes.length; row += 1) if (touched[row]) bytes[row] = 0;
  } else flags.clear();
  const judged = { ...series, flags };
  judgeRows(judged, 0, series.times.length, rules, tail, touched);
  return judged;
}

/** Columns while their flags are determined. */
export interface JudgedColumns extends Series {
  readonly flags: Map<number, Uint8Array>;
}

/**
 * Judges the rows from `from` to `to` (not included), which belong to one station, and adds flags to `columns`. Rows of
 * many stations can share the columns.
 */
export function judgeRows(
  columns: JudgedColumns,
  from: number,
  to: number,
  rules: StationRules,
  tail: Tail,
  touched?: Uint8Array,
): void {
  const { times, flags } = columns;
  const { perVariable, contradictions } = checksOf(columns);
  for (const { number, column, variable } of perVariable) {
    const { min, max } = limitsOf(variable, rules);
    const earlier = touched === undefined ? undefined : flags.get(number);
    for (let row = from; row < to; row += 1) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      const time = times[row] as number;
      let failed = 0;
      if (touched === undefined || touched[row] === 1) {
        if (value < min || value > max) failed = FLAG.grossRange;
        else if (variable.step !== undefined && exceedsStep(variable.step, time, value, tail, number))
          failed = FLAG.step;
        if (failed !== 0) setFlag(columns, number, row, failed);
      } else failed = earlier?.[row] ?? 0;
      if (failed === 0) {
        tail.times[number] = time;
        tail.values[number] = value;
      }
    }
  }
  for (const one of contradictions) judgeConsistency(columns, one, from, to, touched);
}

function setFlag({ times, flags }: JudgedColumns, variable: number, row: number, check: number): void {
  let bytes = flags.get(variable);
  if (bytes === undefined) flags.set(variable, (bytes = new Uint8Array(times.length)));
  bytes[row] = (bytes[row] as number) | check;
}

/** The columns with what their checks need, so that this is not looked up for each row. */
interface Checks {
  readonly size: number;
  readonly perVariable: readonly {
    readonly number: number;
    readonly column: Float64Array;
    readonly variable: Variable;
  }[];
  readonly contradictions: readonly Contradiction[];
}

/** Checks by the map of columns. A commit of thousands of stations judges the same columns for each of them. */
const CHECKS = new WeakMap<Series['values'], Checks>();

function checksOf({ values }: Series): Checks {
  const known = CHECKS.get(values);
  if (known?.size === values.size) return known;
  const checks: Checks = {
    size: values.size,
    perVariable: [...values].map(([number, column]) => ({
      number,
      column,
      variable: variableNumbered(number),
    })),
    contradictions: CONTRADICTIONS.flatMap(([first, second, contradict]) => {
      const [left, right] = [values.get(first), values.get(second)];
      return left === undefined || right === undefined ? [] : [{ first, second, left, right, contradict }];
    }),
  };
  CHECKS.set(values, checks);
  return checks;
}

function limitsOf({ number, limits }: Variable, rules: StationRules): { min: number; max: number } {
  const own = rules.limits.size === 0 ? undefined : rules.limits.get(number);
  if (own !== undefined) return own;
  if (limits.perMinute !== true) return limits;
  const minutes =
    rules.reportingInterval === null ? LONGEST_INTERVAL : Math.max(1, rules.reportingInterval / 60);
  return { min: limits.min, max: limits.max * minutes };
}

function exceedsStep(
  step: NonNullable<Variable['step']>,
  time: number,
  value: number,
  tail: Tail,
  number: number,
): boolean {
  const elapsed = time - (tail.times[number] as number);
  if (elapsed <= 0 || elapsed > STEP_REACH) return false;
  const allowed = Math.min(
    step.perMinute * Math.max(1, elapsed / MILLISECONDS.minute),
    step.perHour * Math.max(1, elapsed / MILLISECONDS.hour),
  );
  return Math.abs(value - (tail.values[number] as number)) > allowed;
}

const CONTRADICTIONS: readonly (readonly [number, number, (a: number, b: number) => boolean])[] = [
  [V.temperature, V.dewPoint, (temperature, dewPoint) => dewPoint > temperature + ROUNDING],
  [V.windSpeed, V.gust, (speed, gust) => gust < speed],
  [V.windSpeed, V.windDirection, (speed, direction) => speed === 0 && direction !== 0],
];

interface Contradiction {
  /** Numbers of the variables. */
  readonly first: number;
  readonly second: number;
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly contradict: (a: number, b: number) => boolean;
}

/**
 * If two values contradict each other, both are flagged, because it is unknown which one is wrong. Of a calm wind with
 * a direction, only the direction is flagged.
 */
function judgeConsistency(
  columns: JudgedColumns,
  { first, second, left, right, contradict }: Contradiction,
  from: number,
  to: number,
  touched: Uint8Array | undefined,
): void {
  for (let row = from; row < to; row += 1) {
    if (touched !== undefined && touched[row] !== 1) continue;
    // A comparison with NaN (an absent value) is false, but `direction !== 0` is true.
    const [a, b] = [left[row] as number, right[row] as number];
    if (Number.isNaN(a) || Number.isNaN(b) || !contradict(a, b)) continue;
    setFlag(columns, second, row, FLAG.consistency);
    if (second !== V.windDirection) setFlag(columns, first, row, FLAG.consistency);
  }
}
