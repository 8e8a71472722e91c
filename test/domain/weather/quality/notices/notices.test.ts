import { expect } from 'chai';
import { climateYears } from '../../../../../bench/climate-years.js';
import {
  LONG_FAULTS,
  type LongFault,
  madeNeighbors,
  positionOf,
  severalYears,
  typicalHours,
} from '../../../../../bench/notice-faults.js';
import { seeded } from '../../../../../bench/planted-faults.js';
import { type DatedTable, NO_DAYS } from '#domain/weather/quality/notices/dated-table.js';
import { findNotices } from '#domain/weather/quality/notices/find-notices.js';
import { type HourTable, HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NoticeInput } from '#domain/weather/quality/notices/notice-check.js';
import {
  type Notice,
  type NoticeFacts,
  type NoticeKind,
  NOTICE_KINDS,
  touches,
} from '#domain/weather/quality/notices/notice.js';
import { renewedNotices } from '#domain/weather/quality/notices/renewed-notices.js';
import { NOTICE_CHECKS } from '#domain/weather/quality/notices/notice-checks.js';
import { FLAG, type Series, sliceSeries } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { NOTICE_EXAMPLES } from '../../../../support/notice-examples.js';

const HOUR = 3_600_000;

/** The notices of both spans that begin in `[from, to)`. */
function noticesOf(input: NoticeInput, from = -Infinity, to = Infinity): Notice[] {
  return (['years', 'weeks'] as const).flatMap((span) => findNotices({ input, range: { from, to }, span }));
}

/** The kind and the names of the facts of a notice as text. The sentences of the site are tested with these names. */
const factsOf = (kind: NoticeKind, facts: NoticeFacts, isCompared: boolean) =>
  `${kind} ${isCompared} ${Object.keys(facts).join(' ')}`;
const FACTS_OF_EXAMPLES = NOTICE_EXAMPLES.map(({ kind, facts, isCompared }) =>
  factsOf(kind, facts, isCompared),
);

