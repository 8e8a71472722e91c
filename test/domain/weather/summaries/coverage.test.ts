import { expect } from 'chai';
import fc from 'fast-check';
import type { Series } from '#domain/weather/series.js';
import { RoutineReports } from '#domain/weather/summaries/routine-interval.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { V } from '#domain/weather/variables.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const seriesOf = (rows: readonly (readonly [minute: number, value: number])[], variable: number): Series => ({
  times: Float64Array.from(rows, ([minute]) => minute * MINUTE),
  values: new Map([[variable, Float64Array.from(rows, ([, value]) => value)]]),
  flags: new Map(),
});

/** The routine intervals of rows, as if they were those of a month. */
const routineOf = (series: Series) => {
  const reports = new RoutineReports();
  reports.add(series);
  const intervals = reports.intervals();
  return (_start: number, variable: number) => intervals.get(variable);
};

/** The statistics of the first `minutes` minutes. */
const statisticsOf = (
  rows: readonly (readonly [minute: number, value: number])[],
  reportingInterval: number | null,
  { minutes = 1440, variable = 1 }: { readonly minutes?: number; readonly variable?: number } = {},
) => {
  const bucket = { start: 0, end: minutes * MINUTE };
  const series = seriesOf(rows, variable);
  const routine = routineOf(series);
  const summaries = new Summaries([bucket], { variables: [variable], reportingInterval, routine });
  summaries.add(series);
  return summaries.statistics(variable, 0);
};

/**
 * The value that stands for each minute of a bucket, as on a clock face: a value stands until the next one, but
 * no longer than an interval where reports are missing. What stands beyond the end belongs to the beginning.
 */
function minuteByMinute(
  rows: readonly (readonly [minute: number, value: number])[],
  interval: number,
  minutes: number,
): (number | undefined)[] {
  const face = Array.from<number | undefined>({ length: minutes });
  for (const [index, [minute, value]] of rows.entries()) {
    const next = rows[index + 1]?.[0];
    const distance = next === undefined ? interval : next - minute;
    const until = minute + (distance > 1.5 * interval ? interval : distance);
    for (let at = minute; at < until; at += 1)
      if (face[at % minutes] === undefined || at < minutes) face[at % minutes] ??= value;
  }
  return face;
}

const ROWS = fc
  .uniqueArray(fc.tuple(fc.nat(1439), fc.integer({ min: -300, max: 400 })), {
    selector: ([minute]) => minute,
    minLength: 1,
    maxLength: 120,
  })
  .map((rows) => rows.toSorted((a, b) => a[0] - b[0]));
const INTERVALS = fc.constantFrom(1, 10, 60, 180, 720, 1440);

