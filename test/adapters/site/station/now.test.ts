import { expect } from 'chai';
import fc from 'fast-check';
import { type ApiClient, type NewestValue, targetOf, WeatherdError } from '#adapters/site/client/api.js';
import { beaufortForce } from '#adapters/site/client/now/model/beaufort.js';
import { isOfCurrentWind, sectorIndex } from '#adapters/site/client/format/wind.js';
import { drawSpark } from '#adapters/site/client/now/model/spark.js';
import { rainBars } from '#adapters/site/client/now/model/rain-bars.js';
import { pressureCourse, shownTrendOf } from '#adapters/site/client/now/model/trend.js';
import { readNow } from '#adapters/site/client/now/read-now.js';
import { MILLISECONDS } from '#domain/time.js';
import { displayUnit, roundedDifference } from '#adapters/site/client/format/units.js';
import { en } from '#adapters/site/client/text/en.js';
import { de } from '#adapters/site/client/text/de.js';
import { readMark } from '../../../support/doubtful-path.js';

describe('the cards of a station', () => {
  it('names the Beaufort force of a wind by the table of WMO-No. 8', () => {
    const speeds = [
      0.2, 0.3, 1.5, 1.6, 3.3, 3.4, 5.4, 5.5, 7.9, 8, 10.7, 10.8, 13.8, 13.9, 17.1, 17.2, 20.7, 20.8,
    ];
    const forces = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9];
    expect(speeds.map(beaufortForce)).to.deep.equal(forces);
    expect([24.4, 24.5, 28.4, 28.5, 32.6, 32.7, 60].map(beaufortForce)).to.deep.equal([
      9, 10, 10, 11, 11, 12, 12,
    ]);
    for (const { station } of [en, de]) expect(new Set(station.wind.forces).size).to.equal(13);
  });

  it('gives a direction the sector that is nearest to it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 360, noNaN: true }), (direction) => {
        const sector = sectorIndex(direction);
        expect(sector).to.be.within(0, 15);
        const distance = Math.abs(((direction - sector * 22.5 + 540) % 360) - 180);
        expect(distance).to.be.at.most(11.25);
      }),
    );
  });

  it('takes a gust or a direction for one of the present wind if it is less than an hour older than the speed', () => {
    const newest = (time: string): NewestValue => ({ time, value: 5, verdict: 'pass' });
    const [speed, gust] = [newest('2013-12-31T00:00:00Z'), 'wind_speed_of_gust'];
    const isShown = (time: string) => isOfCurrentWind({ wind_speed: speed, [gust]: newest(time) }, gust);
    expect(isShown('2013-12-31T00:00:00Z')).to.equal(true);
    expect(isShown('2013-12-30T23:00:01Z')).to.equal(true);
    expect(isShown('2013-12-30T23:00:00Z')).to.equal(false);
    expect(isShown('2013-12-31T05:00:00Z')).to.equal(true);
    expect(isOfCurrentWind({ [gust]: speed }, gust)).to.equal(true);
    expect(isOfCurrentWind({ wind_speed: speed }, gust)).to.equal(false);
  });

  it('takes a pressure for steady if it changes by less than 0.1 hPa, by the terms of the Met Office', () => {
    expect([0, 0.05, -0.09].map(pressureCourse)).to.deep.equal(['level', 'level', 'level']);
    expect([0.1, 6.1, -0.1, -4].map(pressureCourse)).to.deep.equal(['up', 'up', 'down', 'down']);
  });

  it('rounds a difference to the decimals that are shown, in the unit of the visitor', () => {
    const degree = (choice: 'metric' | 'imperial') => displayUnit('air_temperature', '°C', choice);
    const pressure = displayUnit('air_pressure_at_mean_sea_level', 'hPa', 'imperial');
    expect([0.04, -0.04, 0.06, -1].map((one) => roundedDifference(degree('metric'), one) + 0)).to.deep.equal([
      0, 0, 0.1, -1,
    ]);
    expect(roundedDifference(degree('imperial'), 1)).to.equal(1.8);
    expect([0.1, 1, -3].map((one) => roundedDifference(pressure, one))).to.deep.equal([0, 0.03, -0.09]);
  });

  it('shows a trend of the shown value alone: not of a suspect value, and not of an older value', () => {
    const trend = { change: 27.1, time: '2026-11-23T03:04:00Z' };
    const [same, later] = [trend.time, '2026-11-23T03:16:00Z'];
    expect(shownTrendOf(trend, { time: same, verdict: 'pass' })).to.deep.equal({
      change: 27.1,
      isAwaited: false,
    });
    expect(shownTrendOf(trend, { time: later, verdict: 'pass' })).to.deep.equal({
      change: 27.1,
      isAwaited: true,
    });
    expect(shownTrendOf(trend, { time: same, verdict: 'suspect' })).to.equal(undefined);
    expect(shownTrendOf(trend, undefined)).to.equal(undefined);
    for (const none of [null, undefined])
      expect(shownTrendOf(none, { time: same, verdict: 'pass' })).to.equal(undefined);
  });

  it('writes fractions of the soil in per cent', () => {
    const { unit, convert } = displayUnit('volume_fraction_of_condensed_water_in_soil', '1', 'imperial');
    expect([unit, convert(0.25)]).to.deep.equal(['%', 25]);
  });
});

