import { expect } from 'chai';
import { olderBlob, olderDailyAggregates } from '../../../support/older-blob.js';
import fc from 'fast-check';
import { DamagedBlobError, ENVELOPE, seal } from '#adapters/formats/packed/blob.js';
import { encodeDailyAggregates } from '#adapters/formats/packed/daily-aggregate-codec.js';
import { PackedDays } from '#adapters/formats/packed/packed-days.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import type { Series } from '#domain/weather/series.js';
import type { DailyAggregates } from '#domain/weather/summaries/daily-aggregate.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
import { NO_POSITION, positionCodeAt } from '#domain/weather/summaries/position-code.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { VARIABLES } from '#domain/weather/variables.js';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const DAYS = Array.from({ length: 31 }, (_, day) => ({
  start: START + day * DAY,
  end: START + (day + 1) * DAY,
}));
const MONTH = { station: 1, start: START, end: START + 31 * DAY, zone: 'UTC' };
const POSITION = positionCodeAt(
  { latitude: 40.6, longitude: -73.8, elevation: null, reportingInterval: null },
  START,
);
const NUMBERS = VARIABLES.map(({ number }) => number);
const VALUE = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -400, max: 400 }).map((tenths) => tenths / 10),
  fc.constant(Number.NaN),
);
const ROWS = fc.uniqueArray(
  fc.record({
    time: fc.integer({ min: 0, max: 31 * 24 * 60 }),
    values: fc.array(VALUE, { minLength: 4, maxLength: 4 }),
    flags: fc.constantFrom(0, 0, 0, 1, 4),
  }),
  { selector: ({ time }) => time, maxLength: 60 },
);
const CUTS = fc.array(fc.nat(60), { maxLength: 5 });
const INTERVAL = fc.constantFrom(null, 600, 3600, 10_800);
const FOUR = fc.shuffledSubarray(NUMBERS, { minLength: 4, maxLength: 4 });

function seriesOf(
  rows: readonly { time: number; values: readonly number[]; flags: number }[],
  variables: readonly number[],
): Series {
  const sorted = rows.toSorted((a, b) => a.time - b.time);
  return {
    times: Float64Array.from(sorted, ({ time }) => START + time * 60_000),
    values: new Map(
      variables.map((variable, index) => [
        variable,
        Float64Array.from(sorted, ({ values }) => values[index] as number),
      ]),
    ),
    flags: new Map(variables.map((variable) => [variable, Uint8Array.from(sorted, ({ flags }) => flags)])),
  };
}

function tableOf(series: Series, reportingInterval: number | null = null): DailyAggregates {
  const summaries = new Summaries(DAYS, { reportingInterval, positionCode: () => POSITION });
  summaries.add(series);
  const sums = summaries.sums(0, 31);
  const routine = new Map([...sums.keys()].map((variable) => [variable, 60_000 * variable]));
  return {
    ...MONTH,
    days: 31,
    reportingInterval,
    rules: COMPUTATION_RULES,
    unusualMethods: [1, 6, 11],
    positionCode: POSITION,
    routine,
    sums,
  };
}

function sumsIn(data: Buffer, variables?: readonly number[]): BucketSums {
  const days = new PackedDays({ ...MONTH, data });
  const summaries = new Summaries(DAYS, { variables, reportingInterval: null });
  summaries.addDays(0, days);
  return summaries.sums(0, 31);
}

