import { roundTo, usualDecimals } from '../../usual-decimals.js';
import { variableNumbered } from '../../variables.js';
import { isInUnit, type Notice } from './notice.js';

/** Decimals of a ratio. Numbers of hours, minutes, days and nights are whole. */
const RATIO_DECIMALS = 2;

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
