import { expect } from 'chai';
import { type LeadErrors, NOTHING_LEARNED, withCase } from '#domain/forecast/learned-errors.js';
import { PARTS_OF_DAY } from '#domain/forecast/leads.js';

/** Learns from days whose forecasts have an error. The observation is always 10. */
function afterDays(
  errors: LeadErrors,
  days: number,
  errorOf: (day: number, part: number) => number,
): LeadErrors[] {
  const after: LeadErrors[] = [];
  let learned = errors;
  for (let day = 0; day < days; day += 1)
    for (let part = 0; part < PARTS_OF_DAY; part += 1) {
      const error = errorOf(day, part);
      const raw = 10 + error;
      const corrected = raw - (learned.biases[part]?.bias ?? 0);
      const published = learned.isPublished ? corrected : raw;
      learned = withCase(learned, part, [
        { raw, corrected, published, low: Number.NaN, high: Number.NaN, observed: 10, error },
      ]);
      after.push(learned);
    }
  return after;
}

/** Weather that no filter can know. */
const noise = (day: number, part: number) => 0.5 * Math.sin(7 * day + 3 * part);
const varianceOf = ({ biases }: LeadErrors) => biases.reduce((sum, { variance }) => sum + variance, 0);

describe('a jump of the model of a provider', () => {
  const before = afterDays(NOTHING_LEARNED[3] as LeadErrors, 60, (day, part) => 3 + noise(day, part)).at(
    -1,
  ) as LeadErrors;

  it('is preceded by corrections that are published, and by a filter that is sure', () => {
    expect(before.isPublished).to.equal(true);
    expect(varianceOf(before)).to.be.below(0.2 * PARTS_OF_DAY);
  });

  it('makes the variance of the filter grow, closes the gate, and opens it when the new bias is known', () => {
    const after = afterDays(before, 60, (day, part) => -2 + noise(day, part));
    expect(Math.max(...after.slice(0, 8).map(varianceOf))).to.be.above(3 * varianceOf(before));
    const closed = after.findIndex(({ isPublished }) => !isPublished);
    expect(closed).to.be.within(1, 2 * PARTS_OF_DAY);
    const opened = after.findIndex(({ isPublished }, index) => index > closed && isPublished);
    expect(opened).to.be.within(closed + 1, 45 * PARTS_OF_DAY);
    expect(after.at(-1)?.biases.map(({ bias }) => Math.round(bias))).to.deep.equal(
      Array.from({ length: PARTS_OF_DAY }, () => -2),
    );
  });

  it('does nothing of this while the errors stay as they were', () => {
    const after = afterDays(before, 30, (day, part) => 3 + noise(day + 60, part));
    expect(after.every(({ isPublished }) => isPublished)).to.equal(true);
    expect(Math.max(...after.map(varianceOf))).to.be.below(1.2 * varianceOf(before));
  });
});
