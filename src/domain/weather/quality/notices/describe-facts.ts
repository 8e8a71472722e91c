import { roundTo, usualDecimals } from '../../usual-decimals.js';
import { variableNumbered } from '../../variables.js';
import type { Notice } from './notice.js';

/** Facts that are a number of hours, minutes, days or nights, a ratio, or a temperature beside an amount. All others are in the unit of the variable. */
const OWN_UNIT = /(?:^|_)(?:hours|minutes|days|nights|ratio|celsius)$/;
/** Decimals of a ratio. Numbers of hours, minutes, days and nights are whole. */
const RATIO_DECIMALS = 2;

/** Whether a fact is in the unit of the variable. */
export function isInUnit(fact: string): boolean {
  return !OWN_UNIT.test(fact);
}

/** The facts of a notice as text, in stored units: `calm_hours 240, mean_of_neighbors 3.1 m/s`. */
export function describeFacts({ variable, facts }: Pick<Notice, 'variable' | 'facts'>): string {
  const { name, unit } = variableNumbered(variable);
  const decimals = usualDecimals(name, unit, unit);
  return Object.entries(facts)
    .map(([fact, value]) =>
      isInUnit(fact)
        ? `${fact} ${roundTo(value, decimals)} ${unit}`
        : `${fact} ${roundTo(value, RATIO_DECIMALS)}`,
    )
    .join(', ');
}
