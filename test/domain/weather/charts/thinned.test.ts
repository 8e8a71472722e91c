import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { withOpenGaps } from '#domain/weather/charts/open-gaps.js';
import {
  type ChartColumns,
  maxThinnedRows,
  thinned,
  withoutRepeated,
} from '#domain/weather/charts/thinned.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { type Series, sliceSeries, verdictOf } from '#domain/weather/series.js';
import { naturalYear } from '../../../support/natural-year.js';
import { STATION } from '../../../support/weather-world.js';

const MINUTE = 60_000;

/** A row of the model: a time, and value and flags by number of the variable. */
type Row = readonly [time: number, values: ReadonlyMap<number, readonly [value: number, flags: number]>];

/** Irregular rows of two variables with few different values, absent ones, and flags. */
const anySeries = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 40 }),
      cells: fc.tuple(
        fc.record({
          value: fc.option(fc.integer({ min: -3, max: 3 })),
          flags: fc.constantFrom(0, 0, 0, 1, 2, 128),
        }),
        fc.record({
          value: fc.option(fc.integer({ min: -50, max: 50 })),
          flags: fc.constantFrom(0, 0, 0, 0, 2),
        }),
      ),
    }),
    { maxLength: 120 },
  )
  .map((steps): Series => {
    let time = 0;
    const times = Float64Array.from(steps, ({ step }) => (time += step * MINUTE));
    const column = (index: 0 | 1) =>
      Float64Array.from(steps, ({ cells }) => cells[index].value ?? Number.NaN);
    const flags = (index: 0 | 1) =>
      Uint8Array.from(steps, ({ cells }) => (cells[index].value === null ? 0 : cells[index].flags));
    return {
      times,
      values: new Map([
        [1, column(0)],
        [6, column(1)],
      ]),
      flags: new Map([
        [1, flags(0)],
        [6, flags(1)],
      ]),
    };
  });
const anyColumns = fc.record({
  from: fc.constantFrom(0, -7 * MINUTE),
  to: fc.integer({ min: 5000, max: 9000 }).map((minutes) => minutes * MINUTE),
  count: fc.integer({ min: 16, max: 200 }),
});

function rowsOf({ times, values, flags }: Series): Row[] {
  return [...times].map((time, row) => {
    const present = [...values].filter(([, column]) => !Number.isNaN(column[row]));
    const cells = present.map(
      ([variable, column]) => [variable, [column[row] as number, flags.get(variable)?.[row] ?? 0]] as const,
    );
    return [time, new Map(cells)];
  });
}

/** What a chart shows: for each variable, verdict and column the first, last, smallest and largest value. */
function shown(series: Series, { from, to, count }: ChartColumns): Map<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [time, cells] of rowsOf(series))
    for (const [variable, [value, flags]] of cells) {
      const key = `${variable} ${verdictOf(flags)} ${Math.floor(((time - from) * count) / (to - from))}`;
      groups.set(key, [...(groups.get(key) ?? []), time, value]);
    }
  return new Map(
    [...groups].map(([key, cells]) => {
      const values = cells.filter((_cell, index) => index % 2 === 1);
      return [key, [...cells.slice(0, 2), ...cells.slice(-2), Math.min(...values), Math.max(...values)]];
    }),
  );
}

