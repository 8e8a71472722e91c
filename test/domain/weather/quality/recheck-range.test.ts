import { expect } from 'chai';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { changed, type Columns, each, flagged, HOUR, mildDays, MINUTE, seriesOf } from './made-series.js';

const NOISE = [20, -25, 31, 2, -14];
/** Flagged rows of the first column of a case. */
type Case = readonly [what: string, interval: number, columns: Columns, rows: readonly string[]];

const temperature = (values: readonly number[]): Columns => ({ air_temperature: values });
const hours = mildDays(200, HOUR);
const nan = Number.NaN;
const constant = (rows: number, value: number) => Array.from({ length: rows }, () => value);
/** A wave of 7 values between 0 and 1, so that nothing is stuck. */
const wave = (rows: number, from: number, to: number) =>
  Array.from({ length: rows }, (_, row) => from + ((to - from) * (row % 7)) / 6);

const CASES: readonly Case[] = [
  ['mild days', HOUR, temperature(hours), []],
  ['a spike of an hour', HOUR, temperature(changed(hours, 100, [18])), ['100 spike']],
  [
    '8 °C in ten minutes and back',
    10 * MINUTE,
    temperature(changed(mildDays(300, 10 * MINUTE), 100, [19])),
    ['100 spike'],
  ],
  [
    'ten minutes of 8 °C more',
    MINUTE,
    temperature(
      changed(
        mildDays(900, MINUTE),
        300,
        mildDays(900, MINUTE)
          .slice(300, 310)
          .map((value) => value + 8),
      ),
    ),
    each(300, 309, 'step'),
  ],
  [
    '-20 °C for 40 hours: the days between, not the return',
    HOUR,
    temperature(changed(hours, 80, mildDays(40, HOUR, -20))),
    each(80, 119, 'step'),
  ],
  [
    'a fault that has a spike in it',
    HOUR,
    temperature(changed(changed(hours, 80, mildDays(20, HOUR, -20)), 90, [-45])),
    [...each(80, 89, 'step'), '90 spike', ...each(91, 99, 'step')],
  ],
  [
    'two spikes with one right value between them',
    HOUR,
    temperature(changed(changed(hours, 100, [30]), 102, [30])),
    ['100 spike', '102 spike'],
  ],
  [
    'noise of hours',
    HOUR,
    temperature(changed(hours, 100, NOISE)),
    NOISE.map((_, index) => `${100 + index} spike`),
  ],
  ['a first value of 55', MINUTE, temperature([55, ...mildDays(200, MINUTE)]), ['0 spike']],
  ['a last value of 55', MINUTE, temperature([...mildDays(200, MINUTE), 55]), ['200 spike']],
  [
    'a fault after a gap',
    HOUR,
    temperature(changed(changed(hours, 90, constant(10, nan)), 100, [55, 55])),
    ['100 step', '101 step'],
  ],
  [
    'a fault before a gap',
    HOUR,
    temperature(changed(changed(hours, 100, constant(10, nan)), 98, [55, 55])),
    ['98 step', '99 step'],
  ],
  ['a step that stays', HOUR, temperature([...hours, ...mildDays(200, HOUR, 22)]), ['200 step']],
  ['a front of two hours', HOUR, temperature([...mildDays(100, HOUR, 16), 13, ...mildDays(99, HOUR, 8)]), []],
  [
    'values that alternate by the minute for five hours',
    MINUTE,
    temperature(
      changed(
        mildDays(900, MINUTE),
        300,
        wave(300, 0, 1).map((_, row) => (row % 2 === 0 ? 30 : -30)),
      ),
    ),
    each(300, 600, 'step'),
  ],
  [
    'air that cools while its humidity rises',
    HOUR,
    {
      air_temperature: changed(constant(8, 24), 4, constant(4, 17)),
      relative_humidity: changed(constant(8, 60), 4, constant(4, 92)),
    },
    [],
  ],
  [
    'air that cools while its humidity does not rise',
    HOUR,
    { air_temperature: changed(constant(8, 24), 4, constant(4, 17)), relative_humidity: constant(8, 60) },
    ['4 step'],
  ],
  [
    'a humidity that jumps alone',
    HOUR,
    { relative_humidity: changed(wave(60, 60, 62), 30, [99]), air_temperature: wave(60, 10, 11) },
    ['30 spike'],
  ],
  [
    'a pressure that falls by the same amount for hours',
    HOUR,
    { surface_air_pressure: [...wave(9, 1000, 1001), 997, 993, 989, 985, 984, 984.5] },
    [],
  ],
  [
    'stuck for three days',
    HOUR,
    temperature(changed(hours, 50, constant(73, 12.3))),
    each(50, 122, 'persistence'),
  ],
  [
    'right values after a sensor that was stuck for three days, far from what it showed',
    HOUR,
    temperature([
      ...hours.slice(0, 50),
      ...constant(72, 12.3),
      ...hours.slice(122, 200).map((value) => value + 9),
    ]),
    each(50, 121, 'persistence'),
  ],
  ['stuck for 17 hours', HOUR, temperature(changed(hours, 55, constant(18, 12.3))), []],
  [
    'stuck for 18 hours',
    HOUR,
    temperature(changed(hours, 55, constant(19, 12.3))),
    each(55, 73, 'persistence'),
  ],
  ['four equal values of a station that reports rarely', 6 * HOUR, temperature([11, 10, 10, 10, 10, 11]), []],
  ['five of them', 6 * HOUR, temperature([11.2, 11, 10, 10, 10, 10, 10, 11]), each(2, 6, 'persistence')],
  ['five of them in whole degrees', 6 * HOUR, temperature([11, 10, 10, 10, 10, 10, 11]), []],
  ['equal values with gaps that are too long', 7 * HOUR, temperature([11, 10, 10, 10, 10, 10, 11]), []],
  ['a calm of three days', HOUR, { wind_speed: constant(72, 0) }, []],
  [
    'a wind that does not change',
    HOUR,
    { wind_speed: [...constant(25, 5.1), 5.2] },
    each(0, 24, 'persistence'),
  ],
  [
    'a vane that does not turn in the wind',
    HOUR,
    { wind_from_direction: [...constant(40, 270), 272], wind_speed: wave(41, 1, 3) },
    each(0, 39, 'persistence'),
  ],
  [
    'a vane that does not turn in a calm',
    HOUR,
    { wind_from_direction: constant(40, 270), wind_speed: wave(40, 0.1, 0.9) },
    [],
  ],
  [
    'air that is moist for days',
    HOUR,
    { relative_humidity: constant(48, 98), air_temperature: wave(48, 10, 12.9) },
    [],
  ],
  [
    'a humidity that does not follow the temperature',
    HOUR,
    { relative_humidity: constant(48, 98), air_temperature: wave(48, 10, 13) },
    each(0, 47, 'persistence'),
  ],
  ['fog for days', HOUR, { relative_humidity: constant(48, 100), air_temperature: wave(48, 10, 16) }, []],
  [
    'a dry humidity that does not change',
    HOUR,
    { relative_humidity: [...constant(19, 40), 40.2] },
    each(0, 18, 'persistence'),
  ],
];

