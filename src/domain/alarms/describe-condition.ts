import { MILLISECONDS } from '../time.js';
import { variableNumbered } from '../weather/variables.js';
import type { Condition } from './condition.js';

/** A condition as text, in stored units: `air_temperature above 30 °C for 10 min, clears at 28 °C`. */
export function describeCondition(condition: Condition): string {
  if (condition.kind === 'silent') return `silent for more than ${condition.intervals} intervals`;
  if (condition.kind === 'failed') {
    const subject = condition.variable === null ? 'any value' : variableNumbered(condition.variable).name;
    return condition.suspect ? `${subject} failed or suspect` : `${subject} failed`;
  }
  const { kind, threshold, clear, for: duration } = condition;
  const { name, unit } = variableNumbered(condition.variable);
  const time = duration === 0 ? '' : ` for ${duration / MILLISECONDS.minute} min`;
  const until = clear === threshold ? '' : `, clears at ${clear} ${unit}`;
  return `${name} ${kind} ${threshold} ${unit}${time}${until}`;
}
