import { MILLISECONDS } from '#domain/time.js';
import { highestSine, SOLAR_CONSTANT, sunAt } from '../../derived/solar.js';
import { FLAG } from '../../series.js';
import { V } from '../../variables.js';
import type { StationRules } from '../station-rules.js';

/**
 * The limits of global radiation: Sa · `factor` · µ0 ** `exponent` + `night` W/m², with the extraterrestrial radiation Sa and the
 * sine µ0 of the altitude of the sun. BSRN Global Network recommended QC tests, V2.0 (Long and Dutton). A value above the
 * physically possible limit fails. A value above the extremely rare limit is suspect.
 */
export const RADIATION_LIMITS = {
  possible: { factor: 1.5, exponent: 1.2, night: 100 },
  rare: { factor: 1.2, exponent: 1.2, night: 50 },
} as const;
/**
 * Means over fewer milliseconds are compared with the extremely rare limit only at night. The edges of broken clouds reflect the sun:
 * of 2.3 million minutes at Lyngby (Denmark), 526 were above this limit, and of the hours none.
 */
export const MIN_RARE_MEAN = 5 * MILLISECONDS.minute;
/**
 * Radiation is a mean over an interval. If the reporting interval of the station is unknown, the interval is assumed to be the
 * time since the previous value, but at most this many milliseconds.
 */
const MAX_MEAN = MILLISECONDS.day;
/**
 * Milliseconds by which the interval of a mean may end after the time of the value: some times are the start of the interval, and
 * clocks are not exact.
 */
export const STAMP_TOLERANCE = MILLISECONDS.hour;

/** The length of the interval over which a value is the mean, in milliseconds. @param elapsed milliseconds since the previous value */
function lengthOf(elapsed: number, { reportingInterval }: StationRules): number {
  return reportingInterval === null ? Math.min(MAX_MEAN, elapsed) : reportingInterval * MILLISECONDS.second;
}

/**
 * The range of times over which a value of radiation may be the mean, in milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param elapsed milliseconds since the previous value
 */
function spanOf(time: number, elapsed: number, rules: StationRules): readonly [number, number] {
  const mean = lengthOf(elapsed, rules);
  return [time - mean, time + Math.min(mean, STAMP_TOLERANCE)];
}

/**
 * Sine of the largest altitude of the sun during the time over which a value may be the mean; undefined if the position of the
 * station is unknown.
 */
export function sineOfSun(time: number, elapsed: number, rules: StationRules): number | undefined {
  return rules.position && highestSine(...spanOf(time, elapsed, rules), rules.position);
}

/**
 * The flag of global radiation that is more than the sun gives; 0 if it is not, and for other variables. It is 0 for a station with
 * its own limits of radiation, because its own limits replace the limits by the sun.
 */
export function sunFlagOf(
  variable: number,
  value: number,
  time: number,
  elapsed: number,
  rules: StationRules,
): number {
  const { possible, rare } = RADIATION_LIMITS;
  // A value up to `night` is possible at any altitude of the sun. Most values are in this range.
  if (variable !== V.radiation || value <= rare.night || rules.limits.has(variable)) return 0;
  const sine = sineOfSun(time, elapsed, rules);
  if (sine === undefined) return 0;
  const outside = SOLAR_CONSTANT * sunAt(time, rules.position?.longitude ?? 0).inverseDistance;
  const exceeds = ({ factor, exponent, night }: (typeof RADIATION_LIMITS)[keyof typeof RADIATION_LIMITS]) =>
    value > night + outside * factor * Math.max(0, sine) ** exponent;
  if (exceeds(possible)) return FLAG.grossRange;
  const isCompared = sine <= 0 || lengthOf(elapsed, rules) >= MIN_RARE_MEAN;
  return isCompared && exceeds(rare) ? FLAG.consistency : 0;
}
