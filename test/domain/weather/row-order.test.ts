import { expect } from 'chai';
import fc from 'fast-check';
import {
  clusters,
  sortByTime,
  joinColumns,
  orderRows,
  reordered,
  selectRows,
} from '#domain/weather/row-order.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { partsByStation } from '../../support/station-parts.js';

const NONE = Number.NaN;
type Row = readonly [station: number, time: number, value: number];

function batchOf(rows: readonly Row[]): ObservationBatch {
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, time]) => time),
    values: new Map([[1, Float64Array.from(rows, ([, , value]) => value)]]),
    flags: new Map(),
  };
}

/** Rows of few stations and few times, so that repeated times and rows that are sorted already occur often. */
const rows = fc.oneof(
  fc.array(fc.tuple(fc.nat(3), fc.nat(6), fc.oneof(fc.constant(NONE), fc.nat(9))), { maxLength: 12 }),
  fc
    .array(fc.tuple(fc.nat(2), fc.nat(20), fc.nat(9)), { maxLength: 8 })
    .map((all) => all.toSorted(([a, first], [b, second]) => a - b || first - second)),
);

/** The positions of rows in order of station and time, found by a sort that keeps the order of equal rows. */
const naiveOrder = (all: readonly Row[]) =>
  all
    .map((row, position) => ({ row, position }))
    .toSorted(({ row: [a, first] }, { row: [b, second] }) => a - b || first - second)
    .map(({ position }) => position);

describe('the order of rows', () => {
  it('is by station, time and place, with a group for each station, and none where it is so already', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const { rows: found, groups } = orderRows(batchOf(all));
        const expected = naiveOrder(all);
        const isInPlace = expected.every((position, index) => position === index);
        expect(found && [...found]).to.deep.equal(isInPlace ? undefined : expected);
        const stations = [...new Set(all.map(([station]) => station))].toSorted((a, b) => a - b);
        let from = 0;
        const naive = stations.map((station) => {
          const times = all.filter(([of]) => of === station).map(([, time]) => time);
          const group = {
            station,
            from,
            to: from + times.length,
            distinct: new Set(times).size === times.length,
          };
          from = group.to;
          return group;
        });
        expect(groups).to.deep.equal(naive);
      }),
      { numRuns: 500 },
    );
  });

  it('of one station is that of time, and is refused where a time occurs twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 8 }), (times) => {
        const series = {
          times: Float64Array.from(times),
          values: new Map([[1, Float64Array.from(times, (time) => 2 * time)]]),
          flags: new Map([[1, Uint8Array.from(times, (time) => time + 1)]]),
        };
        const found = sortByTime(series);
        const sorted = times.toSorted((a, b) => a - b);
        if (new Set(times).size < times.length) return void expect(found).to.equal(undefined);
        if (String(sorted) === String(times)) return void expect(found).to.equal(series);
        expect([...(found?.times ?? [])]).to.deep.equal(sorted);
        expect([...(found?.values.get(1) ?? [])]).to.deep.equal(sorted.map((time) => 2 * time));
        expect([...(found?.flags.get(1) ?? [])]).to.deep.equal(sorted.map((time) => time + 1));
      }),
      { numRuns: 300 },
    );
    const column = Float64Array.of(5, 6, 7);
    expect(reordered(column, undefined)).to.equal(column);
    expect([...reordered(column, Uint32Array.of(2, 0))]).to.deep.equal([7, 5]);
    expect([
      ...selectRows(
        batchOf([
          [1, 10, 5],
          [1, 20, 6],
        ]),
        Uint32Array.of(1),
      ).times,
    ]).to.deep.equal([20]);
  });

  it('gives a series for each station, in which the last known value of a time wins', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const found = [...partsByStation(batchOf(all))].map(([station, { series, folded }]) => ({
          station,
          folded,
          rows: [...series.times].map((time, row) => [time, series.values.get(1)?.[row]]),
        }));
        const stations = [...new Set(all.map(([station]) => station))].toSorted((a, b) => a - b);
        const naive = stations.map((station) => {
          const own = all.filter(([of]) => of === station);
          const merged = new Map<number, number>();
          for (const [, time, value] of own)
            if (!Number.isNaN(value) || !merged.has(time)) merged.set(time, value);
          const sorted = [...merged].toSorted(([a], [b]) => a - b);
          return { station, folded: own.length - merged.size, rows: sorted };
        });
        expect(found).to.deep.equal(naive);
      }),
      { numRuns: 500 },
    );
  });

  it('is split where two rows are further apart than the gap, with the place of each first row', () => {
    const gaps = fc.array(fc.nat(9), { maxLength: 10 });
    fc.assert(
      fc.property(gaps, fc.nat(6), (steps, gap) => {
        let time = 0;
        const times = steps.map((step) => (time += step + 1));
        const batch = batchOf(times.map((at) => [1, at, at]));
        const found = [...clusters(batch, gap)].map(({ series, first }) => [first, [...series.times]]);
        const naive: [number, number[]][] = [];
        for (const [row, at] of times.entries()) {
          if (row === 0 || at - (times[row - 1] ?? 0) > gap) naive.push([row, []]);
          naive.at(-1)?.[1].push(at);
        }
        expect(found).to.deep.equal(naive);
      }),
      { numRuns: 300 },
    );
  });
});

describe('joined batches', () => {
  it('have all rows one after the other, and NaN where a batch lacks a variable', () => {
    const first = batchOf([
      [7, 10, 1],
      [7, 20, 2],
    ]);
    const second = { ...batchOf([[8, 15, 3]]), values: new Map([[2, Float64Array.of(9)]]) };
    const third = {
      ...batchOf([[9, 5, 4]]),
      values: new Map([
        [1, Float64Array.of(4)],
        [2, Float64Array.of(8)],
      ]),
    };
    const { stations, times, values, flags } = joinColumns([first, second, third]);
    expect([...stations]).to.deep.equal([7, 7, 8, 9]);
    expect([...times]).to.deep.equal([10, 20, 15, 5]);
    expect([...(values.get(1) ?? [])]).to.deep.equal([1, 2, NONE, 4]);
    expect([...(values.get(2) ?? [])]).to.deep.equal([NONE, NONE, 9, 8]);
    expect(flags.size).to.equal(0);
    expect(joinColumns([first])).to.equal(first);
    expect(joinColumns([first, first]).times.length).to.equal(4);
    expect(joinColumns([]).times.length).to.equal(0);
  });
});
