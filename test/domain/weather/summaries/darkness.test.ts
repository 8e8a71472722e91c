import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MILLISECONDS } from '#domain/time.js';
import { SINE_OF_SUNRISE, sineOfAltitude, sunAt } from '#domain/weather/derived/solar.js';
import type { Series } from '#domain/weather/series.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { completenessOf } from '#domain/weather/summaries/completeness.js';
import { COVERED } from '#domain/weather/summaries/layout.js';
import {
  NO_POSITION,
  positionCodeAt,
  positionCodeIn,
  positionOf,
  SEVERAL_POSITIONS,
} from '#domain/weather/summaries/position-code.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { V, variableNumbered } from '#domain/weather/variables.js';

const { second, minute, day } = MILLISECONDS;
const CALENDAR = new TemporalCalendar();
/** Step of the model in ms. All times of rows are multiples of it. */
const STEP = 10 * second;
/** The sun rises and sets within a step of the model, at most about three times in a day. */
const TOLERANCE = 3 * STEP;
const DAYS = 3;
const VARIABLES = [V.radiation, V.ultravioletIndex, V.sunshine];

/** Latitude, longitude and time zone: polar days and nights, zones of half hours, both sides of the date line, wrong zones. */
const SITES: readonly (readonly [number, number, string])[] = [
  [40.64, -73.78, 'America/New_York'],
  [51.48, -0.45, 'Europe/London'],
  [78.25, 15.5, 'Arctic/Longyearbyen'],
  [69.68, 18.91, 'Europe/Oslo'],
  [66.56, 25.83, 'Europe/Helsinki'],
  [64.73, 177.74, 'Asia/Anadyr'],
  [-77.85, 166.67, 'Antarctica/McMurdo'],
  [-90, 0, 'Antarctica/McMurdo'],
  [90, 180, 'UTC'],
  [-54.8, -68.3, 'America/Argentina/Ushuaia'],
  [27.7, 85.36, 'Asia/Kathmandu'],
  [28.58, 77.2, 'Asia/Kolkata'],
  [47.62, -52.75, 'America/St_Johns'],
  [-34.95, 138.53, 'Australia/Adelaide'],
  [-31.54, 159.08, 'Australia/Lord_Howe'],
  [-43.95, -176.56, 'Pacific/Chatham'],
  [1.99, -157.35, 'Pacific/Kiritimati'],
  [-14.33, -170.71, 'Pacific/Pago_Pago'],
  [-17.76, -180, 'Pacific/Fiji'],
  [0.01, -78.4, 'America/Guayaquil'],
  [-41.33, 174.8, 'UTC'],
  [37.46, 126.44, 'America/Los_Angeles'],
];
const DATES = [
  '2024-03-09',
  '2024-03-30',
  '2024-04-06',
  '2024-10-05',
  '2024-10-26',
  '2024-11-02',
  '2024-12-20',
];
const INTERVALS = [1, 5, 10, 15, 30, 60, 180];

const isUp = (time: number, code: number) => {
  const { latitude, longitude } = positionOf(code);
  return sineOfAltitude(sunAt(time, longitude), latitude) >= SINE_OF_SUNRISE;
};

const CASE = fc.record({
  site: fc.constantFrom(...SITES),
  date: fc.oneof(
    fc.constantFrom(...DATES),
    fc
      .integer({ min: 0, max: 365 })
      .map((days) => new Date(Date.UTC(2024, 0, 1) + days * day).toISOString().slice(0, 10)),
  ),
  interval: fc.constantFrom(...INTERVALS).map((minutes) => minutes * minute),
  /** Minutes after the full interval at which rows are. */
  phase: fc.nat(179),
  delay: fc.constantFrom(0 as const, 1 as const),
  /** Whether rows at night are absent, as from a logger that saves energy. */
  sleeps: fc.boolean(),
  gaps: fc.array(
    fc.record({
      from: fc.nat(DAYS * 1440),
      length: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1500 })),
      kind: fc.constantFrom('row', 'value', 'failed'),
    }),
    { maxLength: 5 },
  ),
});
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

function daysOf({ site: [, , zone], date }: Case): readonly Bucket[] {
  const from = CALENDAR.startOfDay(date, zone, 0);
  return CALENDAR.buckets('day', zone, 0, from, from + (DAYS - 0.5) * day);
}

function codeOf([latitude, longitude]: Case['site']): number {
  return positionCodeAt({ latitude, longitude, elevation: null, reportingInterval: null }, 0);
}

