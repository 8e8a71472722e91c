import { MILLISECONDS } from '#domain/time.js';
import { V, type StepLimit, type Variable, VARIABLES } from '../../variables.js';
import type { StationRules } from '../station-rules.js';

/** Longest assumed interval of an amount in minutes, if the reporting interval of the station is unknown. */
const MAX_INTERVAL = MILLISECONDS.day / MILLISECONDS.minute;
/**
 * The formula 425 mm · hours ** 0.47 is an upper bound of the largest published amounts of rain: Jennings (1950), and
 * WMO-No. 1045 (2009), Manual on Estimation of Probable Maximum Precipitation. The formula itself is from this project.
 */
const JENNINGS = { millimeters: 425, exponent: 0.47 } as const;

/** The gross limits of a variable. The upper limit of an amount depends on its interval. */
export interface GrossLimits {
  readonly min: number;
  /** Infinity for an amount whose interval is unknown. */
  readonly max: number;
  /** Whether the upper limit depends on the time since the previous amount, because the interval is unknown. */
  readonly byInterval: boolean;
}

/**
 * The gross limits in the catalog, by number of the variable. Amounts are left out. The limits are cached, because every written
 * row needs them.
 */
const FIXED: readonly (GrossLimits | undefined)[] = byNumber(({ limits }) =>
  limits.perMinute === true ? undefined : { min: limits.min, max: limits.max, byInterval: false },
);
/** Cache of the last computed limits of amounts, by number of the variable. */
const LAST: { readonly interval: number | null; readonly limits: GrossLimits }[] = [];

/** The gross limits of a variable at a station. The limits of the station replace the limits of the catalog. */
export function limitsOf(variable: Variable, rules: StationRules): GrossLimits {
  const { number } = variable;
  const own = rules.limits.size === 0 ? undefined : rules.limits.get(number);
  if (own !== undefined) return { min: own.min, max: own.max, byInterval: false };
  return FIXED[number] ?? limitsOfAmount(variable, rules.reportingInterval);
}

/** @param interval reporting interval in seconds; null if unknown */
function limitsOfAmount(variable: Variable, interval: number | null): GrossLimits {
  const last = LAST[variable.number];
  if (last?.interval === interval) return last.limits;
  const limits = {
    min: variable.limits.min,
    max: interval === null ? Infinity : largestAmount(variable, interval / 60),
    byInterval: interval === null,
  };
  LAST[variable.number] = { interval, limits };
  return limits;
}

function byNumber<T>(of: (variable: Variable) => T): (T | undefined)[] {
  const all: (T | undefined)[] = [];
  for (const variable of VARIABLES) all[variable.number] = of(variable);
  return all;
}

/** The largest amount of an interval of unknown length. @param elapsed milliseconds since the previous amount */
export function largestAmountSince(variable: Variable, elapsed: number): number {
  return largestAmount(variable, Math.min(MAX_INTERVAL, elapsed / MILLISECONDS.minute));
}

/** The largest amount of an interval. World records (`JENNINGS`) limit precipitation too. */
export function largestAmount({ number, limits }: Variable, minutes: number): number {
  const linear = limits.max * Math.max(1, minutes);
  if (number !== V.precipitation) return linear;
  return Math.min(linear, JENNINGS.millimeters * (Math.max(1, minutes) / 60) ** JENNINGS.exponent);
}

/**
 * The largest allowed change between two values. The allowed change grows with the time between the values, for at most
 * an hour.
 *
 * @param elapsed milliseconds, more than 0
 */
export function allowedStep({ perMinute, perHour }: StepLimit, elapsed: number): number {
  return Math.min(perHour, perMinute * Math.max(1, elapsed / MILLISECONDS.minute));
}