describe('notices', () => {
  const random = seeded(1);
  const ids = new Set(['chicago', 'honolulu']);
  const stations = climateYears().filter(({ id }) => ids.has(id));
  const inputs = new Map<LongFault['needs'], NoticeInput[]>([
    ['nothing', []],
    ['neighbors', []],
    ['years', []],
  ]);
  before(() => {
    for (const station of stations) {
      const own = withRain(typicalHours(station, random), random);
      const alone: NoticeInput = { own, neighbors: [], published: NO_DAYS, position: positionOf(station.id) };
      inputs.get('nothing')?.push(alone);
      inputs.get('neighbors')?.push({ ...alone, neighbors: madeNeighbors(own, 4, random) });
      inputs.get('years')?.push({ ...alone, own: severalYears(own, 4, random) });
    }
  });

  it('are none where nothing is wrong, alone, beside neighbors and over years', () => {
    for (const [needs, all] of inputs)
      for (const [index, input] of all.entries())
        expect(noticesOf(input), `${needs} ${stations[index]?.id}`).to.deep.equal([]);
  });

  for (const fault of LONG_FAULTS)
    it(`find ${fault.name}`, () => {
      for (const [index, input] of (inputs.get(fault.needs) ?? []).entries()) {
        const columns = new Map([...input.own.columns].map(([number, column]) => [number, column.slice()]));
        const from = 45 * 24 + Math.floor(random() * (input.own.hours - fault.hours - 90 * 24));
        fault.plant(columns, from, from + fault.hours, random);
        const planted = { ...input, own: { ...input.own, columns } };
        const checks = NOTICE_CHECKS.filter(({ kind }) => fault.kinds.includes(kind));
        const found = checks.flatMap(({ kind, find }) => {
          const findings = find(planted);
          for (const { facts, comparedWith } of findings)
            expect(FACTS_OF_EXAMPLES).to.include(factsOf(kind, facts, comparedWith.length > 0));
          return findings;
        });
        // A fact that is no number would be null in the stored text.
        expect(found.flatMap(({ facts }) => Object.values(facts)).every(Number.isFinite)).to.equal(true);
        const near = found.filter((one) => one.from < from + fault.hours + 24 && one.to > from - 24);
        expect(near, `${stations[index]?.id} from hour ${from}`).not.to.deep.equal([]);
      }
    });

  it('are the same in every version with the same numbers', () => {
    const numbers = seeded(9);
    const [year] = (inputs.get('nothing') as NoticeInput[]).map(({ own }) => own) as [HourTable];
    const own = repeated(year, 3, numbers);
    const input = {
      own,
      neighbors: madeNeighbors(own, 4, numbers),
      published: NO_DAYS,
      position: positionOf('chicago'),
    };
    const columns = new Map([...own.columns].map(([number, column]) => [number, column.slice()]));
    for (const [index, fault] of LONG_FAULTS.entries()) {
      const from = 60 * 24 + Math.floor((index * (own.hours - 220 * 24)) / LONG_FAULTS.length);
      fault.plant(columns, from, from + Math.min(fault.hours, 40 * 24), numbers);
    }
    const found = noticesOf({ ...input, own: { ...own, columns } });
    const counts = new Map<string, number>();
    let digest = 0;
    for (const { kind, variable, since, until, facts } of found) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const hours = (since - own.begin) / HOUR + ((until ?? 0) - own.begin) / HOUR;
      const sum = Object.values(facts).reduce((total, fact) => total + Math.round(1e6 * fact), 0);
      digest = (digest * 31 + variable * 7 + hours + Math.abs(sum)) % 1_000_003;
    }
    expect([Object.fromEntries(counts), digest]).to.deep.equal([
      {
        unusual_day: 3,
        unusual_hours: 1,
        night_radiation: 1,
        stuck_calm: 2,
        clock: 4,
        steady_rain: 1,
        extreme_rain: 1,
        rain_missing: 1,
        rain_ratio: 3,
        low_variability: 3,
        level: 12,
        day_unlike_neighbors: 6,
      },
      816383,
    ]);
  });

  it('have a fault in this table for each of their kinds, apart from those about daily values', () => {
    const planted = new Set(LONG_FAULTS.flatMap(({ kinds }) => kinds));
    expect(NOTICE_KINDS.filter((kind) => !planted.has(kind))).to.deep.equal([
      'daily_streak',
      'contradictory_days',
      'day_unlike_neighbors',
    ]);
    expect(new Set(NOTICE_CHECKS.map(({ kind }) => kind))).to.deep.equal(new Set(NOTICE_KINDS));
  });

  it('report equal daily extremes of twenty days in a row, published or of hours', () => {
    const published = (begin: number) =>
      daysWith(
        V.dailyMaximum,
        Array.from({ length: 25 }, (_, day) => (day < begin ? Number.NaN : day < 20 ? 7 : day)),
      );
    const own = { begin: 0, hours: 25 * 24, columns: new Map() };
    const notices = noticesOf({ own, neighbors: [], published: published(0), position: undefined });
    expect(notices).to.deep.equal([
      {
        kind: 'daily_streak',
        variable: V.dailyMaximum,
        since: 0,
        until: 20 * 24 * HOUR,
        facts: { value: 7, days: 20 },
        comparedWith: [],
      },
    ]);
    expect(noticesOf({ own, neighbors: [], published: published(1), position: undefined })).to.deep.equal([]);
  });

  it('have no end while the cause lasts, and only those of a range are returned', () => {
    const [input] = inputs.get('nothing') as [NoticeInput];
    const columns = new Map(input.own.columns);
    const { begin, hours } = input.own;
    columns.set(
      V.windSpeed,
      input.own.columns
        .get(V.windSpeed)
        ?.map((value, hour) => (hour >= hours - 240 ? 0 : value)) as Float64Array,
    );
    const planted = { ...input, own: { ...input.own, columns } };
    const since = begin + (hours - 240) * HOUR;
    const [notice, ...others] = noticesOf(planted);
    expect(others).to.deep.equal([]);
    expect(notice).to.deep.include({ kind: 'stuck_calm', variable: V.windSpeed, until: null });
    expect(notice?.since).to.be.within(since - 24 * HOUR, since);
    expect(noticesOf(planted, begin, since - 48 * HOUR)).to.deep.equal([]);
    expect(noticesOf(planted, since + 24 * HOUR)).to.have.length(1);
  });
});

describe('a sensor that shows noise', () => {
  const chance = seeded(41);
  const hours = 200 * 24;
  const isStuck = (hour: number) => hour >= 2000 && hour < 2072;
  const noticesWith = (size: number, neighbors: number) => {
    const column = Float64Array.from({ length: hours }, (_, hour) =>
      isStuck(hour) ? 5 + 0.1 * chance() : 5 + size * (Math.sin(hour / 4) + chance()),
    );
    const table: HourTable = { begin: 0, hours, columns: new Map([[V.temperature, column]]) };
    const others = Array.from({ length: neighbors }, (_, index) => ({
      number: index + 2,
      table,
      published: NO_DAYS,
    }));
    return noticesOf({ own: table, neighbors: others, published: NO_DAYS, position: undefined }).filter(
      ({ kind }) => kind === 'low_variability',
    );
  };

  it('is compared with its own quiet times where there are too few neighbors', () => {
    for (const neighbors of [0, 2]) {
      const [notice, ...others] = noticesWith(2, neighbors);
      expect(others).to.deep.equal([]);
      expect(notice?.since).to.be.within(1990 * HOUR, 2010 * HOUR);
      expect(notice?.until).to.be.within(2060 * HOUR, 2080 * HOUR);
      expect(notice?.comparedWith).to.deep.equal([]);
    }
    expect(noticesWith(2, 3), 'neighbors show the same').to.deep.equal([]);
    expect(noticesWith(0.1, 0), 'it is always quiet').to.deep.equal([]);
  });
});

