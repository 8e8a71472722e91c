import { expect } from 'chai';
import fc from 'fast-check';
import { addBounds, addChance, addError } from '#domain/forecast/scores.js';
import { addScores, type LeadScores, noScores } from '#domain/forecast/verification.js';

/** Numbers whose sums and squares are exact. */
const number = fc.integer({ min: -50, max: 50 });
const outcome = fc.record({
  raw: number,
  corrected: number,
  observed: number,
  chance: fc.constantFrom(0, 0.25, 0.5, 1),
});
type Outcome = typeof outcome extends fc.Arbitrary<infer T> ? T : never;

function scored(outcomes: readonly Outcome[]): LeadScores {
  const sums = noScores();
  for (const { raw, corrected, observed, chance } of outcomes) {
    addError(sums.raw, raw, observed);
    addError(sums.corrected, corrected, observed);
    addError(sums.persistence, 0, observed);
    addBounds(sums.bounds, { value: corrected, low: corrected, high: corrected }, observed);
    addChance(sums.rawChance, chance, observed > 0);
    addChance(sums.correctedChance, 1 - chance, observed > 0);
  }
  return sums;
}

describe('sums of the scores of forecasts', () => {
  it('are the scores of all outcomes, whatever the parts that are added', () => {
    fc.assert(
      fc.property(fc.array(fc.array(outcome)), (parts) => {
        const sums = noScores();
        for (const part of parts) addScores(sums, scored(part));
        expect(sums).to.deep.equal(scored(parts.flat()));
      }),
    );
  });
});