describe('a sparkline', () => {
  const box = { width: 100, height: 20, margin: 2 };

  it('is drawn from corner to corner, with its lowest and highest value, and open where values are missing', () => {
    const line = { times: [0, 10, 20, 100], values: [1, 3, 2, 1.5] };
    expect(drawSpark(line, box, 30)).to.deep.equal({
      path: 'M2 18L11.6 2L21.2 10M98 14',
      lowest: [2, 18],
      highest: [11.6, 2],
      newest: [98, 14],
      suspects: [],
    });
  });

  it('draws bars of rain that have a width, in their picture and apart from each other', () => {
    const rains = fc.array(fc.oneof(fc.constant(null), fc.double({ min: 0, max: 99, noNaN: true })), {
      minLength: 25,
      maxLength: 25,
    });
    fc.assert(
      fc.property(rains, fc.double({ min: 0, max: 1, noNaN: true }), (some, past) => {
        const span = { from: (past - 25) * MILLISECONDS.hour, to: (past - 1) * MILLISECONDS.hour };
        const hours = some.map((rain, index) => ({ start: (index - 25) * MILLISECONDS.hour, rain }));
        let end = 0;
        for (const { x, y, width, height } of rainBars(hours, span, { width: 154, height: 44 })) {
          expect(x).to.be.at.least(end);
          expect(width).to.be.within(Number.MIN_VALUE, 154 / 24);
          expect(y).to.be.at.least(0);
          expect(height).to.be.at.least(1.5);
          end = x + width;
        }
        expect(end).to.be.at.most(154);
        // The hour that has just begun has a bar too.
        const [, last] = [
          rainBars([{ start: span.to - 1000, rain: 1 }], span, { width: 154, height: 44 }),
        ].flatMap(([bar]) => [bar?.x, bar?.width]);
        expect(last).to.be.at.least(1);
      }),
    );
  });

  it('keeps suspect values out of its line and its scale, and points to those beyond its edge', () => {
    const line = { times: [0, 10, 20, 100], values: [1, 3, 2, 1.5] };
    const plain = drawSpark(line, box, 30);
    const suspects = { times: [10, 50, 120], values: [29.5, -40, 2] };
    const spark = drawSpark({ ...line, suspects }, box, 30);
    expect({ ...spark, suspects: [] }).to.deep.equal(plain);
    expect(spark?.suspects.map(readMark)).to.deep.equal([
      { x: 11.6, base: 7.5, tip: 1.25 },
      { x: 50, base: 12.5, tip: 18.75 },
      { x: 98, y: 10 },
    ]);
  });

  it('needs two values', () => {
    expect(drawSpark({ times: [], values: [] }, box, 30)).to.equal(undefined);
    expect(drawSpark({ times: [5], values: [1] }, box, 30)).to.equal(undefined);
    expect(drawSpark({ times: [5, 6], values: [1, 1] }, box, 30)?.path).to.equal('M2 10L98 10');
  });

  it('stays in its box', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(values, (some) => {
        const spark = drawSpark({ times: some.map((_value, index) => index), values: some }, box, 1);
        const numbers = (spark?.path ?? '').split(/[ML ]/).filter(Boolean).map(Number);
        expect(numbers).to.have.length(2 * some.length);
        for (const [index, number] of numbers.entries()) {
          expect(number).to.be.within(2, index % 2 === 0 ? 98 : 18);
        }
      }),
    );
  });
});

