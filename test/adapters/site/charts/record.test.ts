import { expect } from 'chai';
import fc from 'fast-check';
import { brushStep, centerBrush, moveBrush } from '#adapters/site/client/charts/model/brush.js';
import {
  earlierYears,
  rainOfYear,
  rangeFacts,
  usualBand,
  type UsualReply,
} from '#adapters/site/client/charts/model/record.js';
import { recordOf } from '#adapters/site/client/sections/usual/day-record.js';
import { addDays } from '#adapters/site/client/charts/model/zone.js';
import { MILLISECONDS } from '#domain/time.js';

const at = (date: string) => Date.parse(`${date}T00:00:00Z`);
const same = { convert: (value: number) => value };

describe('the strip of the whole record', () => {
  const record = { from: at('2017-01-01'), to: at('2026-11-24') };
  const windows = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([one, other]) => {
      const length = record.to - record.from - MILLISECONDS.day;
      const from = record.from + Math.min(one, other) * length;
      return { from, to: Math.max(from + MILLISECONDS.day, record.from + Math.max(one, other) * length) };
    });
  const distances = fc.double({ min: -1e12, max: 1e12, noNaN: true });

  it('keeps its window within the record and at least a day long, whatever is moved', () => {
    fc.assert(
      fc.property(windows, fc.constantFrom('from', 'to', 'window'), distances, (window, part, distance) => {
        const moved = moveBrush(window, part, distance, record);
        expect(moved.from).to.be.at.least(record.from - 1);
        expect(moved.to).to.be.at.most(record.to + 1);
        expect(moved.to - moved.from).to.be.at.least(MILLISECONDS.day - 1);
        if (part === 'window') expect(moved.to - moved.from).to.be.closeTo(window.to - window.from, 1);
        if (part === 'from') expect(moved.to).to.equal(window.to);
        if (part === 'to') expect(moved.from).to.equal(window.from);
      }),
    );
  });

  it('is moved by keys: a week of a long window, a day of a short one, a page, and to the ends', () => {
    const year = { from: at('2020-01-01'), to: at('2021-01-01') };
    const week = { from: at('2020-01-01'), to: at('2020-01-08') };
    const days = (...call: Parameters<typeof brushStep>) =>
      (brushStep(...call) ?? Number.NaN) / MILLISECONDS.day;
    expect(days('ArrowRight', 'window', year, record)).to.equal(7);
    expect(days('ArrowLeft', 'to', week, record)).to.equal(-1);
    expect(days('PageUp', 'window', year, record)).to.equal(366);
    expect(moveBrush(year, 'window', brushStep('End', 'window', year, record) ?? 0, record).to).to.equal(
      record.to,
    );
    expect(moveBrush(year, 'from', brushStep('Home', 'from', year, record) ?? 0, record).from).to.equal(
      record.from,
    );
    expect(brushStep('a', 'window', year, record)).to.equal(undefined);
    expect(centerBrush(week, at('2024-06-15'), record)).to.deep.equal({
      from: at('2024-06-15') - 3.5 * MILLISECONDS.day,
      to: at('2024-06-15') + 3.5 * MILLISECONDS.day,
    });
  });
});

/** The days of the years 2017 to 2026 with a rain of 1 mm in each year, and of 2 mm a day in 2026. */
function tenYears(change: (date: string) => object = () => ({})) {
  const summaries: object[] = [];
  for (let date = '2017-01-01'; date < '2026-03-11'; date = addDays(date, 1)) {
    const sum = date.startsWith('2026') ? 2 : 1;
    summaries.push({
      start: `${date}T00:00:00Z`,
      end: `${addDays(date, 1)}T00:00:00Z`,
      air_temperature: { mean: Number(date.slice(0, 4)) - 2000, min: -1 },
      precipitation_amount: { sum, complete: true },
      ...change(date),
    });
  }
  return { summaries } as unknown as Summaries;
}

type Summaries = Parameters<typeof rangeFacts>[0];

/** The record of summaries, as the API writes it in CSV. */
function recordFrom({ summaries }: Summaries) {
  const names = ['air_temperature.mean', 'precipitation_amount.sum', 'precipitation_amount.valid'];
  const rows = summaries.map(({ start, air_temperature: air, precipitation_amount: rain }) =>
    [start.slice(0, 10), air?.mean, rain?.sum, rain?.complete ?? false].join(','),
  );
  return recordOf([`start,${names.join(',')}`, ...rows, ''].join('\r\n'));
}

