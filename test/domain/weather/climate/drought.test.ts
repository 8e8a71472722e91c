import { expect } from 'chai';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import {
  type Distribution,
  gammaDistribution,
  lMomentsOf,
  logLogisticDistribution,
  normalQuantile,
} from '#domain/weather/climate/distributions.js';
import {
  type DroughtIndexName,
  droughtMonths,
  type Scale,
  standardizerOf,
} from '#domain/weather/climate/drought/drought.js';
import { hargreaves } from '#domain/weather/climate/drought/hargreaves.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { type ByDate, daysOfYears, removeDays } from '../../../support/climate-days.js';
import { madeClimate, randomNumbers } from '../../../support/made-climate.js';

/** The integral of a function by the rule of Simpson. */
function integral(of: (value: number) => number, from: number, to: number, steps = 20_000): number {
  const width = (to - from) / steps;
  let sum = of(from) + of(to);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 0 ? 2 : 4) * of(from + step * width);
  return (sum * width) / 3;
}

/** The L-moments of a distribution from its definition, by numerical integration. */
function momentsOf(distribution: Distribution, from: number, to: number) {
  const above = to <= 0 ? 0 : integral((value) => 1 - distribution(value), Math.max(0, from), to);
  const below = from >= 0 ? 0 : integral(distribution, from, Math.min(0, to));
  const mean = above - below;
  const product = (value: number) => distribution(value) * (1 - distribution(value));
  const scale = integral(product, from, to);
  const third = integral((value) => product(value) * (2 * distribution(value) - 1), from, to);
  return { mean, scale, skewness: third / scale };
}

const samples = [3, 30, 300].map((spread) => {
  const random = randomNumbers(spread);
  return Array.from({ length: 40 }, () => 20 + spread * random() ** 2 * 3 * random());
});

describe('climate › distributions', () => {
  it('have the L-moments of a sample, which are the mean differences of its pairs and triples', () => {
    for (const sample of samples) {
      const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
      let [pairs, difference, triples, third] = [0, 0, 0, 0];
      for (const [i, a] of sample.entries())
        for (const [j, b] of sample.slice(0, i).entries()) {
          [pairs, difference] = [pairs + 1, difference + Math.abs(a - b)];
          for (const c of sample.slice(0, j)) {
            const [low = 0, middle = 0, high = 0] = [a, b, c].toSorted((one, other) => one - other);
            [triples, third] = [triples + 1, third + high - 2 * middle + low];
          }
        }
      const found = lMomentsOf(sample);
      expect(found.mean).to.be.closeTo(mean, 1e-9);
      expect(found.scale).to.be.closeTo(difference / pairs / 2, 1e-9);
      expect(found.skewness).to.be.closeTo(third / triples / 3 / found.scale, 1e-9);
    }
  });

  it('that are fitted have the L-moments of the sample', () => {
    for (const sample of samples) {
      const moments = lMomentsOf(sample);
      const gamma = momentsOf(gammaDistribution(moments), 0, 5000);
      expect(gamma.mean / moments.mean, 'mean').to.be.closeTo(1, 1e-4);
      // The shape is an approximation with an error of 5e-5.
      expect(gamma.scale / moments.scale, 'scale').to.be.closeTo(1, 2e-4);
      const logistic = momentsOf(logLogisticDistribution(moments), -5000, 20_000);
      expect(logistic.scale / moments.scale).to.be.closeTo(1, 0.01);
    }
    const symmetric = { mean: 5, scale: 2, skewness: 0 };
    for (const skewness of [-0.3, 0, 0.3]) {
      const fitted = momentsOf(logLogisticDistribution({ ...symmetric, skewness }), -3000, 3000);
      expect(fitted.mean).to.be.closeTo(5, 0.05);
      expect(fitted.scale).to.be.closeTo(2, 0.01);
      expect(fitted.skewness).to.be.closeTo(skewness, 0.01);
    }
  });

  it('of gamma are integrals of its density', () => {
    // With the shape 4 the distribution is 1 - exp(-x) (1 + x + x²/2 + x³/6).
    const moments = { mean: 4, scale: 4 * (35 / 128), skewness: 0 };
    const fitted = gammaDistribution(moments);
    for (const value of [0.1, 1, 3.9, 4.1, 9, 30]) {
      const exact = 1 - Math.exp(-value) * (1 + value + value ** 2 / 2 + value ** 3 / 6);
      expect(fitted(value), `${value}`).to.be.closeTo(exact, 2e-5);
    }
    expect([fitted(0), fitted(-1)]).to.deep.equal([0, 0]);
  });

  it('of the normal are inverted: the density up to the quantile has the probability', () => {
    const density = (value: number) => Math.exp(-(value ** 2) / 2) / Math.sqrt(2 * Math.PI);
    for (const probability of [1e-6, 0.001, 0.02, 0.07, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999]) {
      const quantile = normalQuantile(probability);
      expect(0.5 + integral(density, 0, quantile), `${probability}`).to.be.closeTo(probability, 1e-12);
      expect(normalQuantile(1 - probability)).to.be.closeTo(-quantile, 1e-9);
    }
    // Quantiles of R 4.2.2 in the tail.
    expect(normalQuantile(1e-15)).to.be.closeTo(-7.941_345_326_170_997, 1e-12);
    expect([normalQuantile(0), normalQuantile(1)]).to.deep.equal([-Infinity, Infinity]);
  });
});

