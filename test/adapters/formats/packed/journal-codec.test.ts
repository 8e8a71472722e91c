import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeJournal,
  encodeJournal,
  type JournalPart,
  journalPart,
} from '#adapters/formats/packed/journal-codec.js';
import type { StationCells } from '#domain/weather/undo/cell-changes.js';

const value = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -400, max: 400 }).map((tenths) => tenths / 10),
  fc.constant(Number.NaN),
  fc.constant(-0),
);
const column = (rows: number) =>
  fc.array(value, { minLength: rows, maxLength: rows }).map((values) => Float64Array.from(values));
const columns = (rows: number) =>
  fc
    .dictionary(fc.constantFrom('1', '3', '12', '20'), column(rows), { maxKeys: 3 })
    .map((named) => new Map(Object.entries(named).map(([name, one]) => [Number(name), one] as const)));
const cells = fc
  .uniqueArray(fc.integer({ min: -1e13, max: 1e13 }), { minLength: 1, maxLength: 20 })
  .chain((times) => {
    const sorted = Float64Array.from(times.toSorted((a, b) => a - b));
    return fc.record({
      times: fc.constant(sorted),
      after: columns(times.length),
      before: columns(times.length),
    });
  });
const parts = fc.array(fc.record({ station: fc.nat(1e9), cells }), { minLength: 1, maxLength: 4 });

/** Every value that is present, as text that distinguishes -0 from 0. */
function textOf(all: readonly StationCells[]): unknown {
  const list = (times: Float64Array, values: ReadonlyMap<number, Float64Array>) =>
    [...values]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([variable, one]) =>
        [...one].flatMap((found, row) =>
          Number.isNaN(found) ? [] : [`${times[row]} ${variable} ${Object.is(found, -0) ? '-0' : found}`],
        ),
      );
  return all.map(({ station, cells: { times, after, before } }) => [
    station,
    [...times],
    list(times, after),
    list(times, before),
  ]);
}

describe('journal entries', () => {
  it('give back every value bit for bit, from parts of several stations', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const blob = encodeJournal(
          7,
          all.map(({ station, cells: own }) => journalPart(station, own)),
        );
        expect(textOf(decodeJournal(7, blob))).to.deep.equal(textOf(all));
      }),
      { numRuns: 300 },
    );
  });

  it('take rows of columns that stations share, without a copy or with one', () => {
    const after = {
      times: Float64Array.of(1, 2, 1),
      values: new Map([[1, Float64Array.of(5, 6, 7)]]),
      flags: new Map(),
    };
    const part = (station: number, from: number, to: number): JournalPart => ({
      station,
      after,
      before: undefined,
      from,
      to,
    });
    const expected = (all: readonly StationCells[]) =>
      all.map(({ station, cells: one }) => [station, [...one.times], [...(one.after.get(1) ?? [])]]);
    expect(expected(decodeJournal(7, encodeJournal(7, [part(3, 0, 2), part(4, 2, 3)])))).to.deep.equal([
      [3, [1, 2], [5, 6]],
      [4, [1], [7]],
    ]);
    expect(expected(decodeJournal(7, encodeJournal(7, [part(3, 1, 2)])))).to.deep.equal([[3, [2], [6]]]);
  });

  it('are small for regular rows', () => {
    const rows = 8192;
    const times = Float64Array.from({ length: rows }, (_, row) => 1.7e12 + row * 600_000);
    const values = new Map(
      [1, 2, 3].map((variable) => [
        variable,
        Float64Array.from({ length: rows }, (_, row) => Math.round(100 * Math.sin(row / 100)) / 10),
      ]),
    );
    const blob = encodeJournal(7, [journalPart(1, { times, after: values, before: new Map() })]);
    expect(blob.length / rows).to.be.below(6);
  });

  it('that are damaged are recognized', () => {
    const times = Float64Array.of(1, 2);
    const blob = encodeJournal(7, [
      journalPart(1, { times, after: new Map([[1, Float64Array.of(1, 2)]]), before: new Map() }),
    ]);
    for (let at = 0; at < blob.length; at += 1) {
      const damaged = Buffer.from(blob);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      expect(() => decodeJournal(7, damaged), `byte ${at}`)
        .to.throw()
        .with.property('name', 'DamagedBlobError');
    }
    expect(() => decodeJournal(7, Buffer.alloc(0)))
      .to.throw()
      .with.property('name', 'DamagedBlobError');
  });
});