describe('a clock beside neighbors', () => {
  it('is compared with its usual shift, because fronts reach some stations first', () => {
    const chance = seeded(31);
    const hours = 300 * 24;
    let pressure = 1000;
    const weather = Float64Array.from({ length: hours }, () => (pressure += chance() - 0.5));
    const tableOf = (shiftAt: (hour: number) => number): HourTable => ({
      begin: 0,
      hours,
      columns: new Map([
        [V.pressure, weather.map((_, hour) => (weather[hour - shiftAt(hour)] ?? 1000) + 0.1 * chance())],
      ]),
    });
    const neighbors = [1, 2, 3].map((number) => ({ number, table: tableOf(() => 0), published: NO_DAYS }));
    const clocksOf = (own: HourTable) =>
      noticesOf({ own, neighbors, published: NO_DAYS, position: undefined }).filter(
        ({ kind }) => kind === 'clock',
      );
    for (const usual of [-2, 0, 1]) {
      expect(clocksOf(tableOf(() => usual))).to.deep.equal([]);
      for (const wrong of [-1, 1]) {
        const isWrong = (hour: number) => hour >= 120 * 24 && hour < 200 * 24;
        const [notice, ...others] = clocksOf(tableOf((hour) => usual + (isWrong(hour) ? wrong : 0)));
        expect(others).to.deep.equal([]);
        expect(notice?.facts['clock_minutes']).to.be.within(60 * wrong - 10, 60 * wrong + 10);
        expect(notice?.since).to.be.within(95 * 24 * HOUR, 125 * 24 * HOUR);
        expect(notice?.until).to.be.within(195 * 24 * HOUR, 225 * 24 * HOUR);
      }
    }
  });
});

describe('renewedNotices', () => {
  const DAY = 24 * HOUR;
  const notice = (since: number, until: number | null, kind: NoticeKind = 'stuck_calm'): Notice => ({
    kind,
    variable: V.windSpeed,
    since: since * DAY,
    until: until === null ? null : until * DAY,
    facts: {},
    comparedWith: [],
  });
  const range = { from: 200 * DAY, to: 300 * DAY };
  const chance = seeded(3);
  const renewed = (before: Notice[], found: Notice[]) =>
    renewedNotices(before, found, { range, begin: 80 * DAY, spans: ['weeks'] });

  it('replace those that touch the range, and keep the begin of one that lasts longer than the search looks back', () => {
    const cases: readonly (readonly [what: string, before: Notice[], found: Notice[], expected: Notice[]])[] =
      [
        ['ended', [notice(100, null)], [notice(100, 250)], [notice(100, 250)]],
        ['longer', [notice(10, null)], [notice(81, 250)], [notice(10, 250)]],
        ['began again', [notice(10, 70)], [notice(81, 250)], [notice(10, 70), notice(81, 250)]],
        ['began later', [notice(10, null)], [notice(120, 250)], [notice(120, 250)]],
        ['gone', [notice(210, 220)], [], []],
        ['before', [notice(210, 220), notice(10, 200)], [], [notice(10, 200)]],
        ['after', [notice(300, null)], [notice(250, 260)], [notice(250, 260), notice(300, null)]],
        ['of years', [notice(210, 220, 'unusual_day')], [], [notice(210, 220, 'unusual_day')]],
        ['of another kind', [notice(10, null, 'level')], [notice(81, 250)], [notice(81, 250)]],
      ];
    for (const [what, before, found, expected] of cases)
      expect(renewed(before, found), what).to.deep.equal(expected);
  });

  it('give the same for a whole range as for its parts in turn, whatever lasts however long', () => {
    for (let round = 0; round < 200; round += 1) {
      const causes = Array.from({ length: 3 }, (_, index) => {
        const from = 50 + 300 * index + Math.floor(250 * chance());
        return notice(from, from + 1 + Math.floor(290 * chance() ** 3));
      }).filter((one, index, all) => (all[index + 1]?.since ?? Infinity) > (one.until ?? 0));
      let notices: Notice[] = [];
      for (let from = 0; from < 1200; from += 100) {
        const part = { from: from * DAY, to: (from + 100) * DAY };
        const begin = part.from - 120 * DAY;
        const found = causes
          .filter((cause) => touches(cause, part))
          .map((cause) => ({ ...cause, since: Math.max(begin, cause.since) }));
        notices = renewedNotices(notices, found, { range: part, begin, spans: ['weeks'] });
      }
      expect(notices).to.deep.equal(causes);
    }
  });
});

