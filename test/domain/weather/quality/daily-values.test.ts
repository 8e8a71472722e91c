import { expect } from 'chai';
import fc from 'fast-check';
import { DAILY_ROUNDING } from '#domain/weather/quality/checks/consistency.js';
import { flagged, HOUR, mildDays, seriesOf } from './made-series.js';

const NAMES = [
  'daily_minimum_air_temperature',
  'daily_mean_air_temperature',
  'daily_maximum_air_temperature',
];
const temperature = fc.option(
  fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4),
  { nil: Number.NaN },
);

describe('quality control of values of days', () => {
  it('finds that a minimum, a mean and a maximum contradict each other, and condemns no more of them than needed', () => {
    fc.assert(
      fc.property(temperature, temperature, temperature, (minimum, mean, maximum) => {
        const recheck = (values: readonly number[]) => {
          const columns = Object.fromEntries(values.map((value, index) => [NAMES[index], [value]]));
          const found = flagged(seriesOf(24 * HOUR, columns as Record<string, number[]>), NAMES);
          return NAMES.map((name) => (found[name]?.length ?? 0) > 0);
        };
        const values = [minimum, mean, maximum];
        const isWrong = recheck(values);
        const isContradiction =
          minimum > maximum || minimum > mean + DAILY_ROUNDING || mean > maximum + DAILY_ROUNDING;
        expect(isWrong.includes(true)).to.equal(isContradiction);
        // The others agree with each other, and an absent value is never condemned.
        const rest = values.map((value, index) => (isWrong[index] === true ? Number.NaN : value));
        expect(recheck(rest)).to.not.include(true);
        for (const [index, value] of values.entries())
          if (Number.isNaN(value)) expect(isWrong[index]).to.equal(false);
      }),
    );
  });

  it('allows any change from day to day, and no influence on hourly values', () => {
    const hours = mildDays(96, HOUR);
    const daily = hours.map((_, hour) =>
      hour % 24 === 23 ? ([-30, 35][Math.floor(hour / 24) % 2] ?? 0) : Number.NaN,
    );
    const names = ['air_temperature', ...NAMES];
    const columns = {
      air_temperature: hours,
      daily_maximum_air_temperature: daily,
      daily_minimum_air_temperature: daily,
      daily_mean_air_temperature: daily,
    };
    expect(flagged(seriesOf(HOUR, columns), names)).to.deep.equal(
      Object.fromEntries(names.map((name) => [name, []])),
    );
  });

  it('finds amounts beyond the records of the Earth, whatever the reporting interval is', () => {
    const names = ['daily_precipitation_amount', 'daily_thickness_of_snowfall_amount'];
    const columns = {
      daily_precipitation_amount: [0, 500, 1825, 1826, -1],
      daily_thickness_of_snowfall_amount: [0, 900, 2600, 2601, -1],
    };
    const wrong = ['3 gross_range', '4 gross_range'];
    expect(flagged(seriesOf(24 * HOUR, columns), names)).to.deep.equal({
      [names[0] ?? '']: wrong,
      [names[1] ?? '']: wrong,
    });
  });
});