describe('the table of days', () => {
  it('comes back bit for bit, as a whole and by variable', () => {
    fc.assert(
      fc.property(ROWS, FOUR, INTERVAL, (rows, variables, interval) => {
        const table = tableOf(seriesOf(rows, variables), interval);
        const blob = encodeDailyAggregates(MONTH, table);
        const { reportingInterval, rules, unusualMethods, positionCode, routine } = new PackedDays({
          ...MONTH,
          data: blob,
        });
        expect({ reportingInterval, rules, unusualMethods, positionCode, routine }).to.deep.equal({
          reportingInterval: interval,
          rules: COMPUTATION_RULES,
          unusualMethods: [1, 6, 11],
          positionCode: POSITION,
          routine: table.routine,
        });
        expect(sumsIn(blob)).to.deep.equal(table.sums);
        for (const [variable, fields] of table.sums)
          expect(sumsIn(blob, [variable])).to.deep.equal(new Map([[variable, fields]]));
      }),
    );
  });

  it('gives the sums of the rows, in whatever batches they are added', () => {
    fc.assert(
      fc.property(ROWS, FOUR, CUTS, INTERVAL, (rows, variables, cuts, reportingInterval) => {
        const series = seriesOf(rows, variables);
        const pieces = new Summaries(DAYS, { reportingInterval, positionCode: () => POSITION });
        const edges = [0, ...cuts.toSorted((a, b) => a - b), rows.length];
        for (const [index, from] of edges.slice(0, -1).entries()) {
          const to = edges[index + 1] as number;
          const cut = (column: Float64Array) => column.subarray(from, to);
          pieces.add({
            times: cut(series.times),
            values: new Map([...series.values].map(([variable, column]) => [variable, cut(column)])),
            flags: new Map(
              [...series.flags].map(([variable, column]) => [variable, column.subarray(from, to)]),
            ),
          });
        }
        const whole = new Summaries(DAYS, { reportingInterval });
        whole.addDays(
          0,
          new PackedDays({
            ...MONTH,
            data: encodeDailyAggregates(MONTH, tableOf(series, reportingInterval)),
          }),
        );
        expect(pieces.variables).to.deep.equal(whole.variables);
        for (const variable of whole.variables) {
          expect(pieces.statistics(variable, 0, 31)).to.deep.equal(whole.statistics(variable, 0, 31));
          for (let day = 0; day < 31; day += 1)
            expect(pieces.statistics(variable, day)).to.deep.equal(whole.statistics(variable, day));
        }
      }),
    );
  });

  it('of version 2 has the same sums, of the first computation rules', () => {
    fc.assert(
      fc.property(ROWS, FOUR, (rows, variables) => {
        const table = { ...tableOf(seriesOf(rows, variables), 3600), unusualMethods: [] };
        const blob = olderDailyAggregates(encodeDailyAggregates(MONTH, table));
        const { rules, unusualMethods, positionCode, routine } = new PackedDays({ ...MONTH, data: blob });
        expect({ rules, unusualMethods, positionCode, routine }).to.deep.equal({
          rules: 1,
          unusualMethods: [],
          positionCode: NO_POSITION,
          routine: new Map(),
        });
        expect(sumsIn(blob)).to.deep.equal(table.sums);
      }),
      { numRuns: 20 },
    );
  });

  it('of version 1 gives what it has, and leaves the covered time unknown', () => {
    // Two days; temperature: counts, sums, minima, their times, maxima, their times; all in 8 bytes each.
    const data = new ArrayBuffer(ENVELOPE + 16 + 6 * 16);
    const view = new DataView(data, ENVELOPE);
    view.setUint32(0, 2, true);
    view.setUint32(4, 1, true);
    view.setUint16(8, 1, true);
    view.setUint8(10, 8);
    view.setUint8(11, 8);
    view.setUint32(16, 24, true);
    view.setFloat64(24, 240, true);
    view.setFloat64(40, 4.5, true);
    view.setFloat64(48, Number.NaN, true);
    view.setUint32(56, 3_600_000, true);
    view.setUint32(60, 0xff_ff_ff_ff, true);
    view.setFloat64(64, 15, true);
    view.setFloat64(72, Number.NaN, true);
    view.setUint32(80, 7_200_000, true);
    view.setUint32(84, 0xff_ff_ff_ff, true);
    const blob = olderBlob(seal('days', [], data.slice(0, ENVELOPE + 88)), 1);
    const days = new PackedDays({ ...MONTH, end: START + 2 * DAY, data: blob });
    expect(days).to.include({ reportingInterval: undefined, rules: 1 });
    const summaries = new Summaries(DAYS, { reportingInterval: 3600 });
    summaries.addDays(0, days);
    expect(summaries.statistics(1, 0)).to.deep.include({
      count: 24,
      sum: 240,
      mean: 10,
      min: 4.5,
      minTime: START + 3_600_000,
      max: 15,
      maxTime: START + 7_200_000,
      covered: Number.NaN,
    });
    expect(summaries.statistics(1, 1).count).to.equal(0);
  });

  it('is refused with any wrong byte, and cut at any place', () => {
    const rows = [{ time: 5, values: [1, 2.5, 3, 4], flags: 0 }];
    const blob = encodeDailyAggregates(MONTH, tableOf(seriesOf(rows, [1, 6, 7, 9])));
    const decode = (data: Buffer) => new PackedDays({ ...MONTH, data });
    for (let at = 0; at < blob.length; at += 1) {
      const wrong = Buffer.from(blob);
      wrong[at] = (wrong[at] as number) ^ 0x10;
      expect(() => decode(wrong), `byte ${at}`).to.throw(DamagedBlobError);
      expect(() => decode(Buffer.from(blob.subarray(0, at))), `cut at ${at}`).to.throw(DamagedBlobError);
    }
  });
});