/** Several years that are like one year, with differences from hour to hour. */
function repeated({ begin, hours, columns }: HourTable, years: number, random: () => number): HourTable {
  return {
    begin,
    hours: hours * years,
    columns: new Map(
      [...columns].map(([number, column]) => [
        number,
        Float64Array.from({ length: hours * years }, (_, hour) => {
          const value = column[hour % hours] as number;
          const isChanged = number === V.temperature || number === V.dewPoint || number === V.pressure;
          return isChanged ? value + 2 * Math.sin(hour / 700) + (random() - 0.5) : value;
        }),
      ]),
    ),
  };
}

describe('HourTableBuilder', () => {
  const random = seeded(2);
  const length = 2000;
  const series: Series = {
    times: Float64Array.from({ length }, (_, row) => row * 600_000 + 1),
    values: new Map(
      [V.temperature, V.gust, V.precipitation, V.windDirection, V.dailyMaximum].map((variable) => [
        variable,
        Float64Array.from({ length }, () => (random() < 0.1 ? Number.NaN : Math.round(10 * random()))),
      ]),
    ),
    flags: new Map([
      [
        V.temperature,
        Uint8Array.from({ length }, () =>
          random() < 0.1 ? FLAG.grossRange : random() < 0.1 ? FLAG.step : 0,
        ),
      ],
    ]),
  };
  const tableOf = (parts: readonly Series[]): HourTable => {
    const builder = new HourTableBuilder(0, length * 600_000);
    for (const part of parts) builder.add(part);
    return builder.table();
  };

  it('gives the mean, the sum or the largest value of the values of each hour up to its end', () => {
    const { begin, hours, columns } = tableOf([series]);
    expect([begin, hours, [...columns.keys()]]).to.deep.equal([
      0,
      Math.ceil(length / 6),
      [V.temperature, V.gust, V.precipitation],
    ]);
    const bytes = series.flags.get(V.temperature) as Uint8Array;
    for (const [variable, column] of columns)
      for (let hour = 0; hour < hours; hour += 1) {
        const values = [...series.times.keys()]
          .filter((row) => Math.ceil((series.times[row] as number) / HOUR) - 1 === hour)
          .filter((row) => variable !== V.temperature || bytes[row] !== FLAG.grossRange)
          .map((row) => series.values.get(variable)?.[row] as number)
          .filter((value) => !Number.isNaN(value));
        const sum = values.reduce((total, value) => total + value, 0);
        const expected =
          values.length === 0
            ? Number.NaN
            : variable === V.gust
              ? Math.max(...values)
              : variable === V.precipitation
                ? sum
                : sum / values.length;
        expect(column[hour], `${variable} ${hour}`).to.satisfy(
          (value: number) => Object.is(value, expected) || Math.abs(value - expected) < 1e-9,
        );
      }
  });

  it('gives the same table for the same rows in any parts and in any order', () => {
    const whole = tableOf([series]);
    for (let round = 0; round < 20; round += 1) {
      const cuts = [0, ...Array.from({ length: 5 }, () => Math.floor(random() * length)), length].sort(
        (a, b) => a - b,
      );
      const parts = cuts.slice(1).map((cut, index) => sliceSeries(series, cuts[index] as number, cut));
      expect(tableOf(parts.sort(() => random() - 0.5))).to.deep.equal(whole);
    }
  });
});

/** Published daily values of one variable, from 1970-01-01 on. */
function daysWith(variable: number, values: readonly number[]): DatedTable {
  return {
    first: 0,
    days: values.length,
    shift: 0,
    columns: new Map([[variable, Float64Array.from(values)]]),
  };
}

/** Showers: the typical years have few amounts. */
function withRain(own: HourTable, random: () => number): HourTable {
  const rain = new Float64Array(own.hours);
  for (let hour = 0; hour < own.hours; hour += 1)
    if (random() < 0.05)
      for (let after = 0; after < 5 && hour + after < own.hours; after += 1)
        rain[hour + after] = Math.round(10 * random() ** 2 * 4) / 10;
  return { ...own, columns: new Map([...own.columns, [V.precipitation, rain]]) };
}