describe('reading the newest values of a station', () => {
  const value = (verdict: NewestValue['verdict']): NewestValue => ({
    time: '2026-05-01T12:00:00Z',
    value: 4,
    verdict,
  });
  const newest = (verdict: NewestValue['verdict']) => ({
    units: { air_temperature: '°C' },
    last_seen: '2026-05-01T12:00:00Z',
    latest: { air_temperature: value(verdict) },
  });
  const last = Date.parse('2026-05-01T12:00:00Z') / 1000;
  const rows = {
    units: {},
    observations: { time: [last - 1200, last - 600, last], air_temperature: [1, 99, 4] },
    quality: [
      { variable: 'air_temperature', index: 1, verdict: 'fail', checks: ['gross_range'] },
      { variable: 'air_temperature', index: 2, verdict: 'suspect', checks: ['spike'] },
    ],
  };
  /** Answers by the last part of the path. */
  const api = (replies: Readonly<Record<string, unknown>>, asked: string[] = []): ApiClient => ({
    get: (path, ...[options]) => {
      const target = targetOf(path, options);
      asked.push(target);
      const reply = replies[/(\w+)(?:\?|$)/.exec(target)?.[1] ?? ''];
      return reply === undefined
        ? Promise.reject(new WeatherdError('damaged', { code: 'DATA_DAMAGED', status: 503 }))
        : Promise.resolve(reply as never);
    },
  });

  it('reads the line of the last day without rejected values and apart from suspect values, and the failed check of the newest value', async () => {
    const asked: string[] = [];
    const derived = {
      derived: { time: ['2026-05-01T12:00:00Z'], feels_like: [2.5], dew_point: [null] },
      formulas: { feels_like: { quantity: 'wind_chill_or_humidex' } },
    };
    const now = await readNow(api({ latest: newest('suspect'), observations: rows, derived }, asked), 'a/b');
    expect(now.lines['air_temperature']).to.deep.equal({
      times: [last - 1200],
      values: [1],
      suspects: { times: [last], values: [4] },
    });
    expect(now.checks).to.deep.equal({ air_temperature: ['spike'] });
    expect(now.lines['feels_like']).to.deep.equal({ times: [last], values: [2.5] });
    expect(now.feelsLike).to.equal('wind_chill_or_humidex');
    expect(now.lines).not.to.have.property('dew_point');
    expect(asked.every((target) => target.startsWith('/v1/stations/a%2Fb/'))).to.equal(true);
    const ofDay = asked.filter((target) => target.includes('from=2026-04-30T12%3A00%3A00Z'));
    expect(ofDay.map((target) => /(\w+)\?/.exec(target)?.[1])).to.deep.equal(['observations', 'derived']);
  });

  it('goes without the parts that cannot be read, and without trend and today', async () => {
    const now = await readNow(api({ latest: newest('pass') }), 'x');
    expect(now).to.deep.include({ lines: {}, checks: {}, hours: [], facts: [] });
    expect(now).not.to.have.any.keys('trend', 'today', 'rain');
  });

  it('asks for nothing more of a station that never reported', async () => {
    const asked: string[] = [];
    await readNow(api({ latest: { units: {}, last_seen: null, latest: {} } }, asked), 'x');
    expect(asked).to.have.length(1);
  });

  it('reads the same day of the last year for comparison, but not of a station that repeats a recorded year', async () => {
    const reply = { latest: newest('pass'), observations: { ...rows, quality: [] } };
    for (const recorded of [undefined, 2013]) {
      const now = await readNow(api({ ...reply, now: { facts: [], ...(recorded && { recorded }) } }), 'x');
      expect(now.lastYear !== undefined, String(recorded)).to.equal(recorded === undefined);
      expect(now.usual).to.equal(undefined);
    }
  });

  it('reads the rain of the day of the last value, if the page shows this day in place of today', async () => {
    const day = (start: string, sum: number | null) => ({ start, precipitation_amount: { sum } });
    for (const [today, sum, expected] of [
      ['2026-05-01T00:00:00Z', 4.2, undefined],
      ['2027-04-30T00:00:00Z', 4.2, undefined],
      ['2027-05-02T00:00:00Z', 4.2, 4.2],
      ['2027-05-02T00:00:00Z', 0, 0],
      ['2039-05-02T00:00:00Z', null, null],
    ] as const) {
      const { latest: values, ...others } = newest('pass');
      const reply = {
        latest: {
          ...others,
          latest: { ...values, precipitation_amount: value('pass') },
          today: { from: today, rain: null, rain_last_hour: null },
          rain: { month: null, year: null },
        },
        summaries: { summaries: [day('2026-04-30T00:00:00Z', 9), day('2026-05-01T00:00:00Z', sum)] },
      };
      const now = await readNow(api(reply), 'x');
      expect(now.rainOfLastDay, today).to.equal(expected);
    }
  });

  it('fails if the newest values cannot be read', async () => {
    const error = await readNow(api({}), 'x').catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'DATA_DAMAGED' });
  });
});
