import { expect } from 'chai';
import { flagged, HOUR, seriesOf } from '../made-series.js';

const SHORT: Readonly<Record<string, string>> = {
  tmin: 'daily_minimum_air_temperature',
  tmax: 'daily_maximum_air_temperature',
  mean: 'daily_mean_air_temperature',
  t: 'air_temperature',
  td: 'dew_point_temperature',
  rh: 'relative_humidity',
  wind: 'wind_speed',
  gust: 'wind_speed_of_gust',
};
/** Values of a row, and those that are condemned. */
type Case = readonly [what: string, values: Readonly<Record<string, number>>, condemned: readonly string[]];

const CASES: readonly Case[] = [
  ['a right day', { tmin: 3.3, mean: 7.8, tmax: 12.2 }, []],
  ['a mean that is rounded', { tmin: 3.3, mean: 12.7, tmax: 12.2 }, []],
  ['a mean far above a right maximum', { tmin: 3.3, mean: 25.6, tmax: 12.2 }, ['mean']],
  ['a mean far below a right minimum', { tmin: 3.3, mean: -12, tmax: 12.2 }, ['mean']],
  ['a mean a little above the maximum', { tmin: 20, mean: 25.6, tmax: 24 }, ['mean', 'tmax']],
  ['a mean a little below the minimum', { tmin: 20, mean: 18.6, tmax: 24 }, ['mean', 'tmin']],
  ['a maximum below both others', { tmin: 20, mean: 25, tmax: 10 }, ['tmax']],
  ['a minimum above both others', { tmin: 20, mean: 8, tmax: 10 }, ['tmin']],
  ['minimum and maximum exchanged', { tmin: 12.2, mean: 7.8, tmax: 3.3 }, ['tmax', 'tmin']],
  ['minimum above maximum, without a mean', { tmin: 12.2, tmax: 3.3 }, ['tmax', 'tmin']],
  ['a mean above the maximum, without a minimum', { mean: 25.6, tmax: 12.2 }, ['mean', 'tmax']],
  ['a mean below the minimum, without a maximum', { tmin: 3.3, mean: -12 }, ['mean', 'tmin']],
  [
    'a minimum above a maximum, with an impossible mean',
    { tmin: 20, mean: 99, tmax: 10 },
    ['mean', 'tmax', 'tmin'],
  ],
  ['a right mean beside an impossible maximum', { tmin: 3.3, mean: 7.8, tmax: 99 }, ['tmax']],
  ['saturated air', { t: 10, td: 10, rh: 100 }, []],
  ['a dew point above the temperature', { t: 10, td: 12 }, ['t', 'td']],
  ['a humidity that dew point and temperature contradict', { t: 20, td: 5, rh: 80 }, ['rh', 'td']],
  ['a humidity beside an impossible dew point', { t: 20, td: 70, rh: 80 }, ['td']],
  ['a gust below the speed', { wind: 10, gust: 8 }, ['gust', 'wind']],
  ['a gust of 0', { wind: 10, gust: 0 }, ['gust']],
  ['a gust below an impossible speed', { wind: 90, gust: 8 }, ['wind']],
];

describe('checkConsistency', () => {
  for (const [what, values, condemned] of CASES)
    it(`checks ${what}`, () => {
      const columns = Object.fromEntries(
        Object.entries(values).map(([short, value]) => [SHORT[short] ?? '', [value]]),
      );
      const found = flagged(seriesOf(24 * HOUR, columns), Object.values(SHORT));
      const names = Object.keys(SHORT).filter((short) => (found[SHORT[short] ?? '']?.length ?? 0) > 0);
      expect(names.sort()).to.deep.equal([...condemned].sort());
    });
});