describe('the rows of a chart', () => {
  it('have no value that is not in the data, in rising order of time, and lose no first, last or extreme value', () => {
    fc.assert(
      fc.property(anySeries, anyColumns, (series, columns) => {
        const all = new Map(rowsOf(series));
        for (const kept of [thinned(series, columns), withoutRepeated(thinned(series, columns), columns)]) {
          for (const [time, cells] of rowsOf(kept)) expect(cells).to.deep.equal(all.get(time));
          expect([...kept.times]).to.deep.equal([...new Set(kept.times)].sort((one, other) => one - other));
          expect(shown(kept, columns)).to.deep.equal(shown(series, columns));
        }
      }),
    );
  });

  it('have the extremes of suspect values beside those of failed ones, where no value passed', () => {
    const series: Series = {
      times: Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7),
      values: new Map([[1, Float64Array.of(5, 9, 5, 2, 5, 3, 7, 5)]]),
      flags: new Map([[1, Uint8Array.of(2, 1, 2, 1, 2, 2, 2, 1)]]),
    };
    // Failed: 9, 2 and 5; suspect: 5, 5, 5, 3 and 7.
    expect([...thinned(series, { from: 0, to: 8, count: 1 }).times]).to.deep.equal([0, 1, 3, 5, 6, 7]);
  });

  it('are the same if the parts of the series are thinned first', () => {
    fc.assert(
      fc.property(
        anySeries,
        anyColumns,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (series, columns, share) => {
          const { length } = series.times;
          const middle = Math.floor(share * length);
          const parts = [sliceSeries(series, 0, middle), sliceSeries(series, middle, length)];
          const joined = concatenate(parts.map((part) => thinned(part, columns)));
          expect(rowsOf(thinned(joined, columns))).to.deep.equal(rowsOf(thinned(series, columns)));
        },
      ),
    );
  });

  it('are few', () => {
    fc.assert(
      fc.property(anySeries, anyColumns, ({ times, values }, columns) => {
        const complete = {
          times,
          values: new Map(
            [...values].map(([variable, column]) => [variable, column.map((value) => value || 0)]),
          ),
          flags: new Map(),
        };
        expect(thinned(complete, columns).times.length).to.be.at.most(
          maxThinnedRows(columns.count, values.size),
        );
      }),
    );
  });

  it('have a row without values at the first missing report of a gap of more than three intervals', () => {
    const minutes = [0, 10, 20, 50, 60, 101, 111];
    const series = {
      times: Float64Array.from(minutes, (minute) => minute * MINUTE),
      values: new Map([[1, Float64Array.from(minutes)]]),
      flags: new Map([[1, Uint8Array.of(0, 0, 0, 0, 0, 2, 0)]]),
    };
    const fine = { from: 0, to: 120 * MINUTE, count: 120 };
    const station = { ...STATION, number: 1, reportingInterval: 600 };
    const opened = withOpenGaps(series, fine, station, 0);
    expect([...opened.times].map((time) => time / MINUTE)).to.deep.equal([0, 10, 20, 50, 60, 70, 101, 111]);
    const values = [0, 10, 20, 50, 60, Number.NaN, 101, 111];
    expect([...(opened.values.get(1) as Float64Array)]).to.deep.equal(values);
    expect([...(opened.flags.get(1) as Uint8Array)]).to.deep.equal([0, 0, 0, 0, 0, 0, 2, 0]);
    // In columns of an hour, 60 and 101 minutes are in the same one.
    expect(withOpenGaps(series, { ...fine, count: 2 }, station, 0)).to.equal(series);
    const unknown = { ...station, reportingInterval: null };
    const added = (usual: number) => withOpenGaps(series, fine, unknown, usual).times.length - minutes.length;
    expect([20, 10, 9, 0].map((usual) => added(usual * MINUTE))).to.deep.equal([0, 1, 2, 0]);
    const hourlyUntil = (minute: number) => ({
      ...station,
      earlier: [{ ...station, reportingInterval: 3600, until: minute * MINUTE }],
    });
    expect(withOpenGaps(series, fine, hourlyUntil(60), 0).times.length).to.equal(8);
    expect(withOpenGaps(series, fine, hourlyUntil(61), 0)).to.equal(series);
  });

  it('of a year of 10-minute rows of 4 variables in 1000 columns take at most 55 kB in a compressed reply', () => {
    const year = naturalYear();
    const columns = { from: year.times[0] as number, to: (year.times.at(-1) as number) + 1, count: 1000 };
    const { times, values } = withoutRepeated(thinned(year, columns), columns);
    const text = JSON.stringify({
      time: [...times].map((time) => new Date(time).toISOString().replace('.000Z', 'Z')),
      ...Object.fromEntries([...values].map(([variable, column]) => [variable, [...column]])),
    });
    const brotli = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    expect(brotli.length).to.be.at.most(55_000);
    expect(gzipSync(text).length).to.be.at.most(55_000);
  });
});