function seriesOf(one: Case, days: readonly Bucket[]): Series {
  const { interval, phase, sleeps, gaps, site } = one;
  const [begin, end] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
  const code = codeOf(site);
  const rows: { time: number; value: number; flag: number }[] = [];
  const first = Math.ceil(begin / interval) * interval - interval + ((phase * minute) % interval);
  for (let time = first; time <= end; time += interval) {
    const gap = gaps.find(({ from, length }) => {
      const start = begin + from * minute;
      return time > start && time <= start + length * minute;
    });
    if (time < begin || gap?.kind === 'row' || (sleeps && !isUp(time, code))) continue;
    const value = gap?.kind === 'value' ? Number.NaN : 1 + ((time / minute) % 7);
    rows.push({ time, value, flag: gap?.kind === 'failed' ? 1 : 0 });
  }
  const column = Float64Array.from(rows, ({ value }) => value);
  const flags = Uint8Array.from(rows, ({ flag }) => flag);
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    values: new Map(VARIABLES.map((variable) => [variable, column])),
    flags: new Map(VARIABLES.map((variable) => [variable, flags])),
  };
}

/** The time of a bucket without values in the darkness and by day, and the sum of the values by time in two ways. */
interface Model {
  readonly count: number;
  readonly dark: number;
  readonly missing: number;
  /**
   * The least and the largest sum of the values by time. They differ in a day of 23 hours, in which the last value may cover a part of
   * its interval only: regular values have the same weight there, other values the weight of their time.
   */
  readonly integrals: readonly [least: number, largest: number];
  readonly isTooShort: boolean;
}

/** Decides for each step of a bucket which value covers it, and otherwise whether it is dark. */
function modelOf(
  { interval, delay }: Case,
  { times, values, flags }: Series,
  { start, end }: Bucket,
  isUpAt: (middle: number) => boolean,
): Model {
  const length = end - start;
  const [column, failed] = [values.get(V.radiation), flags.get(V.radiation)];
  const own: { readonly time: number; readonly value: number }[] = [];
  for (const [row, time] of times.entries()) {
    if (time < start + delay || time >= end + delay || failed?.[row] !== 0) continue;
    const value = column?.[row] as number;
    if (!Number.isNaN(value)) own.push({ time, value });
  }
  const isTooShort = interval > 1.5 * length;
  const shifted = (one: (typeof own)[number] | undefined, by: number) =>
    one && { ...one, time: one.time + by };
  const [firstAgain, lastBefore] = [shifted(own[0], length), shifted(own.at(-1), -length)];
  let [dark, missing, covered, sum, next] = [0, 0, 0, 0, 0];
  for (let middle = start + STEP / 2; middle < end; middle += STEP) {
    while (next < own.length && (own[next]?.time as number) < middle) next += 1;
    const [before, after] = [own[next - 1], own[next]];
    const isBetween =
      before !== undefined && after !== undefined && after.time - before.time <= 1.5 * interval;
    const one = delay === 1 ? (after ?? firstAgain) : (before ?? lastBefore);
    const covers = one !== undefined && (isBetween || Math.abs(one.time - middle) < interval);
    if (covers && !isTooShort) [covered, sum] = [covered + STEP, sum + one.value * STEP];
    else if (isUpAt(middle)) missing += STEP;
    else dark += STEP;
  }
  const mean = own.reduce((total, { value }) => total + value, 0) / own.length;
  const integrals = [sum, mean * covered].sort((a, b) => a - b) as [number, number];
  return { count: own.length, dark, missing, integrals, isTooShort };
}

