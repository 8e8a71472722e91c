import { expect } from 'chai';
import fc from 'fast-check';
import {
  quantitiesOfDays,
  type TemperatureOfDays,
  DEFAULT_BASES,
} from '#domain/weather/summaries/of-days.js';
import type { RainStatistics, WindStatistics } from '#domain/weather/summaries/statistics.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { V, variableNumbered } from '#domain/weather/variables.js';

const HOUR = 3_600_000;
const NAN = Number.NaN;
const rainOf = (summaries: Summaries, days: number) =>
  summaries.statistics(V.precipitation, 0, days).rain as RainStatistics;
const windOf = (summaries: Summaries) => summaries.statistics(V.windDirection, 0).wind as WindStatistics;

/** Days of these lengths in hours. */
function daysOf(lengths: readonly number[]) {
  let end = 0;
  return lengths.map((hours) => ({ start: end, end: (end += hours * HOUR) }));
}

interface Rows {
  readonly reportingInterval?: number | null;
  readonly distance?: number;
  /** Time of the first row. */
  readonly first?: number;
}

function summariesOf(
  lengths: readonly number[],
  rows: Readonly<Record<number, readonly number[]>>,
  { reportingInterval = 3600, distance = HOUR, first = 0 }: Rows = {},
) {
  const columns = Object.entries(rows).map(
    ([variable, column]) => [Number(variable), Float64Array.from(column)] as const,
  );
  const count = columns[0]?.[1].length ?? 0;
  const times = Float64Array.from({ length: count }, (_, index) => first + index * distance);
  // Those of the rows, as if they were of a month.
  const routine = () => distance;
  const summaries = new Summaries(daysOf(lengths), { reportingInterval, routine });
  summaries.add({ times, values: new Map(columns), flags: new Map() });
  return summaries;
}

describe('rain', () => {
  const lengths = fc.array(fc.constantFrom(24, 24, 24, 23, 25), { minLength: 1, maxLength: 6 });
  const amount = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(200).map((tenths) => tenths / 10)); // oxfmt-ignore

  it('has the largest amount of 24 successive hours, over the ends of days of 23 to 25 hours', () => {
    fc.assert(
      fc.property(lengths, fc.array(amount, { minLength: 150, maxLength: 150 }), (given, amounts) => {
        const hours = given.reduce((sum, length) => sum + length, 0);
        const own = amounts.slice(0, hours);
        // The amount of an hour is measured at its end.
        const summaries = summariesOf(given, { [V.precipitation]: own }, { first: HOUR });
        const windows = own.map((_, last) =>
          own.slice(Math.max(0, last - 23), last + 1).reduce((a, b) => a + b, 0),
        );
        const most = Math.max(...windows);
        const found = rainOf(summaries, given.length);
        if (given.length === 1) {
          expect(found.dayMax).to.satisfy(Number.isNaN);
          return;
        }
        expect(found.dayMax).to.be.closeTo(most, 1e-9);
        expect(found).to.include({ hourMax: Math.max(...own), isHourly: true });
        if (most === 0) expect([found.dayMaxTime, found.hourMaxTime]).to.deep.equal([NAN, NAN]);
        else expect(windows[found.dayMaxTime / HOUR - 1]).to.be.closeTo(most, 1e-9);
      }),
    );
  });

  it('has the largest amount of 60 minutes that end with a report', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 144 }), (amounts) => {
        const options = { reportingInterval: 600, distance: HOUR / 6, first: HOUR / 6 };
        const found = rainOf(summariesOf([24], { [V.precipitation]: amounts }, options), 1);
        const windows = amounts.map((_, last) =>
          amounts.slice(Math.max(0, last - 5), last + 1).reduce((a, b) => a + b, 0),
        );
        expect(found.hourMax).to.be.closeTo(Math.max(...windows), 1e-9);
        if (found.hourMax > 0)
          expect(windows[found.hourMaxTime / options.distance - 1]).to.be.closeTo(found.hourMax, 1e-9);
      }),
    );
  });

  it('of three hours says nothing about an hour', () => {
    const options = { reportingInterval: 10_800, distance: 3 * HOUR, first: 3 * HOUR };
    for (const reportingInterval of [10_800, null]) {
      const summaries = summariesOf(
        [24, 24],
        { [V.precipitation]: [1, 9, 1, 1, 1, 1, 1, 1] },
        { ...options, reportingInterval },
      );
      expect(summaries.statistics(V.precipitation, 0)).to.deep.include({ sum: 16 });
      expect(rainOf(summaries, 2)).to.deep.include({ hourMax: NAN, dayMax: 16, isHourly: false });
    }
  });

  it('has no largest amount of an hour that holds if one of the days has amounts of three hours, dry days apart', () => {
    const days = ['hourly', 'three-hourly', 'none'] as const;
    const hours = {
      hourly: [1, 2, 3, 6, 12, 18, 24],
      'three-hourly': [3, 6, 9, 12, 15, 18, 21, 24],
      none: [],
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...days), { minLength: 1, maxLength: 5 }), (kinds) => {
        const rows = kinds.flatMap((kind, day) => hours[kind].map((hour) => (24 * day + hour) * HOUR));
        const buckets = kinds.map((_, day) => ({ start: 24 * day * HOUR, end: 24 * (day + 1) * HOUR }));
        const summaries = new Summaries(buckets, {
          variables: [V.precipitation],
          reportingInterval: (start) => (kinds[start / HOUR / 24] === 'hourly' ? 3600 : 10_800),
        });
        const values = new Map([[V.precipitation, new Float64Array(rows.length).fill(1)]]);
        summaries.add({ times: Float64Array.from(rows), values, flags: new Map() });
        const found = summaries.statistics(V.precipitation, 0, kinds.length).rain;
        expect(found?.isHourly).to.equal(rows.length === 0 ? undefined : !kinds.includes('three-hourly'));
      }),
    );
  });

  it('counts days by their amounts, as decimals', () => {
    const days = [[0.1], [0.2, 0.7, 0.1], [9.9], [5, 5], [0], [0.05]];
    const amounts = days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => day[hour] ?? 0));
    const summaries = summariesOf(days.map(() => 24), { [V.precipitation]: amounts }, { first: HOUR }); // oxfmt-ignore
    const found = quantitiesOfDays(
      variableNumbered(V.precipitation),
      summaries.sumsOf(V.precipitation),
      { from: 0, to: days.length, length: days.length * 24 * HOUR },
      DEFAULT_BASES,
    );
    expect(found?.rainDays).to.deep.equal([4, 3, 1]);
  });
});

