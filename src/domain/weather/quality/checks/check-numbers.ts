import { MILLISECONDS } from '#domain/time.js';
import { type StepLimit, V, type Variable } from '../../variables.js';
import type { StationRules } from '../station-rules.js';

/** Parameters of the checks of a variable that use values before, after and nearby. */
export interface CheckNumbers {
  /**
   * Limits of the change in an hour. They are used by the check that knows the earlier and the later values. A check that knows
   * only the earlier values uses the limits in the catalog of variables.
   *
   * In a temperate maritime climate the median change is `usual`, and the change exceeds `perHour` in one of 1,000 hours.
   */
  readonly change?: {
    readonly perHour: number;
    readonly usual: number;
    /**
     * The limit is multiplied by this factor for a change after which the values do not return to the earlier level; 1 if absent.
     */
    readonly shifts?: number;
  };
  /** Hours after which an unchanged value is suspect, for values that are reported in tenths, halves and whole units. */
  readonly stuckHours?: readonly [fine: number, half: number, whole: number];
  /**
   * An amount in the variable's unit; 1 if absent. `stuckHours` distinguishes values in tenths, halves and wholes of this amount.
   * For the wind direction the amount is 20 degrees, so a tenth is 2 degrees and a half is 10 degrees.
   */
  readonly stuckUnit?: number;
  readonly buddies?: BuddyNumbers;
}

export interface BuddyNumbers {
  /** Smallest assumed standard deviation of the neighbors, in the variable's unit. */
  readonly minimumDeviation: number;
  /** Change of the value with each meter of height, in the variable's unit. */
  readonly perMeter?: number;
  /** Height in meters over which the value decreases to 1/e. */
  readonly scaleHeight?: number;
}

/** The parameters by number of the variable. */
const NUMBERS: ReadonlyMap<number, CheckNumbers> = new Map([
  [
    V.temperature,
    {
      change: { perHour: 3.7, usual: 0.4 },
      stuckHours: [18, 30, 40],
      buddies: { minimumDeviation: 1.5, perMeter: -0.0065 },
    },
  ],
  [
    V.dewPoint,
    {
      change: { perHour: 8.5, usual: 0.4 },
      stuckHours: [36, 48, 48],
      buddies: { minimumDeviation: 2, perMeter: -0.0018 },
    },
  ],
  [
    V.humidity,
    {
      change: { perHour: 24, usual: 2, shifts: 1.25 },
      stuckHours: [18, 22, 22],
      buddies: { minimumDeviation: 8 },
    },
  ],
  [
    V.pressure,
    {
      change: { perHour: 2.6, usual: 0.3 },
      stuckHours: [18, 30, 48],
      buddies: { minimumDeviation: 1.2, scaleHeight: 8430 },
    },
  ],
  [
    V.seaLevelPressure,
    { change: { perHour: 2.6, usual: 0.3 }, stuckHours: [18, 30, 48], buddies: { minimumDeviation: 1.2 } },
  ],
  [V.windSpeed, { stuckHours: [24, 24, 40] }],
  [V.windDirection, { stuckHours: [36, 36, 48], stuckUnit: 20 }],
  [V.radiation, { stuckHours: [24, 24, 24] }],
]);

/** The parameters of a variable that is not in `NUMBERS`: any change is plausible. */
export const NO_NUMBERS: CheckNumbers = {};

export function numbersOf(variable: number): CheckNumbers {
  return NUMBERS.get(variable) ?? NO_NUMBERS;
}

/** The limits of the changes of a variable. */
export interface ChangeLimit {
  readonly limit: StepLimit;
  /** The usual change in an hour as a share of `limit.perHour`; undefined if the limit is the same in all weather. */
  readonly usualShare: number | undefined;
  /**
   * A change after which the values do not return to the earlier level is suspect only if it exceeds the allowed change by this
   * factor.
   */
  readonly shifts: number;
}

/**
 * The limits of the changes of a variable at a station, for a check that also knows the later values.
 *
 * @returns undefined if any change is plausible
 */
export function changeLimitOf({ number, step }: Variable, rules: StationRules): ChangeLimit | undefined {
  const own = rules.steps?.get(number);
  if (own !== undefined) return { limit: own, usualShare: undefined, shifts: 1 };
  if (step === undefined) return undefined;
  const { change } = numbersOf(number);
  if (change === undefined) return { limit: step, usualShare: undefined, shifts: 1 };
  return {
    limit: { perMinute: step.perMinute, perHour: change.perHour },
    usualShare: change.usual / change.perHour,
    shifts: change.shifts ?? 1,
  };
}

/**
 * Milliseconds after which an unchanged value is suspect. A value that is reported in tenths (`fine`) changes sooner than a value
 * that is reported in halves (`half`) or wholes (`whole`) of `unit`.
 */
export interface StuckLimits {
  readonly fine: number;
  readonly half: number;
  readonly whole: number;
  readonly unit: number;
}

/**
 * The times after which an unchanged value of a variable at a station is suspect. If the station has a limit of its own, it
 * applies to values in tenths, halves and wholes alike.
 *
 * @returns undefined if the values may stay the same
 */
export function stuckAfter({ number }: Variable, rules: StationRules): StuckLimits | undefined {
  const own = rules.persistence?.get(number);
  const { stuckHours, stuckUnit = 1 } = numbersOf(number);
  if (own !== undefined) {
    const limit = Math.min(own, MAX_STUCK);
    return { fine: limit, half: limit, whole: limit, unit: stuckUnit };
  }
  if (stuckHours === undefined) return undefined;
  const [fine, half, whole] = stuckHours;
  const { hour } = MILLISECONDS;
  return { fine: fine * hour, half: half * hour, whole: whole * hour, unit: stuckUnit };
}

/** Longest time in milliseconds that a station can set for the check of unchanged values. */
export const MAX_STUCK = 48 * MILLISECONDS.hour;
