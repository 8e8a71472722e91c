import { MILLISECONDS } from '../time.js';
import { roundTo, usualDecimals } from '../weather/usual-decimals.js';
import { variableNumbered } from '../weather/variables.js';
import type { Condition } from './condition.js';

/** A condition as text, in stored units: `air_temperature above 30 °C for 10 min, clears at 28 °C`. */
export function describeCondition(condition: Condition): string {
  if (condition.kind === 'silent') return `silent for more than ${condition.intervals} intervals`;
  if (condition.kind === 'failed') {
    const subject = condition.variable === null ? 'any value' : variableNumbered(condition.variable).name;
    return condition.suspect ? `${subject} failed or suspect` : `${subject} failed`;
  }
  if (condition.kind === 'battery') {
    const { below } = condition;
    return below === undefined
      ? 'the battery of a sensor is low'
      : `the battery of a sensor is low or below ${below} %`;
  }
  if (condition.kind === 'notice') {
    const { notice, variable, days } = condition;
    const subject = variable === null ? '' : ` of ${variableNumbered(variable).name}`;
    return `${notice === null ? 'any notice' : `notice ${notice}`}${subject}, ongoing or begun in the last ${days} days`;
  }
  const { threshold } = condition;
  const { name, unit } = variableNumbered(condition.variable);
  // One decimal more than usual, because a threshold may have been entered in another unit: 87 °F is 30.56 °C.
  const shown = (value: number) => roundTo(value, usualDecimals(name, unit, unit) + 1);
  if (condition.kind === 'forecast') {
    const { comparison, within, probability } = condition;
    const hours = roundTo(within / MILLISECONDS.hour, 1);
    const chance = roundTo(100 * probability, 1);
    return `forecast of ${name} ${comparison} ${shown(threshold)} ${unit} within ${hours} h, chance at least ${chance} %`;
  }
  const { kind, clear, for: duration } = condition;
  const time = duration === 0 ? '' : ` for ${duration / MILLISECONDS.minute} min`;
  const until = clear === threshold ? '' : `, clears at ${shown(clear)} ${unit}`;
  return `${name} ${kind} ${shown(threshold)} ${unit}${time}${until}`;
}
