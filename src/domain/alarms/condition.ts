import { DomainError } from '../domain-error.js';
import { MILLISECONDS } from '../time.js';
import { isVariable } from '../weather/variables.js';

/** A station has sent no row for more than a number of its reporting intervals. */
export interface SilentCondition {
  readonly kind: 'silent';
  readonly intervals: number;
}

/** The newest value of a variable did not pass quality control. */
export interface FailedCondition {
  readonly kind: 'failed';
  /** Number of the variable; null for any. */
  readonly variable: number | null;
  /** Whether values that are only suspect count too. */
  readonly suspect: boolean;
}

/** The newest value of a variable is beyond a threshold. */
export interface ThresholdCondition {
  readonly kind: 'above' | 'below';
  /** Number of the variable. */
  readonly variable: number;
  /** In the stored unit of the variable, as is `clear`. A value that is equal to it is not beyond it. */
  readonly threshold: number;
  /** A raised alarm clears at a value that is not beyond this one. It is on the safe side of the threshold, or equal to it. */
  readonly clear: number;
  /** Milliseconds for which all values must have been beyond the threshold; 0 if one value is enough. */
  readonly for: number;
}

/** What an alarm watches for. */
export type Condition = SilentCondition | FailedCondition | ThresholdCondition;

export const CONDITION_KINDS = [
  'silent',
  'failed',
  'above',
  'below',
] as const satisfies readonly Condition['kind'][];

/** Largest number of intervals of silence: 100 days of minutes. */
export const MAX_INTERVALS = 144_000;
/** Longest time for which a value can be asked to stay beyond a threshold. */
export const MAX_CONDITION_TIME = 7 * MILLISECONDS.day;

/** @throws DomainError REQUEST_INVALID with the rule that is broken */
export function acceptCondition(condition: Condition): Condition {
  if (condition.kind === 'silent') {
    const { intervals } = condition;
    must(
      Number.isInteger(intervals) && intervals >= 1 && intervals <= MAX_INTERVALS,
      `The number of silent intervals is a whole number from 1 to ${MAX_INTERVALS}.`,
    );
    return condition;
  }
  const { variable } = condition;
  must(variable === null || isVariable(variable), 'There is no such variable.');
  if (condition.kind === 'failed') return condition;
  const { kind, threshold, clear, for: held } = condition;
  must(Number.isFinite(threshold) && Number.isFinite(clear), 'A threshold is a finite number.');
  must(
    kind === 'above' ? clear <= threshold : clear >= threshold,
    `An alarm ${kind} a threshold clears at the threshold or ${kind === 'above' ? 'below' : 'above'} it, not beyond it.`,
  );
  must(
    held >= 0 && held <= MAX_CONDITION_TIME,
    'The time for which a value stays beyond a threshold is at most 7 days.',
  );
  return condition;
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new DomainError('REQUEST_INVALID', rule);
}
