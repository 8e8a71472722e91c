import { MILLISECONDS } from '#domain/time.js';
import { highestSine, SOLAR_CONSTANT, sunAt } from '../../derived/solar.js';
import { V } from '../../variables.js';
import type { StationRules } from '../station-rules.js';

/**
 * The physically possible limit of global radiation: Sa · 1.5 · µ0 ** 1.2 + 100 W/m², with the radiation Sa outside of the atmosphere and the
 * sine µ0 of the altitude of the sun. BSRN Global Network recommended QC tests, V2.0 (Long and Dutton).
 */
export const RADIATION_LIMIT = { factor: 1.5, exponent: 1.2, night: 100 } as const;
/** Longest time of a mean in milliseconds, where the interval of the station is unknown. */
const MAX_MEAN = MILLISECONDS.day;
/** Milliseconds behind a value in which the sun may shine too: some stamps are at the beginning of a mean, and clocks are not exact. */
export const STAMP_TOLERANCE = MILLISECONDS.hour;

/** The time for which a value of radiation may stand. @param elapsed milliseconds since the value before */
function spanOf(
  time: number,
  elapsed: number,
  { reportingInterval }: StationRules,
): readonly [number, number] {
  const mean =
    reportingInterval === null ? Math.min(MAX_MEAN, elapsed) : reportingInterval * MILLISECONDS.second;
  return [time - mean, time + Math.min(mean, STAMP_TOLERANCE)];
}

/** Sine of the largest altitude of the sun in the time for which a value may stand; undefined if the position is unknown. */
export function sineOfSun(time: number, elapsed: number, rules: StationRules): number | undefined {
  return rules.position && highestSine(...spanOf(time, elapsed, rules), rules.position);
}

/**
 * Whether global radiation is more than the sun can give. False for other variables, and for stations with limits of their own for
 * radiation, which replace this one.
 */
export function exceedsSun(
  variable: number,
  value: number,
  time: number,
  elapsed: number,
  rules: StationRules,
): boolean {
  const { factor, exponent, night } = RADIATION_LIMIT;
  // Most values need no sun.
  if (variable !== V.radiation || value <= night || rules.limits.has(variable)) return false;
  const sine = sineOfSun(time, elapsed, rules);
  if (sine === undefined) return false;
  const outside = SOLAR_CONSTANT * sunAt(time, rules.position?.longitude ?? 0).inverseDistance;
  return value > night + outside * factor * Math.max(0, sine) ** exponent;
}