describe('the rain of a year', () => {
  const range = { from: at('2025-03-11'), to: at('2026-03-11') };

  it('begins with 1 January and is compared with the same day of the other years', () => {
    const rain = rainOfYear(recordFrom(tenYears()), range, 'UTC', same);
    expect(rain?.year).to.equal(2026);
    expect([rain?.values.length, rain?.values[0], rain?.values.at(-1)]).to.deep.equal([69, 2, 138]);
    expect(rain?.times[0]).to.equal(at('2026-01-02'));
    expect([rain?.usual?.middles.at(-1), rain?.share, rain?.years]).to.deep.equal([69, 2, 9]);
    expect(rain?.isAtLeast).to.equal(false);
  });

  it('has days as long as the local days, also when clocks change', () => {
    const zone = 'America/New_York';
    const rain = rainOfYear(recordFrom(tenYears()), { ...range, to: at('2026-03-12') }, zone, same);
    expect(rain?.days.every(({ to }, index) => to === (rain.days[index + 1]?.from ?? to))).to.equal(true);
    expect(rain?.days[66]).to.deep.equal({
      from: Date.parse('2026-03-08T05:00Z'),
      to: Date.parse('2026-03-09T04:00Z'),
    });
  });

  it('says that it can be more if days are missing, and leaves out years with gaps', () => {
    const isMissing = (date: string) => date === '2026-02-01' || date.startsWith('2024-01');
    const days = recordFrom(tenYears((date) => (isMissing(date) ? { precipitation_amount: {} } : {})));
    const rain = rainOfYear(days, range, 'UTC', same);
    expect([rain?.values.at(-1), rain?.isAtLeast, rain?.years]).to.deep.equal([136, true, 8]);
  });

  it('has no comparison with fewer than five other years', () => {
    const { summaries } = tenYears();
    const young = recordFrom({ summaries: summaries.filter(({ start }) => start >= '2022') });
    const rain = rainOfYear(young, range, 'UTC', same);
    expect([rain?.usual, rain?.share, rain?.years]).to.deep.equal([undefined, undefined, 4]);
    expect(rainOfYear(recordOf(''), range, 'UTC', same)).to.equal(undefined);
  });
});

describe('earlier years', () => {
  it('lie on the same dates, and are none for a range of several years', () => {
    const days = recordFrom(tenYears());
    const years = earlierYears(days, { from: at('2025-12-30'), to: at('2026-01-03') }, 'UTC', same);
    expect(years.map(({ year }) => year)).to.deep.equal([2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017]);
    expect(years[0]?.values).to.deep.equal([24, 24, 25, 25]);
    expect(years[0]?.times[0]).to.equal(at('2025-12-30') + MILLISECONDS.day / 2);
    expect(earlierYears(days, { from: at('2020-01-01'), to: at('2023-01-01') }, 'UTC', same)).to.deep.equal(
      [],
    );
  });
});

describe('the usual range', () => {
  const reply = (more: object) => ({ dates: ['12-31', '01-01'], ...more }) as unknown as UsualReply;

  it('has a point at each noon, across the turn of the year, or at each hour of local days', () => {
    const days = usualBand(
      reply({ air_temperature: { p10: [1, 2], p50: [3, 4], p90: [5, null] } }),
      'air_temperature',
      { from: at('2025-12-31'), to: at('2026-01-02') },
      'UTC',
      same,
    );
    expect(days).to.deep.equal({
      times: [at('2025-12-31') + MILLISECONDS.day / 2, at('2026-01-01') + MILLISECONDS.day / 2],
      lows: [1, 2],
      middles: [3, 4],
      highs: [5, undefined],
    });
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    const band = usualBand(
      reply({ dates: ['03-29'], air_temperature: { p10: [hours], p50: [hours], p90: [hours] } }),
      'air_temperature',
      { from: at('2026-03-29'), to: at('2026-03-30') },
      'Europe/Amsterdam',
      same,
    );
    // The clocks are set from 2 to 3 h on this day of 23 hours.
    expect(band?.middles).to.deep.equal(hours.filter((hour) => hour !== 2));
  });

  it('is none if no date has percentiles', () => {
    const range = { from: at('2025-12-31'), to: at('2026-01-02') };
    const none = { p10: [null, null], p50: [null, null], p90: [null, null] };
    expect(usualBand(reply({ air_temperature: none }), 'air_temperature', range, 'UTC', same)).to.equal(
      undefined,
    );
    expect(usualBand(reply({}), 'air_temperature', range, 'UTC', same)).to.equal(undefined);
  });
});

describe('the sentence about a range', () => {
  const range = { from: at('2026-01-01'), to: at('2026-01-04') };

  it('has mean, distance from usual, days of frost, rain and days with rain', () => {
    const usual = {
      dates: ['01-01', '01-02', '01-03'],
      air_temperature: { p50: [20, 20, 20] },
    } as unknown as UsualReply;
    expect(rangeFacts(tenYears(), usual, range)).to.deep.equal({
      mean: 26,
      difference: 6,
      frostDays: 3,
      rain: 6,
      rainDays: 3,
      isAtLeast: false,
    });
  });

  it('has nothing that is not known, and a lower limit for rain with gaps', () => {
    const dry = tenYears((date) => (date === '2026-01-02' ? { precipitation_amount: {} } : {}));
    expect(rangeFacts(dry, undefined, range)).to.deep.include({
      difference: undefined,
      rain: 4,
      isAtLeast: true,
    });
    const lastDay = tenYears((date) => (date === '2026-01-03' ? { precipitation_amount: { sum: 1 } } : {}));
    expect(rangeFacts(lastDay, undefined, range).isAtLeast).to.equal(true);
    const noon = { ...range, to: range.to - MILLISECONDS.day / 2 };
    expect(rangeFacts(lastDay, undefined, noon).isAtLeast, 'a day that is not over').to.equal(false);
    expect(rangeFacts({ summaries: [] }, undefined, range)).to.deep.include({
      mean: undefined,
      frostDays: undefined,
      rain: undefined,
      rainDays: undefined,
    });
  });
});