describe('a missing value in the darkness', () => {
  it('stands for zero, and never decides whether radiation, the UV index or sunshine is complete', () => {
    let [decided, filled, nights] = [0, 0, 0];
    const check = (one: Case) => {
      const days = daysOf(one);
      const series = seriesOf(one, days);
      const code = codeOf(one.site);
      const [from, to] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
      const sun = Array.from({ length: (to - from) / STEP }, (_, step) =>
        isUp(from + (step + 0.5) * STEP, code),
      );
      const isUpAt = (middle: number) => sun[Math.floor((middle - from) / STEP)] === true;
      const method = one.delay === 1 ? 'interval' : 'point';
      const cellMethods = Object.fromEntries(
        VARIABLES.map((number) => [variableNumbered(number).name, method] as const),
      );
      // Amounts are always values of an interval.
      const variables = one.delay === 1 ? VARIABLES : [V.radiation, V.ultravioletIndex];
      for (const kind of ['day', 'hour'] as const) {
        const buckets = kind === 'day' ? days : CALENDAR.buckets('hour', one.site[2], 0, from, to);
        const summaries = new Summaries(buckets, {
          variables,
          reportingInterval: one.interval / second,
          station: { cellMethods },
          positionCode: () => code,
          extent: { variables, first: from, last: to },
        });
        summaries.add(series);
        for (const [index, bucket] of buckets.entries()) {
          const model = modelOf(one, series, bucket, isUpAt);
          const { count, dark, missing, integrals, isTooShort } = model;
          // Less than half a reporting interval is not missing, if there are values.
          const limit = count === 0 || isTooShort ? 0 : one.interval / 2;
          for (const variable of variables) {
            const { lengths, fields } = summaries.sumsOf(variable);
            const range = { lengths, covered: fields[COVERED] as Float64Array, from: index, to: index + 1 };
            const interval = { ...bucket, kind, months: [] };
            const found = completenessOf(variableNumbered(variable), interval, range, 'wmo_1203');
            const about = `${kind} ${index} of ${JSON.stringify(one)}: ${JSON.stringify({ found, model })}`;
            if (missing > limit + TOLERANCE) {
              expect(found.missing, about).to.be.closeTo(missing, TOLERANCE);
              expect(found.valid, about).to.equal(false);
            } else if (missing < limit - TOLERANCE) {
              expect(found, about).to.include({ missing: 0, valid: true });
            } else {
              // A bucket without values has no tolerance: it may begin or end less than a step after sunrise.
              const isClear =
                count === 0 && missing === 0 && !isUpAt(bucket.start - STEP) && !isUpAt(bucket.end);
              expect(found.missing, about).to.be.at.most(isClear ? 0 : limit + 2 * TOLERANCE);
              if (!isClear) continue;
              nights += 1;
              expect(found.valid, about).to.equal(true);
              const { sum, mean, integral: energy } = summaries.statistics(variable, index);
              expect([sum, mean, energy ?? 0], about).to.deep.equal([0, 0, 0]);
            }
            decided += 1;
            const statistics = summaries.statistics(variable, index);
            expect(statistics.count, about).to.equal(count);
            // A gap of less than half a reporting interval is no gap: it has the mean of the values, also in the darkness.
            if (dark + missing <= limit + TOLERANCE || isTooShort || count === 0) continue;
            filled += 1;
            const [least, largest] = integrals;
            if (variable === V.radiation)
              expect(statistics.integral, about).to.be.within(least * (1 - 1e-6), largest * (1 + 1e-6));
          }
        }
      }
    };
    fc.assert(fc.property(CASE, check), { numRuns: 150 });
    expect(decided).to.be.above(10_000);
    expect(filled).to.be.above(300);
    expect(nights).to.be.above(300);
  });

  const hourly = (from: number, hours: readonly number[], value: (hour: number) => number): Series => ({
    times: Float64Array.from(hours, (hour) => from + hour * MILLISECONDS.hour),
    values: new Map([[V.radiation, Float64Array.from(hours, value)]]),
    flags: new Map([[V.radiation, new Uint8Array(hours.length)]]),
  });
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const coveredHours = (summaries: Summaries) =>
    Array.from(summaries.sumsOf(V.radiation).fields[COVERED] as Float64Array, (covered) =>
      Math.round(covered / MILLISECONDS.hour),
    );

  it('is missing where the position is unknown, and of variables that are not zero at night', () => {
    const start = Date.UTC(2024, 2, 20);
    const buckets = [{ start, end: start + day }];
    const code = codeOf([0, 0, 'UTC']);
    const { times, values } = hourly(start, range(7, 20), () => 1);
    const column = values.get(V.radiation) ?? new Float64Array();
    const all = [V.radiation, V.temperature, V.precipitation];
    const coveredOf = (positionCode: (() => number) | undefined) => {
      const summaries = new Summaries(buckets, { variables: all, reportingInterval: 3600, positionCode });
      summaries.add({ times, values: new Map(all.map((variable) => [variable, column])), flags: new Map() });
      return all.map(
        (variable) => (summaries.sumsOf(variable).fields[COVERED]?.[0] as number) / MILLISECONDS.hour,
      );
    };
    expect(coveredOf(undefined)).to.deep.equal([13, 13, 13]);
    expect(coveredOf(() => code)).to.deep.equal([24, 13, 13]);
  });

  it('makes the days of a polar night complete between the first and the last row of the station', () => {
    const start = Date.UTC(2024, 11, 1);
    const buckets = range(0, 10).map((index) => ({
      start: start + index * day,
      end: start + (index + 1) * day,
    }));
    const code = codeOf([78.25, 15.5, 'UTC']);
    const common = { variables: [V.radiation], reportingInterval: 3600, positionCode: () => code };
    const rows = hourly(start, range(49, 73), () => 2);
    const extent = { variables: [V.radiation], first: start + 1.5 * day, last: start + 6.5 * day };
    const none = [0, 0, 24, 0, 0, 0, 0, 0, 0, 0];
    for (const [known, hours] of [
      [extent, [0, 24, 24, 24, 24, 24, 0, 0, 0, 0]],
      [undefined, none],
      [{ ...extent, variables: [V.temperature] }, none],
      [{ ...extent, first: null, last: null }, none],
    ] as const) {
      const summaries = new Summaries(buckets, { ...common, extent: known });
      summaries.add(rows);
      expect(coveredHours(summaries)).to.deep.equal(hours);
      // The days without values have the mean zero.
      const { mean, covered, isWeighted } = summaries.statistics(V.radiation, 0, 10);
      const days = hours.filter((one) => one === 24).length;
      expect({ mean, covered, isWeighted }).to.deep.equal({
        mean: 2 / days,
        covered: days * day,
        isWeighted: days > 1,
      });
    }
  });

  it('by day is not dark in the sums of an hour that is shorter than the reporting interval', () => {
    const start = Date.UTC(2024, 2, 20);
    const buckets = range(0, 24).map((hour) => ({
      start: start + hour * MILLISECONDS.hour,
      end: start + (hour + 1) * MILLISECONDS.hour,
    }));
    const code = codeOf([0, 0, 'UTC']);
    for (const reportingInterval of [10_800, null]) {
      const summaries = new Summaries(buckets, {
        variables: [V.radiation],
        reportingInterval,
        positionCode: () => code,
        extent: { variables: [V.radiation], first: start, last: start + day },
      });
      summaries.add(
        hourly(
          start,
          range(1, 9).map((index) => 3 * index),
          (hour) => hour,
        ),
      );
      const covered = (index: number) => summaries.sumsOf(V.radiation).fields[COVERED]?.[index];
      expect([2, 20, 23].map(covered)).to.deep.equal([
        MILLISECONDS.hour,
        MILLISECONDS.hour,
        MILLISECONDS.hour,
      ]);
      expect(covered(11)).to.deep.equal(reportingInterval === null ? Number.NaN : 0);
      expect(summaries.statistics(V.radiation, 2).mean).to.equal(3);
    }
  });
});

