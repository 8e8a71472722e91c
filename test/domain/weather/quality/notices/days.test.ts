import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_FAULTS, type DayFault } from '../../../../../bench/day-faults.js';
import { dayGroups } from '../../../../../bench/day-groups.js';
import { seeded } from '../../../../../bench/planted-faults.js';
import { DatedTableBuilder, daysOfHours, NO_DAYS } from '#domain/weather/quality/notices/dated-table.js';
import { findNotices } from '#domain/weather/quality/notices/find-notices.js';
import { HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NoticeInput } from '#domain/weather/quality/notices/notice-check.js';
import { type Notice, NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import type { Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function noticesOf(input: NoticeInput): Notice[] {
  const range = { from: -Infinity, to: Infinity };
  return (['years', 'weeks'] as const).flatMap((span) => findNotices({ input, range, span }));
}

/** A station with published daily values from 1970-01-01 on, and nothing else. */
function stationWith(
  columns: ReadonlyMap<number, readonly number[]>,
  neighbors: readonly ReadonlyMap<number, readonly number[]>[] = [],
): NoticeInput {
  const tableOf = (values: ReadonlyMap<number, readonly number[]>) => ({
    first: 0,
    days: [...values.values()][0]?.length ?? 0,
    shift: 0,
    columns: new Map([...values].map(([variable, column]) => [variable, Float64Array.from(column)])),
  });
  const published = tableOf(columns);
  const own = { begin: 0, hours: 24 * published.days, columns: new Map() };
  return {
    own,
    published,
    position: undefined,
    neighbors: neighbors.map((values, index) => ({
      number: index + 2,
      table: own,
      published: tableOf(values),
    })),
  };
}

describe('notices of daily values', () => {
  const groups = dayGroups(undefined);
  const inputsFor = (needs: DayFault['needs']) =>
    groups
      .filter(({ name }) => name.includes(needs === 'neighbors' ? 'made neighbors' : 'alone'))
      .flatMap(({ cases }) => cases.map(({ input }) => input));

  it('are none where nothing is wrong, in six climates, alone and beside neighbors', () => {
    for (const { name, cases } of groups)
      for (const { input } of cases) expect(noticesOf(input), name).to.deep.equal([]);
  });

  for (const fault of DAY_FAULTS)
    it(`find ${fault.name}`, () => {
      const random = seeded(11);
      let [found, planted] = [0, 0];
      for (const input of inputsFor(fault.needs)) {
        const columns = new Map([...input.published.columns].map(([one, column]) => [one, column.slice()]));
        const day = 400 + Math.floor(600 * random());
        if (!fault.plantDays(columns, day, day + fault.days, random)) continue;
        planted += 1;
        const notices = noticesOf({ ...input, published: { ...input.published, columns } });
        const facts = notices.flatMap((one) => Object.values(one.facts));
        // A fact that is no number would be null in the stored text.
        expect(facts.every(Number.isFinite)).to.equal(true);
        if (notices.some(({ kind }) => fault.kinds.includes(kind))) found += 1;
      }
      expect(planted).to.be.greaterThan(0);
      expect(found / planted).to.be.at.least(0.4);
    });

  it('have a fault in this table for each kind about daily values', () => {
    const planted = new Set(DAY_FAULTS.flatMap(({ kinds }) => kinds));
    const daily = NOTICE_KINDS.filter((kind) => kind.includes('da') || kind === 'extreme_rain');
    expect(daily.filter((kind) => !planted.has(kind))).to.deep.equal([]);
  });

  it('begin at the limits of the contradictions', () => {
    const kindsOf = (columns: readonly (readonly [number, readonly number[]])[]) =>
      noticesOf(stationWith(new Map(columns))).map(({ kind, variable, since }) => [
        kind,
        variable,
        since / DAY,
      ]);
    const kind = 'contradictory_days';
    const [high, low, snow] = [V.dailyMaximum, V.dailyMinimum, V.dailySnow];
    expect(kindsOf([[high, [10, 35, 10]]])).to.deep.equal([[kind, high, 1]]);
    expect(kindsOf([[high, [10, 34.9, 10]]])).to.deep.equal([]);
    expect(kindsOf([[high, [10, 35, 35]]])).to.deep.equal([]);
    expect(kindsOf([[high, [10, -15, 10]]])).to.deep.equal([[kind, high, 1]]);
    expect(
      kindsOf([
        [high, [10, 40]],
        [low, [0, 0]],
      ]),
    ).to.deep.equal([]);
    expect(
      kindsOf([
        [high, [30, 40, 30]],
        [low, [0, 0, 0]],
      ]),
    ).to.deep.equal([[kind, high, 1]]);
    expect(
      kindsOf([
        [high, [20, 20, 20]],
        [low, [0, -20, 0]],
      ]),
    ).to.deep.equal([[kind, low, 1]]);
    expect(
      kindsOf([
        [high, [5, 20]],
        [low, [0, 10.1]],
      ]),
    ).to.deep.equal([[kind, high, 0]]);
    expect(
      kindsOf([
        [high, [5, 20]],
        [low, [0, 10]],
      ]),
    ).to.deep.equal([]);
    expect(
      kindsOf([
        [high, [20, 5]],
        [low, [10.1, 0]],
      ]),
    ).to.deep.equal([[kind, low, 0]]);
    expect(
      kindsOf([
        [snow, [0, 5, 0]],
        [low, [7, 7, 7]],
      ]),
    ).to.deep.equal([[kind, snow, 1]]);
    expect(
      kindsOf([
        [snow, [0, 5, 0]],
        [low, [7, 7, 6.9]],
      ]),
    ).to.deep.equal([]);
    expect(kindsOf([[snow, [0, 5, 0]]])).to.deep.equal([]);
  });

  it('count equal amounts of rain and snow without the dry days between them', () => {
    const days = 400;
    const amounts = (count: number, amount: number) =>
      Array.from({ length: days }, (_, day) => {
        const index = (day - 100) / 3;
        // All other amounts differ.
        if (day < 50 || day > 300) return (day % 7) + day / 1000;
        return Number.isInteger(index) && index >= 0 && index < count ? amount : 0;
      });
    const found = (variable: number, count: number) =>
      noticesOf(stationWith(new Map([[variable, amounts(count, 0.4)]])));
    expect(found(V.dailyPrecipitation, 19)).to.deep.equal([]);
    expect(found(V.dailySnow, 9)).to.deep.equal([]);
    for (const [variable, count] of [
      [V.dailyPrecipitation, 20],
      [V.dailySnow, 10],
    ] as const)
      expect(found(variable, count)).to.deep.equal([
        {
          kind: 'daily_streak',
          variable,
          since: 100 * DAY,
          until: (100 + 3 * (count - 1) + 1) * DAY,
          facts: { value: 0.4, days: count },
          comparedWith: [],
        },
      ]);
  });

  it('are the same whether a neighbor observes on the same day or a day earlier or later', () => {
    const random = seeded(12);
    const weather = Array.from({ length: 120 }, () => 10 + 12 * (random() - 0.5));
    const shifted = (days: number) =>
      new Map([[V.dailyMaximum, weather.map((_, day) => weather[day + days] ?? Number.NaN)]]);
    const own = weather.map((value, day) => (day === 60 ? value + 30 : value));
    for (const shifts of [
      [0, 0, 0],
      [-1, -1, -1],
      [1, 0, -1],
    ]) {
      const input = (values: readonly number[]) =>
        stationWith(new Map([[V.dailyMaximum, values]]), shifts.map(shifted));
      const spatial = (values: readonly number[]) =>
        noticesOf(input(values)).filter(({ kind }) => kind === 'day_unlike_neighbors');
      expect(spatial(weather)).to.deep.equal([]);
      expect(spatial(own).map(({ since, comparedWith }) => [since, comparedWith])).to.deep.equal([
        [60 * DAY, [2, 3, 4]],
      ]);
    }
  });
});

describe('a rain gauge beside neighbors', () => {
  const days = 400;
  const random = seeded(21);
  const weather = Array.from({ length: days }, () => (random() < 0.4 ? 12 * random() : 0));
  const gauge = (share: number) => weather.map((amount) => amount * share * (0.7 + 0.6 * random()));
  const neighbors = [0.5, 1, 1.1, 2].map((share) => gauge(share));
  const columns = (values: readonly number[]) => new Map([[V.dailyPrecipitation, values]]);
  const noticesFor = (own: readonly number[], others: readonly (readonly number[])[] = neighbors) =>
    noticesOf(stationWith(columns(own), others.map(columns))).filter(({ kind }) => kind === 'rain_ratio');
  const changed = (values: readonly number[], factor: number) =>
    values.map((value, day) => (day >= 150 && day < 260 ? factor * value : value));

  it('may always have any share of their amounts, and gets a notice when its share changes for a time', () => {
    for (const share of [0.3, 1, 3]) {
      const own = gauge(share);
      expect(noticesFor(own)).to.deep.equal([]);
      for (const factor of [0.5, 2]) {
        const [notice, ...others] = noticesFor(changed(own, factor));
        expect(others).to.deep.equal([]);
        expect(notice?.since).to.be.within(140 * DAY, 160 * DAY);
        expect(notice?.until).to.be.within(250 * DAY, 270 * DAY);
        const { ratio = 0, usual_ratio: usual = 1 } = notice?.facts ?? {};
        expect(ratio / usual).to.be.within(0.8 * factor, 1.25 * factor);
      }
    }
  });

  it('gets no notice because of a neighbor that changes, or because all change', () => {
    const own = gauge(1);
    expect(
      noticesFor(
        own,
        neighbors.map((one, index) => (index === 1 ? changed(one, 2) : one)),
      ),
    ).to.deep.equal([]);
    expect(
      noticesFor(
        changed(own, 2),
        neighbors.map((one) => changed(one, 2)),
      ),
    ).to.deep.equal([]);
    expect(
      noticesFor(
        changed(own, 2),
        neighbors.map((one, index) => (index === 1 ? changed(one, 2) : one)),
      ),
    ).to.deep.equal([]);
  });
});

describe('DatedTableBuilder', () => {
  it('puts a value on the date on which most of its day lies, whatever the time zone and the hour of observation', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -179, max: 179 }),
        fc.integer({ min: -2, max: 2 }),
        fc.integer({ min: -5, max: 9 }),
        fc.integer({ min: 0, max: 30_000 }),
        (longitude, zone, observation, date) => {
          // The day ends some hours after midnight of a time zone that is some hours off the sun.
          const offset = Math.round(longitude / 15) + zone;
          const time = (date + 1) * DAY - offset * HOUR + observation * HOUR;
          const builder = new DatedTableBuilder(time - 5 * DAY, time + 5 * DAY, longitude);
          builder.add(seriesWith([time], V.dailyMaximum, [7]));
          const { first, columns } = builder.table();
          const column = columns.get(V.dailyMaximum) as Float64Array;
          expect(first + column.findIndex((value) => value === 7)).to.equal(date);
        },
      ),
    );
  });

  it('leaves out flagged values, and values of hours and of other days', () => {
    const series = seriesWith([DAY, 2 * DAY, 3 * DAY, 9 * DAY], V.dailyMinimum, [1, 2, 3, 4]);
    const flags = new Map([[V.dailyMinimum, Uint8Array.of(0, 1, 0, 0)]]);
    const builder = new DatedTableBuilder(0, 3 * DAY, 0);
    builder.add({ ...series, flags });
    builder.add(seriesWith([DAY], V.temperature, [5]));
    const { columns } = builder.table();
    expect([...columns.keys()]).to.deep.equal([V.dailyMinimum]);
    expect(
      [...(columns.get(V.dailyMinimum) as Float64Array)].filter((value) => !Number.isNaN(value)),
    ).to.deep.equal([1, 3]);
  });
});

