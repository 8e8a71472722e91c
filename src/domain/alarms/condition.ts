import { DomainError } from '../domain-error.js';
import { LOW_PERCENT } from '../sensors/sensor-state.js';
import { MILLISECONDS } from '../time.js';
import { NOTICE_KINDS, type NoticeKind } from '../weather/quality/notices/notice.js';
import { converter } from '../weather/units.js';
import { isVariable, variableNumbered } from '../weather/variables.js';
import {
  FORECAST_ALARM_VARIABLES,
  FORECAST_PROBABILITY,
  FORECAST_WITHIN,
  RAIN_AMOUNT,
} from './forecast-limits.js';

/** A station has sent no row for more than a number of its reporting intervals. */
export interface SilentCondition {
  readonly kind: 'silent';
  readonly intervals: number;
}

/** The newest value of a variable did not pass quality control. */
export interface FailedCondition {
  readonly kind: 'failed';
  /** Number of the variable; null for any variable. */
  readonly variable: number | null;
  /** Whether a suspect value raises the alarm too. */
  readonly suspect: boolean;
}

/** The newest value of a variable is beyond a threshold. */
export interface ThresholdCondition {
  readonly kind: 'above' | 'below';
  /** Number of the variable. */
  readonly variable: number;
  /** Threshold in the stored unit of the variable. A value that is equal to the threshold is not beyond it. */
  readonly threshold: number;
  /**
   * A raised alarm ends at a value that is not beyond `clear`. For `above`, `clear` is at most `threshold`: an alarm above 30 °C
   * may end at 28 °C. For `below`, `clear` is at least `threshold`. `clear` has the unit of `threshold`.
   */
  readonly clear: number;
  /** Milliseconds for which all values must be beyond the threshold; 0 if one value is enough. */
  readonly for: number;
  /** The unit in which a person has given the threshold. Absent if it is the stored unit. Messages for people use it. */
  readonly unit?: string;
}

/** The station has a notice of quality control whose cause has not ended, or that began within the last days. */
export interface NoticeCondition {
  readonly kind: 'notice';
  /** Null for any kind of notice. */
  readonly notice: NoticeKind | null;
  /** Number of the variable; null for any variable. */
  readonly variable: number | null;
  /** Number of days after its begin for which a notice whose cause has ended raises the alarm. */
  readonly days: number;
}

/** The battery of a sensor of the station is low. */
export interface BatteryCondition {
  readonly kind: 'battery';
  /** Charge in percent below which a battery is low. Absent for the usual charge (`LOW_PERCENT`). */
  readonly below?: number | undefined;
}

/** The forecast of the station expects a value beyond a threshold within the next hours. */
export interface ForecastCondition {
  readonly kind: 'forecast';
  readonly comparison: 'above' | 'below';
  /** Number of the variable. */
  readonly variable: number;
  /** Threshold in the stored unit of the variable. */
  readonly threshold: number;
  /** Milliseconds from now on in which the hours of the forecast raise the alarm. */
  readonly within: number;
  /** Smallest chance of an hour that raises the alarm, from 0 to 1. */
  readonly probability: number;
  /** The unit in which a person has given the threshold. Absent if it is the stored unit. Messages for people use it. */
  readonly unit?: string;
}

/** The condition that raises an alarm. */
export type Condition =
  | SilentCondition
  | FailedCondition
  | ThresholdCondition
  | NoticeCondition
  | BatteryCondition
  | ForecastCondition;

export const CONDITION_KINDS = [
  'silent',
  'failed',
  'above',
  'below',
  'notice',
  'battery',
  'forecast',
] as const satisfies readonly Condition['kind'][];

/** Largest number of reporting intervals of silence: 100 days for a station that reports every minute. */
export const MAX_SILENT_INTERVALS = 144_000;
/** Largest `ThresholdCondition.for`, in milliseconds. */
export const MAX_CONDITION_TIME = 7 * MILLISECONDS.day;

/** Default and largest `NoticeCondition.days`. */
export const NOTICE_DAYS = { default: 7, max: 366 };

/** @throws DomainError REQUEST_INVALID with the rule that the condition breaks */
export function acceptCondition(condition: Condition): Condition {
  if (condition.kind === 'silent') {
    const { intervals } = condition;
    assertRule(
      Number.isInteger(intervals) && intervals >= 1 && intervals <= MAX_SILENT_INTERVALS,
      `The number of silent intervals is a whole number from 1 to ${MAX_SILENT_INTERVALS}.`,
    );
    return condition;
  }
  if (condition.kind === 'battery') {
    const { below = LOW_PERCENT } = condition;
    assertRule(
      Number.isInteger(below) && below >= 1 && below <= 100,
      'The charge below which a battery is low is a whole number from 1 to 100.',
    );
    return condition;
  }
  const { variable } = condition;
  assertRule(
    variable === null || isVariable(variable),
    `There is no variable with the number ${JSON.stringify(variable)}.`,
  );
  if (condition.kind === 'failed') return condition;
  if (condition.kind === 'notice') {
    const { notice, days } = condition;
    assertRule(
      notice === null || NOTICE_KINDS.includes(notice),
      `There is no notice of the kind ${JSON.stringify(notice)}. The kinds are ${NOTICE_KINDS.join(', ')}.`,
    );
    assertRule(
      Number.isInteger(days) && days >= 0 && days <= NOTICE_DAYS.max,
      `The number of days of a notice is a whole number from 0 to ${NOTICE_DAYS.max}.`,
    );
    return condition;
  }
  // The converter throws if the values of the variable cannot be in this unit.
  if (condition.unit !== undefined) converter(variableNumbered(condition.variable), condition.unit, 'unit');
  if (condition.kind === 'forecast') return acceptForecast(condition);
  const { kind, threshold, clear, for: duration } = condition;
  assertRule(Number.isFinite(threshold) && Number.isFinite(clear), 'A threshold is a finite number.');
  assertRule(
    kind === 'above' ? clear <= threshold : clear >= threshold,
    `An alarm ${kind} a threshold clears at the threshold or ${kind === 'above' ? 'below' : 'above'} it, not beyond it.`,
  );
  assertRule(
    duration >= 0 && duration <= MAX_CONDITION_TIME,
    'The time for which a value stays beyond a threshold is at most 7 days.',
  );
  return condition;
}

function acceptForecast(condition: ForecastCondition): ForecastCondition {
  const { comparison, threshold, within, probability } = condition;
  const { name } = variableNumbered(condition.variable);
  assertRule(
    FORECAST_ALARM_VARIABLES.includes(name),
    `Forecasts of ${name} have no bounds, so no chance of a value is known. The variables are ${FORECAST_ALARM_VARIABLES.join(', ')}.`,
  );
  assertRule(
    comparison === 'above' || (comparison === 'below' && name !== RAIN_AMOUNT),
    'An alarm on a forecast is above or below a threshold. An alarm on the forecast of an amount of rain is above it.',
  );
  assertRule(Number.isFinite(threshold), 'A threshold is a finite number.');
  const { min: shortest, max: longest } = FORECAST_WITHIN;
  assertRule(
    within >= shortest && within <= longest,
    'The time within which a value is expected is from 1 hour to 7 days.',
  );
  const { min, max } = FORECAST_PROBABILITY;
  assertRule(
    probability >= min && probability <= max,
    `The probability of an alarm on a forecast is from ${min} to ${max}: 0.5 is a chance of 50 %.`,
  );
  return condition;
}

function assertRule(isMet: boolean, rule: string): void {
  if (!isMet) throw new DomainError('REQUEST_INVALID', rule);
}
