import { expect } from 'chai';
import fc from 'fast-check';
import { Chunk, encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { decodeAll } from '#adapters/formats/packed/decoded-series.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';

const TODAY = 19_900;

const PLACE = { station: 7, day: TODAY, days: 1 };
const KEY = [0, 1];
const decode = (data: Buffer): Series => decodeAll([new Chunk(PLACE, data)], undefined);

/** The bits of a column, because NaN and -0 are hard to compare. */
const bits = (column: Float64Array = new Float64Array(0)) =>
  Buffer.from(column.slice().buffer).toString('hex');

describe('the codecs of chunks and runs', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -40_000, max: 40_000 }),
    fc.integer({ min: -40_000, max: 40_000 }).map((tenths) => tenths / 10),
    fc.integer({ min: -4e9, max: 4e9 }).map((thousandths) => thousandths / 1000),
    fc.constantFrom(-0, 0, -32_768, -3276.8, -32.768, -2_147_483_648, 0.1 + 0.2, 1 / 3, 5e-324, Number.NaN),
  );
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: MILLISECONDS.day - 1 }), {
    minLength: 1,
    maxLength: 40,
  });
  const given = fc.tuple(rows, fc.array(value, { minLength: 80, maxLength: 80 }), fc.nat(255), fc.boolean());

  const seriesOf = ([offsets, numbers, flag, isRegular]: [number[], number[], number, boolean]): Series => {
    const times = Float64Array.from(
      offsets.toSorted((a, b) => a - b),
      (offset, row) =>
        isRegular ? TODAY * MILLISECONDS.day + row * 600_000 : TODAY * MILLISECONDS.day + offset,
    );
    const flags = new Uint8Array(times.length);
    flags[times.length - 1] = flag;
    return {
      times,
      values: new Map([
        [1, Float64Array.from(times, (_time, row) => numbers[row] as number)],
        [7, Float64Array.from(times, (_time, row) => numbers[row + 40] as number)],
      ]),
      flags: new Map(flag === 0 ? [] : [[7, flags]]),
    };
  };

  it('give back a chunk bit for bit, in columns of any width', () => {
    fc.assert(
      fc.property(given, (input) => {
        const series = seriesOf(input);
        const decoded = decode(encodeChunk(PLACE, series));
        expect([...decoded.times]).to.deep.equal([...series.times]);
        for (const variable of [1, 7]) {
          const column = series.values.get(variable);
          if (column?.every(Number.isNaN) === true) continue;
          expect(bits(decoded.values.get(variable))).to.equal(bits(column));
        }
        expect([...(decoded.flags.get(7) ?? [])]).to.deep.equal([...(series.flags.get(7) ?? [])]);
      }),
      { numRuns: 500 },
    );
  });

  it('give back a run bit for bit, station by station', () => {
    fc.assert(
      fc.property(given, given, (first, second) => {
        const parts = new Map([
          [4, seriesOf(second)],
          [9, seriesOf(first)],
        ]);
        const places = [
          { station: 4, from: 0, inserted: 0 },
          { station: 9, from: seriesOf(second).times.length, inserted: 1 },
        ];
        const blob = encodeRun(KEY, places, concatenate([...parts.values()]));
        const run = new Run(1, KEY, blob);
        const shifted = Buffer.concat([Buffer.alloc(1), blob]).subarray(1);
        expect(new Run(1, KEY, shifted).of(4)).to.deep.equal(run.of(4));
        expect([...run.stations]).to.deep.equal([4, 9]);
        for (const [station, series] of parts) {
          const read = run.of(station);
          expect([...(read?.times ?? [])]).to.deep.equal([...series.times]);
          expect(bits(read?.values.get(7))).to.equal(bits(series.values.get(7)));
          if (series.flags.size > 0)
            expect([...(read?.flags.get(7) ?? [])]).to.deep.equal([...(series.flags.get(7) ?? [])]);
        }
        expect(run.of(5)).to.equal(undefined);
      }),
      { numRuns: 200 },
    );
  });
});
