import { expect } from 'chai';
import fc from 'fast-check';
import { DAILY_ROUNDING } from '../../../../src/domain/weather/quality/checks/consistency.js';
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

describe('the judging of values of days', () => {
  it('finds a minimum, a mean and a maximum that contradict each other, and nothing else', () => {
    fc.assert(
      fc.property(temperature, temperature, temperature, (minimum, mean, maximum) => {
        const columns = Object.fromEntries(
          [minimum, mean, maximum].map((value, index) => [NAMES[index], [value]]),
        ) as Record<string, number[]>;
        const found = flagged(seriesOf(24 * HOUR, columns), NAMES);
        const wrong = [
          minimum > maximum || minimum > mean + DAILY_ROUNDING,
          minimum > mean + DAILY_ROUNDING || mean > maximum + DAILY_ROUNDING,
          minimum > maximum || mean > maximum + DAILY_ROUNDING,
        ];
        expect(NAMES.map((name) => (found[name]?.length ?? 0) > 0)).to.deep.equal(wrong);
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