describe('daysOfHours', () => {
  it('gives published values, and otherwise those of hours, on the same dates', () => {
    const longitude = -75;
    const begin = Date.UTC(2020, 0, 1, 5);
    const hours = new HourTableBuilder(begin, begin + 3 * DAY);
    const times = Array.from({ length: 72 }, (_, hour) => begin + (hour + 1) * HOUR);
    hours.add(
      seriesWith(
        times,
        V.temperature,
        times.map((_, hour) => hour % 24),
      ),
    );
    hours.add(
      seriesWith(
        times,
        V.precipitation,
        times.map((_, hour) => (hour < 24 ? 1 : 0)),
      ),
    );
    const days = new DatedTableBuilder(begin, begin + 3 * DAY, longitude);
    days.add(seriesWith([begin + 2 * DAY], V.dailyMaximum, [30]));
    const table = daysOfHours(hours.table(), days.table(), longitude);
    expect(table.first).to.equal(Date.UTC(2020, 0, 1) / DAY);
    expect([...table.columns].map(([variable, column]) => [variable, [...column]])).to.deep.equal([
      [V.dailyMaximum, [23, 30, 23]],
      [V.dailyMinimum, [0, 0, 0]],
      [V.dailyPrecipitation, [24, 0, 0]],
    ]);
    expect(daysOfHours(hours.table(), NO_DAYS, longitude).columns.get(V.dailyMaximum)?.[1]).to.equal(23);
  });
});

function seriesWith(times: readonly number[], variable: number, values: readonly number[]): Series {
  return {
    times: Float64Array.from(times),
    values: new Map([[variable, Float64Array.from(values)]]),
    flags: new Map(),
  };
}
