import { expect } from 'chai';
import {
  acceptCondition,
  type Condition,
  MAX_CONDITION_TIME,
  MAX_SILENT_INTERVALS,
} from '#domain/alarms/condition.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { V } from '#domain/weather/variables.js';

const ABOVE = { kind: 'above', variable: V.temperature, threshold: 30, clear: 28, for: 600_000 } as const;

describe('the condition of an alarm', () => {
  it('is accepted up to the bounds of its rules, and not beyond', () => {
    const accepted: readonly Condition[] = [
      { kind: 'silent', intervals: 1 },
      { kind: 'silent', intervals: MAX_SILENT_INTERVALS },
      { kind: 'failed', variable: null, suspect: false },
      { kind: 'failed', variable: V.humidity, suspect: true },
      ABOVE,
      { ...ABOVE, clear: 30, for: 0 },
      { ...ABOVE, kind: 'below', clear: 30 },
      { ...ABOVE, kind: 'below', clear: 31, for: MAX_CONDITION_TIME },
    ];
    for (const condition of accepted) expect(acceptCondition(condition)).to.equal(condition);
    const refused: readonly (readonly [Condition, string])[] = [
      [{ kind: 'silent', intervals: 0 }, 'silent intervals'],
      [{ kind: 'silent', intervals: 1.5 }, 'silent intervals'],
      [{ kind: 'silent', intervals: MAX_SILENT_INTERVALS + 1 }, 'silent intervals'],
      [{ kind: 'failed', variable: 9999, suspect: false }, 'There is no variable with the number'],
      [{ ...ABOVE, variable: 0 }, 'There is no variable with the number'],
      [{ ...ABOVE, threshold: NaN }, 'finite'],
      [{ ...ABOVE, clear: -Infinity }, 'finite'],
      [{ ...ABOVE, clear: 30.1 }, 'clears at the threshold or below it'],
      [{ ...ABOVE, kind: 'below', clear: 29.9 }, 'clears at the threshold or above it'],
      [{ ...ABOVE, for: -1 }, 'at most 7 days'],
      [{ ...ABOVE, for: MAX_CONDITION_TIME + 1 }, 'at most 7 days'],
    ];
    for (const [condition, rule] of refused)
      expect(() => acceptCondition(condition), JSON.stringify(condition)).to.throw(rule);
  });

  it('is told in stored units', () => {
    const told = (
      [
        { kind: 'silent', intervals: 3 },
        { kind: 'failed', variable: null, suspect: false },
        { kind: 'failed', variable: V.humidity, suspect: true },
        ABOVE,
        { ...ABOVE, kind: 'below', clear: 30, for: 0 },
      ] as const
    ).map(describeCondition);
    expect(told).to.deep.equal([
      'silent for more than 3 intervals',
      'any value failed',
      'relative_humidity failed or suspect',
      'air_temperature above 30 °C for 10 min, clears at 28 °C',
      'air_temperature below 30 °C',
    ]);
  });
});