describe('temperature', () => {
  const quantities = (
    given: readonly number[],
    from: number,
    to: number,
    bases = {},
    reportingInterval: number | null = 3600,
    length = (to - from) * 24 * HOUR,
  ) => {
    const summaries = summariesOf([24, 24, 24], { [V.temperature]: given }, { reportingInterval });
    const sums = summaries.sumsOf(V.temperature);
    const all = { ...DEFAULT_BASES, ...bases };
    return quantitiesOfDays(variableNumbered(V.temperature), sums, { from, to, length }, all)
      ?.temperature as TemperatureOfDays;
  };
  const day = (low: number, high: number) =>
    Array.from({ length: 24 }, (_, hour) => (hour === 5 ? low : high));

  it('has half of maximum and minimum, and the mean of that over the complete days', () => {
    const given = [...day(-2, 10), ...day(4, 8), ...day(20, 40).slice(0, 12)];
    expect(quantities(given, 0, 1).midrange).to.equal(4);
    expect(quantities(given, 2, 3).midrange).to.equal(30);
    expect(quantities(given, 0, 3).midrange).to.equal(5);
  });

  it('has degree days of the means of days, above or below a base', () => {
    const given = [...day(8, 8), ...day(25, 25), ...day(18, 18)];
    const found = quantities(given, 0, 2);
    // 65 °F are 18.33 °C.
    expect(found.heating).to.be.closeTo(55 / 3 - 8, 1e-9);
    expect(found.cooling).to.be.closeTo(25 - 55 / 3, 1e-9);
    expect(found.growing).to.be.closeTo(15, 1e-9);
    expect(quantities(given, 0, 3, { heating: 20, growing: 5 })).to.include({ heating: 14, growing: 36 });
    expect(quantities(given.slice(0, 12), 0, 3)).to.deep.include({ heating: NAN, midrange: NAN });
  });

  it('has degree days of half of maximum and minimum, if they are asked for', () => {
    const summaries = summariesOf([24, 24], { [V.temperature]: [...day(0, 20), ...day(-10, 30)] });
    const found = quantitiesOfDays(
      variableNumbered(V.temperature),
      summaries.sumsOf(V.temperature),
      { from: 0, to: 2, length: 48 * HOUR },
      { heating: 12, cooling: 5, growing: 4 },
      'midrange',
    );
    expect(found?.temperature).to.deep.equal({ midrange: 10, heating: 4, cooling: 10, growing: 12 });
  });

  it('has no degree days of several days unless each of them is complete', () => {
    const none = { heating: NAN, cooling: NAN, growing: NAN };
    const whole = day(8, 8);
    const incomplete: Record<string, readonly number[]> = {
      'half a day': whole.map((value, hour) => (hour < 12 ? value : NAN)),
      'a single value': whole.map((value, hour) => (hour === 0 ? value : NAN)),
      'no value': whole.map(() => NAN),
    };
    for (const [what, third] of Object.entries(incomplete)) {
      const given = [...whole, ...whole, ...third];
      for (const reportingInterval of [3600, null]) {
        const found = quantities(given, 0, 3, {}, reportingInterval);
        expect(found, what).to.deep.include({ ...none, midrange: 8 });
        expect(quantities(given, 0, 2, { heating: 20 }, reportingInterval), what).to.include({ heating: 24 });
      }
    }
    // The interval begins before the first row of the station, or ends after the last one.
    for (const days of [1, 2])
      expect(quantities([...whole, ...whole], 0, days, {}, 3600, 72 * HOUR)).to.deep.include(none);
    // A single day is the whole interval: its values are beside its own validity.
    expect(quantities(incomplete['half a day'] as number[], 0, 1, { heating: 20 })).to.include({
      heating: 12,
    });
  });
});