describe('the covered time of a bucket', () => {
  it('is that of a model which looks at each minute, and the mean is its mean', () => {
    fc.assert(
      fc.property(ROWS, INTERVALS, (rows, interval) => {
        const known = minuteByMinute(rows, interval, 1440).filter((value) => value !== undefined);
        const found = statisticsOf(rows, interval * 60);
        const isWhole = 1440 - known.length < interval / 2;
        expect(found.covered / MINUTE).to.equal(isWhole ? 1440 : known.length);
        if (!found.isWeighted) return;
        const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
        expect(found.mean).to.be.closeTo(mean, 1e-9);
      }),
      { numRuns: 1000 },
    );
  });

  it('is whole with reports at any minute of the interval, seconds early and late', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 5, 10, 20, 60, 180, 1440),
        fc.nat(1000),
        fc.integer({ min: 1, max: 1000 }),
        (interval, phase, seed) => {
          const rows = Array.from({ length: 1440 / interval }, (_, index) => {
            const late = 0.2 * Math.sin(index * seed);
            const minute = interval * (index + 0.2 + (0.6 * phase) / 1001 + late);
            return [Math.max(1, Math.round(minute * MINUTE)) / MINUTE, index] as const;
          });
          for (const variable of [V.temperature, V.precipitation])
            expect(statisticsOf(rows, interval * 60, { variable })).to.include({
              covered: DAY,
              isWeighted: false,
            });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('does not grow with reports at the same time, and lacks each report that is missing', () => {
    const hourly = Array.from({ length: 24 }, (_, hour) => [hour * 60, 1] as const);
    const withoutNoon = hourly.filter(([minute]) => minute !== 720);
    const twice = withoutNoon.flatMap((row) => [row, [row[0] + 9, 1] as const]);
    expect(statisticsOf(hourly, 3600).covered).to.equal(DAY);
    expect(statisticsOf(withoutNoon, 3600).covered).to.equal(23 * HOUR);
    expect(statisticsOf(twice, 3600)).to.include({ count: 46, covered: 23 * HOUR + 9 * MINUTE });
  });

  it('of 59 minutes of a day is two hours at most', () => {
    const minutes = Array.from({ length: 59 }, (_, minute) => [minute, 1] as const);
    expect(statisticsOf(minutes, 3600).covered).to.equal(58 * MINUTE + HOUR);
    expect(statisticsOf(minutes, 60).covered).to.equal(59 * MINUTE);
  });

  it('is none where a value stands for longer than the bucket', () => {
    for (const variable of [V.temperature, V.precipitation])
      expect(statisticsOf([[30, 1]], 10_800, { minutes: 60, variable }).covered).to.equal(0);
    expect(statisticsOf([[30, 1]], 3600, { minutes: 60 }).covered).to.equal(HOUR);
  });

  it('follows from the routine distance of the values if the reporting interval is unknown', () => {
    const every = (distance: number, until = 1440) =>
      Array.from({ length: until / distance }, (_, index) => [index * distance, 1] as const);
    for (const distance of [1, 10, 60, 180]) {
      expect(statisticsOf(every(distance), null).covered).to.equal(DAY);
      expect(statisticsOf(every(distance, 720), null).covered).to.equal(DAY / 2);
    }
    // One value does not tell. Two in half a day stand for three hours each.
    expect(statisticsOf([[720, 1]], null).covered).to.satisfy(Number.isNaN);
    expect(statisticsOf([[0, 1], [720, 1]], null).covered).to.equal(6 * HOUR); // oxfmt-ignore
  });
});

describe('the mean of a bucket', () => {
  it('of regular reports is the plain mean to the last bit, whichever are missing', () => {
    const report = fc.record({
      value: fc.double({ min: -50, max: 50, noNaN: true }),
      isMissing: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(10, 30, 60),
        fc.array(report, { minLength: 24, maxLength: 24 }),
        fc.nat(9),
        (interval, reports, phase) => {
          const rows = reports.flatMap(({ value, isMissing }, index) =>
            isMissing ? [] : [[index * interval + phase, value] as const],
          );
          if (rows.length === 0) return;
          const { mean, isWeighted } = statisticsOf(rows, interval * 60);
          expect(isWeighted).to.equal(false);
          expect(mean).to.equal(rows.reduce((sum, [, value]) => sum + value, 0) / rows.length);
        },
      ),
    );
  });

  it('has the weights of time if there are additional reports', () => {
    // A moist hour with a report every five minutes, in a dry day.
    const hours = Array.from({ length: 24 }, (_, hour) => [hour * 60, hour === 12 ? 20 : 10] as const);
    const special = Array.from({ length: 11 }, (_, index) => [720 + 5 * (index + 1), 20] as const);
    const rows = [...hours, ...special].toSorted((a, b) => a[0] - b[0]);
    for (const interval of [3600, null]) {
      const found = statisticsOf(rows, interval, { variable: V.dewPoint });
      expect(found.isWeighted, String(interval)).to.equal(true);
      expect(found.mean).to.be.closeTo((23 * 10 + 20) / 24, 1e-9);
    }
    expect(statisticsOf(hours, 3600, { variable: V.dewPoint })).to.include({
      isWeighted: false,
      mean: 250 / 24,
    });
  });

  it('over days with reports of different density has the weights of time', () => {
    const buckets = [0, 1].map((day) => ({ start: day * DAY, end: (day + 1) * DAY }));
    for (const [distance, isWeighted] of [
      [10, true],
      [60, false],
    ] as const) {
      const rows = [
        ...Array.from({ length: 24 }, (_, hour) => [hour * 60, 0] as const),
        ...Array.from({ length: 1440 / distance }, (_, index) => [1440 + index * distance, 12] as const),
      ];
      const series = seriesOf(rows, V.temperature);
      const routine = routineOf(series);
      const summaries = new Summaries(buckets, { variables: [1], reportingInterval: null, routine });
      summaries.add(series);
      expect(summaries.statistics(V.temperature, 0, 2)).to.include({ mean: 6, isWeighted, covered: 2 * DAY });
    }
  });

  it('times the covered time is the energy of radiation', () => {
    const rows = Array.from({ length: 24 * 12 }, (_, index) => [(index + 1) * 5, 100] as const);
    const { integral = Number.NaN } = statisticsOf(rows, 300, { variable: V.radiation });
    // 100 W/m² for a day are 8.64 MJ/m².
    expect(integral / 1e9).to.be.closeTo(8.64, 1e-12);
    const half = statisticsOf(rows.slice(0, 144), 300, { variable: V.radiation });
    expect((half.integral ?? Number.NaN) / 1e9).to.be.closeTo(4.32, 1e-12);
  });
});
