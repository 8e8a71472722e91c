import { expect } from 'chai';
import { changed, type Columns, each, flagged, HOUR, mildDays, seriesOf } from '../made-series.js';

const FROM = 100;
const hours = mildDays(200, HOUR, 24);
const rows = (at: number, value: number, otherwise = 0) =>
  changed(
    hours.map(() => otherwise),
    at,
    [value],
  );
const from = (at: number, value: number, before: number) =>
  hours.map((_, row) => (row < at ? before : value));
/** Varies by less than a sign, so that nothing is stuck. */
const lively = (base: number, by: number) => hours.map((_, row) => base + by * (row % 3));
const plus = (values: readonly number[], added: readonly number[]) =>
  values.map((value, row) => value + (added[row] ?? 0));
/** Temperatures that fall within an hour and come back slowly after 32 hours. */
const fallOf = (degrees: number, lasts = 32) =>
  hours.map((value, row) => value - (row >= FROM && row < FROM + lasts ? degrees : 0));

type Case = readonly [what: string, columns: Columns, checks: readonly string[]];
const CASES: readonly Case[] = [
  [
    'a fall of 8 °C with a downpour that does not come back',
    { air_temperature: fallOf(8, 100), precipitation_amount: rows(FROM, 9) },
    [],
  ],
  [
    'a fall of 6 °C with rain and a gust',
    {
      air_temperature: fallOf(6, 100),
      precipitation_amount: rows(FROM, 1.5),
      wind_speed_of_gust: rows(FROM, 14, 4),
    },
    [],
  ],
  [
    'a fall of 8 °C with a wind that turns and rises while the pressure rises',
    {
      air_temperature: fallOf(8, 100),
      wind_speed: plus(lively(3, 0.5), from(FROM, 6, 0)),
      wind_from_direction: plus(lively(180, 10), from(FROM, 120, 0)),
      surface_air_pressure: plus(lively(990, 0.2), from(FROM, 2.4, 0)),
    },
    [],
  ],
  [
    'a rise of 8 °C with a foehn: the wind turns and rises, and the humidity falls',
    {
      air_temperature: fallOf(-8, 100),
      wind_speed: plus(lively(3, 0.5), from(FROM, 6, 0)),
      wind_from_direction: plus(lively(60, 10), from(FROM, 120, 0)),
      relative_humidity: plus(lively(70, 1), from(FROM, -20, 0)),
    },
    [],
  ],
  [
    'a rise of 8 °C with a downpour',
    { air_temperature: fallOf(-8, 100), precipitation_amount: rows(FROM, 9) },
    [`${FROM} step`],
  ],
  ['a fall of 8 °C while nothing else changes', { air_temperature: fallOf(8, 100) }, [`${FROM} step`]],
  [
    'a fall of 8 °C with rain of the day before',
    { air_temperature: fallOf(8, 100), precipitation_amount: rows(FROM - 24, 9) },
    [`${FROM} step`],
  ],
  [
    'a fall of 25 °C in the worst weather: more than MADIS allows',
    {
      air_temperature: fallOf(25, 100),
      precipitation_amount: rows(FROM, 20),
      wind_speed_of_gust: rows(FROM, 40, 4),
    },
    [`${FROM} step`],
  ],
  [
    '7 °C less for 32 hours, and nothing else: the two changes, not the hours between',
    { air_temperature: fallOf(7) },
    [`${FROM} step`, `${FROM + 32} step`],
  ],
  [
    '7 °C less for five hours, and nothing else',
    { air_temperature: fallOf(7, 5) },
    each(FROM, FROM + 4, 'step'),
  ],
  [
    '15 °C less for 32 hours, which weather does not make twice',
    { air_temperature: fallOf(15) },
    each(FROM, FROM + 31, 'step'),
  ],
  [
    'an inversion that breaks',
    { air_temperature: hours.map((value, row) => value - 24 - (row < FROM ? 30 : 23.5)) },
    [],
  ],
];

describe('recheckRange, with signs of weather', () => {
  for (const [what, columns, checks] of CASES)
    it(`checks ${what}`, () => {
      const found = flagged(seriesOf(HOUR, columns), ['air_temperature']);
      expect(found).to.deep.equal({ air_temperature: checks });
    });

  it('uses changes of the regular day as allowed ones', () => {
    // Each morning the air warms by 4.5 °C within an hour.
    const desert = (extra: number) =>
      Array.from({ length: 200 }, (_, row) => {
        const morning = row % 24 >= 8 && row % 24 < 20 ? 4.5 : 0;
        return 20 + morning + (row % 3) / 10 + (row >= 104 && row % 24 >= 8 && row < 116 ? extra : 0);
      });
    const of = (values: number[]) =>
      flagged(seriesOf(HOUR, { air_temperature: values }), ['air_temperature']);
    // The first two mornings have too few days around them.
    expect(of(desert(0))).to.deep.equal({ air_temperature: ['8 step'] });
    expect(of(desert(12))['air_temperature']).to.include('104 step');
  });
});
