import type { ThresholdCondition } from '#domain/alarms/condition.js';
import { converter } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { variablesNamed } from '../observations/read/observation-query.js';

/** A threshold as people give it. */
export interface SentThreshold extends Omit<ThresholdCondition, 'variable'> {
  /** Its name. */
  readonly variable: string;
  /** Unit of the threshold and of the value at which the alarm clears; undefined for the stored unit. */
  readonly unit: string | undefined;
}

/** The condition in stored units. @throws DomainError REQUEST_INVALID for an unknown variable, and a unit that it cannot have */
export function storedThreshold({ variable: name, unit, ...sent }: SentThreshold): ThresholdCondition {
  const variable = variableOf(name);
  const toStored = converter(variable, unit ?? variable.unit, 'stored');
  return {
    ...sent,
    variable: variable.number,
    threshold: toStored(sent.threshold),
    clear: toStored(sent.clear),
  };
}

/** @throws DomainError REQUEST_INVALID if there is no such variable */
export function variableOf(name: string): Variable {
  return variablesNamed([name])[0] as Variable;
}
