import { expect } from 'chai';
import fc from 'fast-check';
import { stuckAfter } from '#domain/weather/quality/checks/check-numbers.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { flagged, HOUR, seriesOf } from '../made-series.js';

/** Steps in which temperatures are reported in °C, and the limit that holds for them. */
const STEPS = [
  ['tenths of °C', 0.1, 'fine'],
  ['tenths of °F', 0.1 / 1.8, 'fine'],
  ['halves of °C', 0.5, 'half'],
  ['whole °F', 1 / 1.8, 'half'],
  ['whole °C', 1, 'whole'],
] as const;
const LIMITS = stuckAfter(variableNumbered(V.temperature), NO_RULES);
if (LIMITS === undefined) throw new Error('the temperature has no limit');

/** Days in a step, in which the value of an hour is kept for some hours. */
function days(step: number, at: number, kept: number, offset: number): number[] {
  const values = Array.from({ length: 240 }, (_, row) => {
    const value = offset + 6 * Math.sin((2 * Math.PI * row) / 24) + 1.2 * Math.sin(row * row);
    return Math.round(value / step) * step;
  });
  // Neither of the values beside them is the same.
  const value = Math.round((offset + 20) / step) * step;
  return values.map((one, row) => (row >= at && row <= at + kept ? value : one));
}

describe('findStuck', () => {
  for (const [name, step, which] of STEPS) {
    const longest = LIMITS[which] / HOUR;
    it(`calls values in ${name} stuck after ${longest} hours`, () => {
      const at = fc.integer({ min: 60, max: 120 });
      const kept = fc.integer({ min: 10, max: 58 });
      fc.assert(
        fc.property(at, kept, fc.integer({ min: -20, max: 20 }), (row, hours, offset) => {
          const series = seriesOf(HOUR, { air_temperature: days(step, row, hours, offset) });
          const found = flagged(series, ['air_temperature'])['air_temperature'] ?? [];
          const stuck = found.filter((one) => one.includes('persistence'));
          expect(stuck.length, `${row} ${hours}`).to.equal(hours < longest ? 0 : hours + 1);
        }),
        { numRuns: 60 },
      );
    });
  }

  it('is not misled by a few values of another step', () => {
    const values = days(1 / 1.8, 100, 24, 5).map((value, row) => (row % 40 === 7 ? value + 0.1 : value));
    const found = flagged(seriesOf(HOUR, { air_temperature: values }), ['air_temperature']);
    expect(found['air_temperature']?.filter((one) => one.includes('persistence'))).to.deep.equal([]);
  });

  it('accepts 34 °F for a day of snow, and a dew point, a humidity and a pressure in whole units', () => {
    const kept = (value: number, step: number) =>
      Array.from({ length: 200 }, (_, row) =>
        row >= 90 && row < 90 + 20 ? value : value + step * (1 + (row % 3)),
      );
    const columns = {
      air_temperature: kept((34 - 32) / 1.8, 1 / 1.8),
      dew_point_temperature: kept((33 - 32) / 1.8, -1 / 1.8),
      surface_air_pressure: kept(990, 1),
      relative_humidity: kept(94, -1),
      wind_from_direction: kept(90, 22.5),
    };
    for (const [name, column] of Object.entries(columns))
      expect(flagged(seriesOf(HOUR, { [name]: column }), [name])).to.deep.equal({ [name]: [] });
  });
});