const SITE = { latitude: 50, longitude: 10 };

/** Invented days without gaps. */
function completeClimate() {
  const made = madeClimate(1961, 2000);
  const of = (quantity: 'maximum' | 'minimum' | 'precipitation', fallback: number) => {
    const values = made.known(quantity);
    const first = made.dates[0] as number;
    return (date: string) => {
      const value = values[dateNumber(date) - first] as number;
      return Number.isNaN(value) ? fallback : value;
    };
  };
  return daysOfYears(1961, 2000, {
    precipitation: of('precipitation', 0),
    maximum: of('maximum', 15),
    minimum: of('minimum', 5),
  });
}

function droughtOf(
  days = completeClimate(),
  index: DroughtIndexName = 'spi',
  scale: Scale = 3,
  more: { readonly reference?: { from: number; to: number }; readonly today?: number } = {},
) {
  const rows = droughtMonths(days, { index, scale, site: SITE, today: Infinity, ...more });
  return new Map<string, readonly Figure[]>(rows.map(({ label, figures }) => [label, figures]));
}

describe('climate › indices of drought', () => {
  it('have the mean 0 and the variance 1 over their reference', () => {
    const days = completeClimate();
    for (const index of ['spi', 'spei'] as const)
      for (const scale of [1, 3, 12] as const) {
        const values = [...droughtOf(days, index, scale).values()].flatMap(([one]) =>
          one?.valid === true ? [one.value] : [],
        );
        expect(values.length).to.equal(480 + 1 - scale);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
        expect(mean, `${index} ${scale}`).to.be.within(-0.1, 0.1);
        expect(variance, `${index} ${scale}`).to.be.within(0.8, 1.2);
      }
  });

  it('standardize the sum of the months up to the month, with the distribution of its month of the year', () => {
    const rain: ByDate = (date) => Number(date.slice(2, 4)) + Number(date.slice(5, 7)) / 10;
    const days = daysOfYears(1961, 2000, { precipitation: rain, maximum: () => 20, minimum: () => 10 });
    const found = droughtOf(days);
    const [index, sum] = found.get('1990-03') ?? [];
    expect(sum).to.deep.include({ days: 90, missing: 0, rule: 'sum_of_months', valid: true });
    expect(sum?.value).to.be.closeTo(31 * 90.1 + 28 * 90.2 + 31 * 90.3, 1e-9);
    const march = Array.from({ length: 40 }, (_, at) => found.get(`${1961 + at}-03`)?.[1]?.value ?? 0);
    const standardize = standardizerOf('spi', march);
    expect(index?.value).to.equal(standardize?.(sum?.value ?? 0));
    expect(index).to.include({ rule: 'standardized', valid: true });
    // The first two months have no sum of three months.
    expect([...found.values()].slice(0, 3).map(([, one]) => one?.valid)).to.deep.equal([false, false, true]);
  });

  it('use only the years of the reference, and need twenty of them', () => {
    const short = droughtOf(undefined, 'spi', 1, { reference: { from: 1961, to: 1979 } });
    expect([...short.values()].some(([one]) => one?.valid)).to.equal(false);
    const [early, all] = [{ from: 1961, to: 1985 }, undefined].map((reference) =>
      droughtOf(undefined, 'spi', 1, reference && { reference }),
    );
    const values = Array.from({ length: 25 }, (_, at) => early?.get(`${1961 + at}-07`)?.[1]).flatMap((one) =>
      one?.valid === true ? [one.value] : [],
    );
    const july = early?.get('1999-07');
    expect(july?.[0]?.value).to.equal(standardizerOf('spi', values)?.(july?.[1]?.value ?? 0));
    expect(july?.[0]?.value).not.to.equal(all?.get('1999-07')?.[0]?.value);
  });

  it('are not valid with a month without a sum, and for a month that is not over', () => {
    const rain: ByDate = (date) => (date === '1990-03-05' ? Number.NaN : Number(date.slice(3, 4)) + 1);
    const days = daysOfYears(1961, 2000, { precipitation: rain, maximum: () => 20, minimum: () => 10 });
    const found = droughtOf(days, 'spi', 3, { today: dateNumber('2000-11-30') });
    const valid = ['1990-02', '1990-03', '1990-05', '1990-06', '2000-10', '2000-11', '2000-12'].map(
      (label) => found.get(label)?.[0]?.valid,
    );
    expect(valid).to.deep.equal([true, false, false, true, true, false, false]);
  });

  it('give dry months the probability of the middle of their ranks, and wet months a higher one', () => {
    const amounts = Array.from({ length: 30 }, (_, year) => (year < 12 ? 0 : year));
    const standardize = standardizerOf('spi', amounts);
    expect(standardize?.(0)).to.be.closeTo(normalQuantile(13 / 62), 1e-12);
    expect(standardize?.(0.001)).to.be.closeTo(normalQuantile(12 / 31), 0.01);
    expect(standardize?.(20)).to.be.above(standardize?.(12) ?? 0);
    const desert = standardizerOf(
      'spi',
      amounts.map((amount) => (amount > 27 ? amount : 0)),
    );
    expect(desert?.(28)).to.deep.equal(Number.NaN);
    expect(
      standardizerOf(
        'spei',
        amounts.map(() => 5),
      ),
    ).to.equal(undefined);
  });

  it('subtract the evapotranspiration of all days of the month, of which some may be unknown', () => {
    const unknown = ['1990-07-0', '1990-08-10', '1990-08-20'];
    const known = daysOfYears(1961, 2000, { precipitation: () => 1, maximum: () => 20, minimum: () => 10 });
    const gaps = daysOfYears(1961, 2000, {
      precipitation: () => 1,
      maximum: () => 20,
      minimum: removeDays(() => 10, ...unknown),
    });
    const [all, some] = [known, gaps].map((days) => droughtOf(days, 'spei', 1).get('1990-08')?.[1]);
    const evapotranspiration = [
      ...hargreaves(
        Int32Array.from({ length: 31 }, (_, day) => dateNumber('1990-08-01') + day),
        new Float64Array(31).fill(20),
        new Float64Array(31).fill(10),
        SITE,
      ),
    ];
    const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    expect(all?.value).to.be.closeTo(31 - total(evapotranspiration), 1e-9);
    const ofKnown = evapotranspiration.filter((_, day) => day !== 9 && day !== 19);
    expect(some?.value).to.be.closeTo(31 - (total(ofKnown) / 29) * 31, 1e-9);
    expect(some).to.include({ days: 29, missing: 2, valid: true });
    const july = droughtOf(gaps, 'spei', 1).get('1990-07')?.[1];
    expect(july).to.include({ valid: false, days: 22, missing: 9 });
  });
});

describe('climate › evapotranspiration by Hargreaves and Samani', () => {
  it('has the radiation of example 8 of FAO-56: 32.2 MJ/m² at 20° S on 3 September', () => {
    const [value = 0] = hargreaves(
      Int32Array.of(dateNumber('2013-09-03')),
      Float64Array.of(30),
      Float64Array.of(20),
      { latitude: -20, longitude: 0 },
    );
    expect(value).to.be.closeTo(0.0023 * 0.408 * 32.2 * (25 + 17.8) * Math.sqrt(10), 0.02);
  });

  it('is 0 in the polar night and in great cold, and unknown without an extreme', () => {
    const of = (date: string, maximum: number, minimum: number, latitude: number) =>
      hargreaves(Int32Array.of(dateNumber(date)), Float64Array.of(maximum), Float64Array.of(minimum), {
        latitude,
        longitude: 0,
      })[0];
    expect(of('2013-12-21', 5, 0, 80)).to.equal(0);
    expect(of('2013-06-21', -30, -40, 50)).to.equal(0);
    expect(of('2013-06-21', 20, Number.NaN, 50)).to.deep.equal(Number.NaN);
  });
});