describe('recheckRange', () => {
  for (const [what, interval, columns, rows] of CASES)
    it(`checks ${what}`, () => {
      const [name = ''] = Object.keys(columns);
      expect(flagged(seriesOf(interval, columns), [name])).to.deep.equal({ [name]: rows });
    });

  it('compares the first and the last change of a window with the values beside the window', () => {
    const rules = rulesOf({
      limits: {},
      reportingInterval: 3600,
      persistence: { air_temperature: 4 * 3600 },
    });
    const found = (values: readonly number[]) =>
      flagged(seriesOf(HOUR, { air_temperature: [nan, ...values] }), ['air_temperature'], { rules })[
        'air_temperature'
      ];
    const noise = [10, 11.7, 8.5, 10.8, 9.4, 9.7, 8, 8.1, 11.8, 8.7, 9, 12, 9, 8.8];
    // The value 17.7 is no spike: the change after it is behind the window.
    expect(found([...noise, 17.7, ...constant(43, 18), ...constant(44, -20)])).to.deep.equal(
      each(16, 102, 'persistence'),
    );
    const cold = [
      -20, -18.3, -21.5, -19.2, -20.6, -20.3, -22, -21.9, -18.2, -21.3, -21, -18, -21, -21.2, -18.1, -21.9,
      -22, -20.1, -20.8, -19.4, -21.7, -18.2, -19.6, -18.1, -21.8,
    ];
    const warm = [-7.3, 22, 22, 23.7, ...constant(21, 14), 11, 12.7, 9.5, ...noise, ...constant(35, 10)];
    // The first cold value is no step: the values before the window belong to the same change.
    expect(found([...warm, ...constant(16, 30), ...cold, ...constant(23, 5)])).to.deep.equal([
      '1 spike',
      ...each(5, 25, 'persistence'),
      ...each(43, 93, 'persistence'),
      ...each(119, 141, 'persistence'),
    ]);
  });

  it('suspects a last value that jumps, at whatever hour the data end', () => {
    for (let rows = 72; rows < 96; rows += 1) {
      const values = mildDays(rows, HOUR);
      const series = seriesOf(HOUR, { air_temperature: changed(values, rows - 1, [35]) });
      expect(flagged(series, ['air_temperature'])).to.deep.equal({ air_temperature: [`${rows - 1} spike`] });
    }
  });

  it('uses the steps and the persistence of a station', () => {
    const series = seriesOf(
      HOUR,
      temperature(changed(changed(hours, 100, [18]), 148, constant(6, hours[150] ?? 0))),
    );
    const limits = rulesOf({ limits: {}, reportingInterval: 3600 });
    const wide = { ...limits, steps: new Map([[1, { perMinute: 20, perHour: 20 }]]) };
    const rules = { ...wide, persistence: new Map([[1, 5 * HOUR]]) };
    expect(flagged(series, ['air_temperature'], { rules: limits })).to.deep.equal({
      air_temperature: ['100 spike'],
    });
    expect(flagged(series, ['air_temperature'], { rules: wide })).to.deep.equal({ air_temperature: [] });
    expect(flagged(series, ['air_temperature'], { rules })).to.deep.equal({
      air_temperature: each(148, 153, 'persistence'),
    });
  });

  it('allows larger changes where changes are larger, by the root', () => {
    // The usual change is 1.6 °C an hour, four times that of mild days, so that twice as much is allowed.
    const lively = Array.from({ length: 200 }, (_, row) => 10 + 1.6 * (row % 2));
    for (const [jump, rows] of [
      [6, []],
      [8.5, ['100 spike']],
    ] as const) {
      const series = seriesOf(HOUR, temperature(changed(lively, 100, [11.6 + jump])));
      expect(flagged(series, ['air_temperature']), String(jump)).to.deep.equal({ air_temperature: rows });
    }
  });
});
