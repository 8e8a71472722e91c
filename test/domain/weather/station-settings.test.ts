import { expect } from 'chai';
import { acceptNewId, acceptStation } from '#domain/weather/station.js';
import { brokenRange } from '#domain/weather/stations/station-ranges.js';
import { VARIABLES } from '#domain/weather/variables.js';

describe('heights of sensors', () => {
  const SOIL = new Set([
    'soil_temperature',
    'volume_fraction_of_condensed_water_in_soil',
    'volume_fraction_of_condensed_water_in_soil_pores',
  ]);
  for (const { name } of VARIABLES) {
    const accepted = SOIL.has(name) ? [-100, -0.5, 0, 0.1, 1000] : [0.1, 10, 1000];
    const refused = SOIL.has(name) ? [-101, 1001, NaN] : [0, -5, 1001, NaN];
    it(`are accepted where a sensor can be: ${name}`, () => {
      for (const height of accepted) acceptStation({ sensorHeights: { [name]: height } });
      for (const height of refused)
        expect(() => acceptStation({ sensorHeights: { [name]: height } }), String(height)).to.throw(
          `The height of the sensor of ${name} above the ground must be`,
        );
    });
  }
});

describe('settings of stations', () => {
  it('are accepted up to the bounds of their range, and not beyond', () => {
    const seconds = { good: [1, 60, 86_400, null], bad: [0, 86_401, 1.5, -1] };
    const ranges: Readonly<
      Record<string, { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }>
    > = {
      id: { good: ['a', 'a.b', '...', 'a'.repeat(64)], bad: ['', '.', '..', 'a b', 'a'.repeat(65), 'ä'] },
      latitude: { good: [-90, 0, 90], bad: [-90.001, 90.001, NaN] },
      longitude: { good: [-180, 0, 180], bad: [-180.001, 180.001, NaN] },
      elevation: { good: [-500, 0, 9000, null], bad: [-500.1, 9000.1, NaN] },
      reportingInterval: seconds,
      stampInterval: seconds,
      dailyObservationTime: {
        good: ['00:00', '07:00', '23:59', '24:00', null],
        bad: ['', '7:00', '0700', '24:01', '23:60', '07:00:00', ' 07:00'],
      },
      limits: {
        good: [{}, { air_temperature: { min: -1, max: 1 } }],
        bad: [{ air_temperature: { min: 1, max: 1 } }],
      },
      steps: {
        good: [{ air_temperature: { perMinute: 0.1, perHour: 0.1 } }],
        bad: [
          { air_temperature: { perMinute: 0, perHour: 1 } },
          { air_temperature: { perMinute: 2, perHour: 1.9 } },
        ],
      },
      persistence: {
        good: [60, 86_400].map((air_temperature) => ({ air_temperature })),
        bad: [59, 86_401, 60.5].map((air_temperature) => ({ air_temperature })),
      },
      cellMethods: { good: [{ air_temperature: 'interval' }], bad: [{ precipitation_amount: 'point' }] },
    };
    for (const [field, { good, bad }] of Object.entries(ranges)) {
      const ruleOf = (value: unknown) => brokenRange(field as 'limits', value as never);
      for (const value of good)
        expect(ruleOf(value), `${field} ${JSON.stringify(value)}`).to.equal(undefined);
      for (const value of bad) expect(ruleOf(value), `${field} ${JSON.stringify(value)}`).to.be.a('string');
    }
    for (const field of ['limits', 'steps', 'persistence', 'sensorHeights', 'cellMethods'] as const)
      expect(brokenRange(field, { warmth: 1 })).to.equal('There is no variable "warmth".');
    // The first rule that is broken counts, also behind a variable that breaks none.
    const limits = { air_temperature: { min: 0, max: 1 }, relative_humidity: { min: 1, max: 0 } };
    expect(brokenRange('limits', limits)).to.equal(
      'The limits of relative_humidity are reversed: the minimum must be less than the maximum.',
    );
  });

  it('are accepted as texts of limited length, which control nothing', () => {
    const isAccepted = (fields: Parameters<typeof acceptStation>[0]) => {
      try {
        acceptStation(fields);
        return true;
      } catch {
        return false;
      }
    };
    const texts: readonly (readonly [string, boolean])[] = [
      ['a', true],
      ['', false],
      ['a\u0007', false],
      ['a\ud800', false],
      ['a\u202eb', false],
      ['a\u2069b', false],
      ['Zürich ☀', true],
    ];
    for (const [text, expected] of texts) {
      expect(isAccepted({ name: text }), JSON.stringify(text)).to.equal(expected);
      expect(isAccepted({ identifiers: { wmo: text } }), JSON.stringify(text)).to.equal(expected);
    }
    expect([' ', 'a'.repeat(200), 'a'.repeat(201)].map((name) => isAccepted({ name }))).to.deep.equal([
      false,
      true,
      false,
    ]);
    const values = ['a'.repeat(64), 'a'.repeat(65)].map((wmo) => isAccepted({ identifiers: { wmo } }));
    expect(values).to.deep.equal([true, false]);
    const keys = ['a', 'a_1', 'a'.repeat(32), 'a'.repeat(33), '', 'A', 'a b'];
    expect(keys.map((name) => isAccepted({ identifiers: { [name]: 'x' } }))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
    expect([20, 21].map((count) => isAccepted({ identifiers: many(count) }))).to.deep.equal([true, false]);
    const decimals = [null, 0, 3, 4, -1, 1.5].map((positionDecimals) => isAccepted({ positionDecimals }));
    expect(decimals).to.deep.equal([true, true, true, false, false, false]);
    expect(acceptStation({ name: ' Cafe\u0301 ' }).name).to.equal('Café');
    expect(() => acceptNewId('-a')).to.throw('must not begin with "-"');
    expect(() => acceptNewId('a-')).not.to.throw();
  });
});