describe('the position of a station for the sun', () => {
  const station = { latitude: 0, longitude: 0, elevation: null, reportingInterval: null };

  it('has a number of 32 bits that is none of the reserved ones, and is at most 0.4 km away', () => {
    const degrees = (limit: number) =>
      fc.oneof(fc.constantFrom(-limit, 0, limit), fc.double({ min: -limit, max: limit, noNaN: true }));
    fc.assert(
      fc.property(degrees(90), degrees(180), (latitude, longitude) => {
        const code = positionCodeAt({ ...station, latitude, longitude }, 0);
        expect(code >>> 0).to.equal(code);
        expect(code).to.not.be.oneOf([NO_POSITION, SEVERAL_POSITIONS]);
        const found = positionOf(code);
        expect(found.latitude).to.be.closeTo(latitude, 0.0015 + 1e-9);
        expect(found.longitude).to.be.closeTo(longitude, 0.003 + 1e-9);
        expect(positionCodeAt({ ...station, ...found }, 0)).to.equal(code);
      }),
    );
  });

  it('is the public position, and that of the time', () => {
    const exact = { ...station, latitude: 47.1234, longitude: 8.5678 };
    const rounded = { ...station, latitude: 47.1, longitude: 8.6 };
    expect(positionCodeAt({ ...exact, positionDecimals: 1 }, 0)).to.equal(positionCodeAt(rounded, 0));
    const moved = { ...exact, earlier: [{ ...station, until: 1000 }] };
    expect(positionCodeAt(moved, 999)).to.equal(positionCodeAt(station, 0));
    expect(positionCodeAt(moved, 1000)).to.equal(positionCodeAt(exact, 0));
    expect(positionCodeIn(moved, 0, 1000)).to.equal(positionCodeAt(station, 0));
    expect(positionCodeIn(moved, 999, 1001)).to.equal(SEVERAL_POSITIONS);
    expect(positionCodeIn(moved, 1000, 2000)).to.equal(positionCodeAt(exact, 0));
    // An earlier configuration at the same place is no change.
    const same = { ...exact, earlier: [{ ...exact, reportingInterval: 60, until: 1000 }] };
    expect(positionCodeIn(same, 0, 2000)).to.equal(positionCodeAt(exact, 0));
  });
});