describe('wind', () => {
  const wind = (directions: readonly number[], speeds: readonly number[], interval: number | null = 3600) =>
    summariesOf(
      [24],
      { [V.windDirection]: directions, [V.windSpeed]: speeds },
      { reportingInterval: interval, first: HOUR },
    );

  it('has a vector mean that is no faster than the mean of the speeds, and points the same way for one direction', () => {
    const report = fc.tuple(
      fc.oneof(fc.constant(NAN), fc.integer({ min: 0, max: 360 })),
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10)), // oxfmt-ignore
    );
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 24 }), (reports) => {
        // Without a direction there is no vector, except in a calm.
        const rows = reports.map(
          ([direction, speed]) => [direction, Number.isNaN(direction) ? 0 : speed] as const,
        );
        if (rows.every(([direction]) => Number.isNaN(direction))) return;
        const summaries = wind(rows.map(([direction]) => direction), rows.map(([, speed]) => speed)); // oxfmt-ignore
        const { vectorSpeed } = windOf(summaries);
        expect(vectorSpeed).to.be.at.most(summaries.statistics(V.windSpeed, 0).mean + 1e-9);
        expect(vectorSpeed).to.be.at.least(0);
      }),
    );
    const steady = wind([90, 90, NAN, 90], [2, 4, 0, 6]).statistics(V.windDirection, 0);
    expect(steady.wind?.vectorSpeed).to.be.closeTo(3, 1e-12);
    expect(steady).to.deep.include({ count: 3, covered: 4 * HOUR });
    expect(steady.mean).to.be.closeTo(90, 1e-9);
  });

  it('comes most of the time from one of 16 sectors', () => {
    for (const [direction, sector] of [
      [0, 0],
      [11.2, 0],
      [11.3, 1],
      [348.7, 15],
      [348.8, 0],
      [360, 0],
      [225, 10],
      // With `qc=all` a direction that failed counts too.
      [-45, 14],
    ] as const)
      expect(windOf(wind([direction], [3])).sector).to.equal(sector);
    expect(windOf(wind([90, 180, 180, 0], [9, 1, 1, 0])).sector).to.equal(8);
    expect(windOf(wind([0, NAN], [0, 0])).sector).to.satisfy(Number.isNaN);
    // Ten reports within an hour do not outweigh three hours.
    const times = [0, 60, 120, ...Array.from({ length: 10 }, (_, index) => 180 + 6 * index)];
    const summaries = new Summaries(daysOf([24]), { reportingInterval: 3600 });
    summaries.add({
      times: Float64Array.from(times, (minute) => (minute + 60) * 60_000),
      values: new Map([
        [V.windDirection, Float64Array.from(times, (minute) => (minute < 180 ? 90 : 270))],
        [V.windSpeed, Float64Array.from(times, () => 5)],
      ]),
      flags: new Map(),
    });
    const found = summaries.statistics(V.windDirection, 0);
    expect(found.isWeighted).to.equal(true);
    expect(found.wind?.sector).to.equal(4);
    // Three hours from the east, and 54 minutes and an hour from the west.
    expect(found.wind?.vectorSpeed).to.be.closeTo((5 * (180 - 114)) / 294, 1e-9);
    expect(found.mean).to.be.closeTo(90, 1e-6);
  });

  it('has the direction of the largest gust: its own, otherwise that of the wind', () => {
    const gusts = (own: readonly number[], flag = 0) => {
      const summaries = new Summaries(daysOf([24]), { reportingInterval: 3600 });
      summaries.add({
        times: Float64Array.of(0, HOUR, 2 * HOUR),
        values: new Map([
          [V.gust, Float64Array.of(9, 20, 12)],
          [V.windDirection, Float64Array.of(10, 220, 30)],
          [V.gustDirection, Float64Array.from(own)],
        ]),
        flags: new Map([[V.gustDirection, Uint8Array.of(0, flag, 0)]]),
      });
      return summaries.statistics(V.gust, 0);
    };
    expect(gusts([1, 240, 3])).to.include({ max: 20, maxTime: HOUR, maxDirection: 240 });
    expect(gusts([1, NAN, 3]).maxDirection).to.equal(220);
    expect(gusts([1, 240, 3], 1).maxDirection).to.equal(220);
  });
});
