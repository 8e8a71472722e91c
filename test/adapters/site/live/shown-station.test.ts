import { expect } from 'chai';
import type { RecentParts } from '#adapters/site/client/api.js';
import { shortLength } from '#adapters/site/client/format/age.js';
import { compareClocks, currentTime } from '#adapters/site/client/live/server-clock.js';
import type { LiveChange } from '#adapters/site/client/live/live-stream.js';
import {
  hoursAfterDay,
  needsReading,
  type ShownStation,
  withChange,
} from '#adapters/site/client/live/shown-station.js';
import { en } from '#adapters/site/client/text/en.js';

const newest = (time: string, value: number, verdict: 'pass' | 'suspect' = 'pass') => ({
  time: `2026-11-27T${time}:00Z`,
  value,
  verdict,
});
const today = (rain: number | null, from = '2026-11-27T00:00:00Z') => ({
  from,
  extremes: {},
  rain,
  rain_last_hour: rain,
  gust: null,
});
const trend = (change: number) => ({
  air_temperature: {
    change,
    time: '2026-11-27T10:10:00Z',
    value: 5,
    earlier_time: '2026-11-27T07:10:00Z',
    earlier_value: 5 - change,
  },
});
const dry = { code: 'dry', since: '2026-11-26T10:00:00Z' } as const;
const rain = (to: string, amount: number) =>
  ({
    code: 'rain',
    from: '2026-11-27T09:00:00Z',
    to: `2026-11-27T${to}:00Z`,
    amount,
    unit: 'mm',
    is_raining: true,
  }) as const;
const shown: ShownStation = {
  last_seen: '2026-11-27T10:00:00Z',
  units: { air_temperature: '°C', wind_speed: 'm/s' },
  latest: { air_temperature: newest('10:00', 4, 'suspect'), wind_speed: newest('09:00', 3, 'suspect') },
  checks: { air_temperature: ['step'], wind_speed: ['spike'] },
  today: today(1),
  trend: trend(0.1),
  rain: { month: 5, year: 50 },
};
const change = (changes: Partial<LiveChange> = {}): LiveChange => ({
  station: 'a',
  from: '2026-11-27T10:10:00Z',
  to: '2026-11-27T10:10:00Z',
  last_seen: '2026-11-27T10:10:00Z',
  units: { air_temperature: '°C', wind_speed: 'm/s', precipitation_amount: 'mm' },
  latest: {
    air_temperature: newest('10:10', 5),
    wind_speed: newest('09:00', 3, 'suspect'),
    precipitation_amount: newest('10:10', 0.5),
  },
  today: today(1.5),
  trend: trend(-0.6),
  rain: { month: 5.5, year: 50.5 },
  ...changes,
});

