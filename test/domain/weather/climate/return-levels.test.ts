import { expect } from 'chai';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import { lMomentsOf } from '#domain/weather/climate/distributions.js';
import {
  type ExtremeValues,
  extremeValueQuantile,
  fitExtremeValues,
} from '#domain/weather/climate/extremes/extreme-values.js';
import { levelsOf, RETURN_PERIODS, returnLevels } from '#domain/weather/climate/extremes/return-levels.js';
import { type ByDate, daysOfYears, removeDays, yearsIn } from '../../../support/climate-days.js';
import { randomNumbers } from '../../../support/made-climate.js';

/** The integral over the probabilities from 0 to 1, by the rule of midpoints. */
function integral(of: (probability: number) => number): number {
  const steps = 400_000;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += of((step + 0.5) / steps);
  return sum / steps;
}

const fit = (mean: number, scale: number, skewness: number) =>
  fitExtremeValues({ mean, scale, skewness }) as ExtremeValues;

describe('climate › generalized extreme value distribution', () => {
  it('has the L-moments to which it is fitted, by their definition', () => {
    for (const skewness of [-0.2, 0, 0.17, 0.3, 0.45]) {
      const fitted = fit(40, 8, skewness);
      const quantile = (probability: number) => extremeValueQuantile(fitted, probability);
      const scale = integral((p) => quantile(p) * (2 * p - 1));
      expect(integral(quantile), `mean ${skewness}`).to.be.closeTo(40, 0.05);
      expect(scale, `scale ${skewness}`).to.be.closeTo(8, 0.05);
      const third = integral((p) => quantile(p) * (6 * p ** 2 - 6 * p + 1));
      expect(third / scale, `skewness ${skewness}`).to.be.closeTo(skewness, 0.005);
    }
  });

  it('is the Gumbel distribution for its skewness, ln(9 / 8) / ln 2', () => {
    const { shape, scale, location } = fit(40, 8, Math.log(9 / 8) / Math.LN2);
    expect(shape).to.be.closeTo(0, 1e-3);
    expect(scale).to.be.closeTo(8 / Math.LN2, 0.02);
    expect(location).to.be.closeTo(40 - (0.577_215_7 * 8) / Math.LN2, 0.02);
    expect(extremeValueQuantile({ location: 1, scale: 2, shape: 0 }, Math.exp(-1))).to.be.closeTo(1, 1e-12);
    const near = [0, 1e-5].map((one) => extremeValueQuantile({ location: 1, scale: 2, shape: one }, 0.99));
    expect(near[0]).to.be.closeTo(near[1] ?? 0, 1e-3);
  });

  it('is not fitted to equal values', () => {
    expect(fitExtremeValues(lMomentsOf(Array.from({ length: 30 }, () => 5)))).to.equal(undefined);
  });
});

const TRUE: ExtremeValues = { location: 40, scale: 10, shape: -0.1 };

/** Days of years whose largest value is on 7 July. */
const maximaOn =
  (maximumOf: (year: number) => number): ByDate =>
  (date) =>
    date.endsWith('-07-07') ? maximumOf(Number(date.slice(0, 4))) : 1;

function levelsOfDays(precipitation: ByDate, from = 1981, to = 2000, today = Infinity) {
  const days = daysOfYears(from, to, { precipitation });
  return returnLevels(days, yearsIn(days), 'precipitation', today);
}

describe('climate › return levels', () => {
  const maximumOf = (year: number) => extremeValueQuantile(TRUE, (year - 1980 - 0.5) / 40);

  it('are the quantiles of the distribution of the largest values of years, between the ends of their intervals', () => {
    const { levels, ...counts } = levelsOfDays(maximaOn(maximumOf), 1981, 2020);
    expect(counts).to.deep.equal({ years: 40, missingYears: 0, rule: 'extremes', valid: true });
    expect(levels.map(({ period }) => period)).to.deep.equal([...RETURN_PERIODS]);
    for (const { period, value, low, high } of levels) {
      const expected = extremeValueQuantile(TRUE, 1 - 1 / period);
      expect(value / expected, `${period}`).to.be.within(0.95, 1.05);
      expect(value, `${period}`).to.be.within(low, high);
      expect(high - low, `${period}`).to.be.above(0);
    }
    const widths = levels.map(({ low, high }) => high - low);
    expect(widths).to.deep.equal(widths.toSorted((one, other) => one - other));
    // The samples are the same each time.
    expect(levelsOfDays(maximaOn(maximumOf), 1981, 2020).levels).to.deep.equal(levels);
  });

  it('need twenty years with almost all of their days', () => {
    const maxima = maximaOn(maximumOf);
    const january = (count: number) =>
      Array.from({ length: count }, (_, day) => `1990-01-${String(day + 1).padStart(2, '0')}`);
    const result = (precipitation: ByDate, from = 1981, today = Infinity) => {
      const { years, missingYears, valid, levels } = levelsOfDays(precipitation, from, 2000, today);
      expect(levels.every(({ value }) => Number.isNaN(value))).to.equal(!valid);
      return [years, missingYears, valid];
    };
    expect(result(maxima)).to.deep.equal([20, 0, true]);
    expect(result(maxima, 1982)).to.deep.equal([19, 0, false]);
    expect(result(removeDays(maxima, ...january(3)))).to.deep.equal([20, 0, true]);
    expect(result(removeDays(maxima, ...january(4)))).to.deep.equal([19, 1, false]);
    const scattered = ['01', '02', '03', '04', '05', '06', '08', '09'].flatMap((month) => [
      `1990-${month}-11`,
      `1990-${month}-21`,
    ]);
    expect(result(removeDays(maxima, ...scattered.slice(1)))).to.deep.equal([20, 0, true]);
    expect(result(removeDays(maxima, ...scattered))).to.deep.equal([19, 1, false]);
    expect(result(maxima, 1981, dateNumber('2000-12-31'))).to.deep.equal([19, 1, false]);
  });

  it('have intervals whose width shrinks with the square root of the number of years', () => {
    const [few = 0, many = 0] = [30, 120].map((size) => {
      const [level] = levelsOf(TRUE, size);
      return (level?.high ?? 0) - (level?.low ?? 0);
    });
    expect(few / many).to.be.within(1.8, 2.2);
  });

  it('have intervals that contain the true level in most samples', () => {
    const random = randomNumbers(7);
    const samples = 60;
    const inside = RETURN_PERIODS.map(() => 0);
    for (let sample = 0; sample < samples; sample += 1) {
      const values = Array.from({ length: 30 }, () => extremeValueQuantile(TRUE, random()));
      const fitted = fitExtremeValues(lMomentsOf(values)) as ExtremeValues;
      for (const [index, { period, low, high }] of levelsOf(fitted, 30).entries()) {
        const level = extremeValueQuantile(TRUE, 1 - 1 / period);
        if (level >= low && level <= high) inside[index] = (inside[index] ?? 0) + 1;
      }
    }
    for (const [index, count] of inside.entries())
      expect(count / samples, `${RETURN_PERIODS[index]} years`).to.be.above(0.8);
  }).timeout(20_000);
});
