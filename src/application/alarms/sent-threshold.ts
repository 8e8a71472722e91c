import type { ForecastCondition, ThresholdCondition } from '#domain/alarms/condition.js';
import { converter } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { variablesNamed } from '../observations/read/observation-query.js';

/** A threshold as a person enters it. */
export interface SentThreshold extends Omit<ThresholdCondition, 'variable' | 'unit'> {
  /** Name of the variable. */
  readonly variable: string;
  /** Unit of `threshold` and `clear`; undefined means the stored unit. */
  readonly unit: string | undefined;
}

/** An alarm on a forecast as a person enters it. */
export interface SentForecast extends Omit<ForecastCondition, 'kind' | 'variable' | 'unit'> {
  /** Name of the variable. */
  readonly variable: string;
  /** Unit of `threshold`; undefined means the stored unit. */
  readonly unit: string | undefined;
}

/** Converts a threshold to stored units. @throws DomainError REQUEST_INVALID for an unknown variable or a unit of another quantity */
export function storedThreshold({ variable: name, unit, ...sent }: SentThreshold): ThresholdCondition {
  const variable = variableOf(name);
  const toStored = converter(variable, unit ?? variable.unit, 'stored');
  return {
    ...sent,
    ...(unit !== undefined && unit !== variable.unit && { unit }),
    variable: variable.number,
    threshold: toStored(sent.threshold),
    clear: toStored(sent.clear),
  };
}

/** Converts the threshold of an alarm on a forecast to the stored unit. @throws DomainError as `storedThreshold` */
export function storedForecast({ variable: name, unit, ...sent }: SentForecast): ForecastCondition {
  const variable = variableOf(name);
  return {
    kind: 'forecast',
    ...sent,
    ...(unit !== undefined && unit !== variable.unit && { unit }),
    variable: variable.number,
    threshold: converter(variable, unit ?? variable.unit, 'stored')(sent.threshold),
  };
}

/** @throws DomainError REQUEST_INVALID for an unknown variable */
export function variableOf(name: string): Variable {
  return variablesNamed([name])[0] as Variable;
}