describe('a station after an event', () => {
  it('has the values, the day, the trend and the rain of the event, with units of new variables', () => {
    const { latest, last_seen, today: day, trend: trends, rain: sums, units } = change();
    expect(withChange(shown, change())).to.deep.equal({
      latest,
      last_seen,
      today: day,
      trend: trends,
      rain: sums,
      units,
      checks: { wind_speed: ['spike'] },
    });
  });

  it('keeps what the event does not contain', () => {
    const { today: _today, trend: _trend, rain: _rain, ...without } = change();
    expect(withChange(shown, without)).to.deep.include({
      today: shown.today,
      trend: shown.trend,
      rain: shown.rain,
    });
  });

  it('has facts with the new temperature and the rain since they were read', () => {
    const temperature = {
      code: 'temperature',
      value: 4,
      unit: '°C',
      time: '2026-11-27T10:00:00Z',
      verdict: 'suspect',
      change: 0.1,
      trend: 'steady',
      hours: 3,
    } as const;
    const facts = [temperature, rain('10:00', 2)];
    expect(withChange({ ...shown, facts }, change()).facts).to.deep.equal([
      {
        ...temperature,
        value: 5,
        time: '2026-11-27T10:10:00Z',
        verdict: 'pass',
        change: -0.6,
        trend: 'falling',
      },
      rain('10:10', 2.5),
    ]);
    // After midnight the rain of the day has begun anew.
    const midnight = withChange({ ...shown, facts }, change({ today: today(0.25, '2026-11-28T00:00:00Z') }));
    expect(midnight.facts?.[1]).to.deep.equal(rain('10:10', 2.25));
    const unknown = withChange({ ...shown, facts }, change({ trend: {} }));
    expect(unknown.facts?.[0]).to.include({ change: null, trend: null });
  });

  it('follows alarms, derived quantities, and the rain and the wind of the running hour', () => {
    const at = (time: string) => Date.parse(`2026-11-27T${time}:00Z`);
    const alarms = [{ name: 'frost', condition: { kind: 'silent', intervals: 3 }, since: null }] as const;
    const derived = { dew_point: { time: '2026-11-27T10:10:00Z', value: 3.5 } };
    const before: ShownStation = {
      ...shown,
      latest: {
        wind_speed: newest('10:00', 4),
        wind_from_direction: newest('10:00', 350),
        precipitation_amount: newest('10:00', 1),
      },
      lines: { dew_point: { times: [at('10:00') / 1000], values: [3] } },
      hours: [
        { start: at('09:00'), rain: 1, speed: 4, direction: 350 },
        { start: at('08:00') - 2 * 86_400_000, rain: 9 },
      ].toSorted((a, b) => a.start - b.start),
    };
    const step = (time: string, amount: number, speed: number, direction: number, verdict?: 'suspect') =>
      change({
        alarms: [...alarms],
        derived,
        latest: {
          wind_speed: newest(time, speed),
          wind_from_direction: newest(time, direction),
          precipitation_amount: newest(time, amount, verdict),
        },
      });
    const first = withChange(before, step('10:10', 0.5, 6, 10));
    expect(first.alarms).to.deep.equal(alarms);
    expect(first.lines?.['dew_point']?.values).to.deep.equal([3, 3.5]);
    expect(first.hours).to.deep.equal([
      { start: at('09:00'), rain: 1, speed: 4, direction: 350 },
      { start: at('10:00'), rain: 0.5, speed: 6, direction: 10 },
    ]);
    // The second value stands for one half of the first 20 minutes, and the direction turns over north.
    const second = withChange(first, step('10:20', 0.25, 8, 350));
    expect(second.hours?.at(-1)).to.deep.equal({ start: at('10:00'), rain: 0.75, speed: 7, direction: 0 });
    // The same values again, and values that did not pass, change nothing.
    expect(withChange(second, step('10:20', 0.25, 8, 350)).hours).to.equal(second.hours);
    const suspect = withChange(second, step('11:00', 40, 7, 0, 'suspect'));
    expect(suspect.hours?.at(-1)).to.deep.equal({ start: at('10:00'), rain: 0.75, speed: 7, direction: 0 });
    // The alarms of an event without alarms are not known, and an empty list clears them.
    expect(withChange(first, change()).alarms).to.deep.equal(alarms);
    expect(withChange(first, change({ alarms: [] })).alarms).to.deep.equal([]);
  });

  it('is read again after a correction, the first row, and the begin or the end of rain, and otherwise not', () => {
    const cases: readonly (readonly [boolean, ShownStation, Partial<LiveChange>])[] = [
      [false, shown, {}],
      [false, shown, { from: '2026-11-27T10:00:00Z' }],
      [true, shown, { from: '2026-11-27T10:05:00Z' }],
      [true, shown, { from: '2026-11-27T09:59:00Z' }],
      [true, shown, { last_seen: null }],
      [true, { ...shown, last_seen: null }, {}],
      [true, { ...shown, facts: [dry] }, {}],
      [false, { ...shown, facts: [dry] }, { latest: { precipitation_amount: newest('10:10', 0) } }],
      [
        false,
        { ...shown, facts: [dry] },
        { latest: { precipitation_amount: newest('10:10', 9, 'suspect') } },
      ],
      [false, { ...shown, facts: [rain('09:50', 1)] }, {}],
      [
        false,
        { ...shown, facts: [rain('09:20', 1)] },
        { latest: { precipitation_amount: newest('10:10', 0) } },
      ],
      [
        true,
        { ...shown, facts: [rain('09:10', 1)] },
        { latest: { precipitation_amount: newest('10:10', 0) } },
      ],
    ];
    for (const [index, [needed, station, changes]] of cases.entries())
      expect(needsReading(station, change(changes)), `case ${index}`).to.equal(needed);
  });

  it('knows how long its day has ended', () => {
    const day = (from: string): RecentParts['today'] => today(1, from);
    const at = (time: string) => hoursAfterDay(day('2026-11-27T00:00:00Z'), Date.parse(time));
    expect(at('2026-11-27T23:59:59Z')).to.equal(-1);
    expect(at('2026-11-28T00:00:00Z')).to.equal(0);
    expect(at('2026-11-28T02:30:00Z')).to.equal(2);
    expect(hoursAfterDay(undefined, 0)).to.equal(-1);
  });
});

describe('times on pages', () => {
  it('say durations in hours and minutes', () => {
    const texts = [0, 59, 60, 67, 120, 5 * 60 + 59, 6 * 60 + 1, 47 * 60 + 59].map((minutes) =>
      shortLength(minutes * 60, en.age),
    );
    expect(texts).to.deep.equal(['0 min', '59 min', '1 h', '1 h 7 min', '2 h', '5 h 59 min', '6 h', '47 h']);
  });

  it('follow the clock of the service, unless the clocks differ by less than five seconds', () => {
    const ahead = () => Math.round((currentTime() - Date.now()) / 1000);
    const compare = (seconds: number) => compareClocks(new Date(Date.now() + seconds * 1000).toUTCString());
    for (const [seconds, expected] of [
      [3, 0],
      [-600, -600],
      [-602, -600],
      [7200, 7200],
      [1, 0],
    ] as const) {
      compare(seconds);
      expect(ahead(), `${seconds}`).to.be.closeTo(expected, 1);
    }
    compareClocks(null);
    compareClocks('no date');
    expect(ahead()).to.equal(0);
  });
});
