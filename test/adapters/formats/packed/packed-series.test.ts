import { expect } from 'chai';
import fc from 'fast-check';
import { Chunk, encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { decodeAll } from '#adapters/formats/packed/decoded-series.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { converter, unitIn, unitsOf, type UnitSystem } from '#domain/weather/units.js';
import { VARIABLES, variableNumbered } from '#domain/weather/variables.js';

const DAY = 19_900;
const MIDNIGHT = DAY * MILLISECONDS.day;

/** The days of the rows, some of which are years later. */
const PLACE = { station: 1, day: DAY, days: 2 ** 20 };
const KEY = [0, 1];
const inOneRun = (series: Series) => encodeRun(KEY, [{ station: 1, from: 0, inserted: 0 }], series);

/** The bits of a series, without columns that have no value or no flag. */
function bitsOf({ times, values, flags }: Series): string[] {
  const hex = (column: Float64Array) =>
    Buffer.from(column.map((value) => (Number.isNaN(value) ? Number.NaN : value)).buffer).toString('hex');
  return [
    hex(times),
    ...[...values]
      .filter(([, column]) => !column.every(Number.isNaN))
      .map(([variable, column]) => `${variable} ${hex(column)}`)
      .sort(),
    ...[...flags]
      .filter(([, column]) => column.some((flag) => flag !== 0))
      .map(([variable, column]) => `${variable} ${Buffer.from(column).toString('hex')}`)
      .sort(),
  ];
}

/** Checks that a series comes back from a chunk and from a run, whole and the rows from `first` to `end`. */
function expectSame(series: Series, first = 0, end = series.times.length): void {
  const chunk = new Chunk(PLACE, encodeChunk(PLACE, series));
  expect(bitsOf(decodeAll([chunk], undefined))).to.deep.equal(bitsOf(series));
  const run = new Run(1, KEY, inOneRun(series));
  expect(bitsOf(run.columns)).to.deep.equal(bitsOf(series));
  if (first === end) return;
  const part = sliceSeries(series, first, end);
  const until = (series.times[end - 1] as number) + 1;
  const read = decodeAll([chunk], undefined, series.times[first], until);
  expect(bitsOf(read)).to.deep.equal(bitsOf(part));
  const rows = series.times.length;
  const places = [
    { station: 3, from: 0, inserted: 1 },
    ...(first > 0 ? [{ station: 70_000, from: first, inserted: 2 ** 31 }] : []),
    ...(end < rows ? [{ station: 4_000_000_000, from: end, inserted: 0 }] : []),
  ];
  const middle = new Run(1, KEY, encodeRun(KEY, places, series)).of(first > 0 ? 70_000 : 3);
  expect(bitsOf(middle as Series)).to.deep.equal(bitsOf(part));
}

/** Values of one column, in one of the forms that sensors and programs send. */
const columns = (rows: number): fc.Arbitrary<number[]> => {
  const list = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: rows, maxLength: rows });
  const integers = fc
    .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.nat(52))
    .chain(([low, bits]) => list(fc.maxSafeNat().map((nat) => low + (nat % 2 ** bits))));
  const walk = fc
    .tuple(fc.integer(), fc.integer({ min: 1, max: 1000 }), list(fc.integer({ min: -9, max: 5 })))
    .map(([start, step, steps]) => steps.map((_one, row) => start + step * sum(steps.slice(0, row + 1))));
  const whole = fc.oneof(
    list(fc.integer({ min: -9, max: 600 })),
    integers,
    walk,
    fc.integer().map((same) => Array<number>(rows).fill(same)),
  );
  const decimal = fc.tuple(whole, fc.nat(7)).map(([list_, digits]) => list_.map((n) => n / 10 ** digits));
  const few = fc
    .tuple(list(fc.nat()), fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }))
    .map(([picks, values]) => picks.map((pick) => values[pick % values.length] as number));
  const any = list(fc.oneof(fc.double({ noDefaultInfinity: true }), fc.constantFrom(-0, 0, 1e300, 5e-324)));
  const isAbsent = fc.oneof(
    fc.constant((_row: number) => false),
    fc.integer({ min: 1, max: 9 }).map((every) => (row: number) => row % every === 0),
    fc.integer({ min: 2, max: 9 }).map((every) => (row: number) => row % every !== 0),
    list(fc.integer({ min: 0, max: 1 })).map((drawn) => (row: number) => drawn[row] === 1),
  );
  return fc
    .tuple(fc.oneof(decimal, few, any), isAbsent)
    .map(([values, absent]) => values.map((value, row) => (absent(row) ? Number.NaN : value)));
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const timesOf = (rows: number): fc.Arbitrary<number[]> => {
  const unit = fc.constantFrom(1, 1000, 60_000, MILLISECONDS.day, 60 * MILLISECONDS.day);
  const gaps = fc.oneof(
    fc.integer({ min: 1, max: 20 }).map((same) => Array<number>(rows).fill(same)),
    fc.array(fc.integer({ min: 1, max: 20 }), { minLength: rows, maxLength: rows }),
  );
  const start = fc.oneof(fc.nat(MILLISECONDS.day - 1), fc.integer({ min: -1e12, max: 1e12 }));
  const jitter = fc.constantFrom(0, 0, 1);
  return fc
    .tuple(start, unit, gaps, jitter)
    .map(([first, size, list, odd]) =>
      list.map(
        (_gap, row) => MIDNIGHT + first + 2 * size * sum(list.slice(0, row)) + odd * ((row * row) % 2),
      ),
    );
};

const flagColumns = (rows: number) =>
  fc.oneof(
    fc.constant(new Uint8Array(rows)),
    fc
      .array(fc.constantFrom(0, 0, 1, 2, 255), { minLength: rows, maxLength: rows })
      .map((list) => Uint8Array.from(list)),
  );

const seriesWithPart = fc.integer({ min: 1, max: 70 }).chain((rows) =>
  fc
    .record({
      times: timesOf(rows),
      first: columns(rows),
      second: columns(rows),
      flags: flagColumns(rows),
      part: fc.tuple(fc.nat(rows), fc.nat(rows)),
    })
    .map(({ times: list, first, second, flags, part }) => ({
      series: {
        times: Float64Array.from(list),
        values: new Map([
          [5, Float64Array.from(first)],
          [250, Float64Array.from(second)],
        ]),
        flags: new Map([[5, flags]]),
      } satisfies Series,
      first: Math.min(...part),
      end: Math.max(...part),
    })),
);

describe('packed series', () => {
  it('come back bit for bit, whole and in part', () => {
    fc.assert(
      fc.property(seriesWithPart, ({ series, first, end }) => expectSame(series, first, end)),
      { numRuns: 400 },
    );
  });

  it('of several chunks are one series of the wanted variables, with no value where a chunk has none', () => {
    const HOURS = 24;
    const chunk = fc.record({
      days: fc.constantFrom(1, 8),
      variables: fc.subarray([1, 2, 3]),
      hours: fc.uniqueArray(fc.nat(HOURS - 1), { minLength: 1 }),
    });
    const bound = fc.integer({ min: -2 * HOURS, max: 40 * HOURS });
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 4 }),
        fc.option(fc.subarray([1, 2, 3]), { nil: undefined }),
        fc.oneof(
          fc.constant([-Infinity, Infinity] as const),
          fc.tuple(bound, bound).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
        ),
        (made, variables, [from, to]) => {
          let next = DAY;
          const all: Series[] = [];
          const chunks = made.map(({ days, variables: own, hours }) => {
            const place = { station: 1, day: next, days };
            next += days;
            const times = Float64Array.from(
              hours.toSorted((a, b) => a - b),
              (hour) => place.day * MILLISECONDS.day + hour * days * MILLISECONDS.hour,
            );
            const values = new Map(
              own.map((variable) => [variable, times.map((_time, row) => row + variable)]),
            );
            const flags = new Map(
              own.map((variable) => [variable, new Uint8Array(times.length).fill(variable)]),
            );
            all.push({ times, values, flags });
            return new Chunk(place, encodeChunk(place, { times, values, flags }));
          });
          const [begin, end] = [from, to].map((hour) => (DAY * HOURS + hour) * MILLISECONDS.hour) as [
            number,
            number,
          ];
          const wanted = variables && new Set(variables);
          const chosen = <T>(table: ReadonlyMap<number, T>) =>
            new Map([...table].filter(([variable]) => wanted?.has(variable) !== false));
          const { times: allTimes, values: allValues, flags: allFlags } = concatenate(all);
          const expected = { times: allTimes, values: chosen(allValues), flags: chosen(allFlags) };
          const [first, last] = [lowerBound(expected.times, begin), lowerBound(expected.times, end)];
          expect(bitsOf(decodeAll(chunks, wanted, begin, end))).to.deep.equal(
            bitsOf(sliceSeries(expected, first, last)),
          );
        },
      ),
    );
  });

  it('of values in any unit in which they are accepted come back, and are not kept as floats', () => {
    const kinds = VARIABLES.flatMap((variable) => unitsOf(variable).map((unit) => ({ variable, unit })));
    for (const { variable, unit } of kinds) {
      // No sensor shows the depth of snow in miles.
      if (variable.name.endsWith('surface_snow_thickness') && /^n?mi$/.test(unit)) continue;
      const toUnit = converter(variable, unit, 'unit');
      const toStored = converter(variable, unit, 'stored');
      const { min, max } = variable.limits;
      // What a sensor shows in this unit: four significant digits.
      const digits = 3 - Math.floor(Math.log10(Math.max(Math.abs(toUnit(max)), Math.abs(toUnit(min)))));
      const sent = (share: number) =>
        Number((toUnit(min) + (toUnit(max) - toUnit(min)) * share).toFixed(Math.max(0, digits)));
      const rows = 200;
      const values = Float64Array.from({ length: rows }, (_, row) => toStored(sent((row * 0.618_034) % 1)));
      const series: Series = {
        times: Float64Array.from({ length: rows }, (_, row) => MIDNIGHT + row * 60_000),
        values: new Map([[variable.number, values]]),
        flags: new Map(),
      };
      expectSame(series, 20, 30);
      const name = `${variable.name} in ${unit}`;
      expect(encodeChunk(PLACE, series).length, name).to.be.below(rows * 3 + 64);
      expect(inOneRun(series).length, name).to.be.below(rows * 3 + 64);
    }
  });

  it('of a station with twelve sensors take at most ten bytes a row, in metric and in imperial units', () => {
    for (const system of ['metric', 'imperial'] as const) {
      const series = dayOfSensors(system, 1);
      expectSame(series, 17, 40);
      expect(encodeChunk(PLACE, series).length / 144, system).to.be.below(10);
    }
  });

  it('of a thousand stations, a row each, take at most 25 bytes a row', () => {
    for (const system of ['metric', 'imperial'] as const) {
      const days = Array.from({ length: 1000 }, (_, station) => dayOfSensors(system, station, 1));
      const values = [...(days[0] as Series).values.keys()].map(
        (variable) =>
          [variable, Float64Array.from(days, (day) => day.values.get(variable)?.[0] as number)] as const,
      );
      const series = {
        times: new Float64Array(1000).fill(MIDNIGHT),
        values: new Map(values),
        flags: new Map(),
      };
      const places = days.map((_day, index) => ({ station: index * 3 + 1, from: index, inserted: 1 }));
      const blob = encodeRun(KEY, places, series);
      expect(blob.length / 1000, system).to.be.below(25);
      expect(bitsOf(new Run(1, KEY, blob).columns)).to.deep.equal(bitsOf(series));
    }
  });

  it('without a value take no bytes for it, and one value in all rows takes few', () => {
    const day = dayOfSensors('metric', 1);
    const empty = {
      times: day.times,
      values: new Map<number, Float64Array>(),
      flags: new Map<number, Uint8Array>(),
    };
    const sizeOf = (value: number) =>
      encodeChunk(PLACE, { ...empty, values: new Map([[1, new Float64Array(144).fill(value)]]) }).length;
    expect(sizeOf(Number.NaN)).to.equal(encodeChunk(PLACE, empty).length);
    expect(sizeOf(15.5)).to.be.at.most(sizeOf(Number.NaN) + 8);
  });
});

const SENSORS: readonly (readonly [
  variable: number,
  middle: number,
  swing: number,
  metric: number,
  imperial: number,
])[] = [
  [1, 11, 9, 1, 1],
  [2, 5, 4, 1, 1],
  [3, 70, 20, 0, 0],
  [4, 1002, 12, 1, 2],
  [5, 1013, 12, 1, 2],
  [6, 6, 4, 1, 1],
  [7, 180, 170, 0, 0],
  [8, 14, 4, 1, 1],
  [9, 0.4, 0.4, 1, 2],
  [11, 400, 400, 0, 0],
  [14, 20_000, 9000, -2, 1],
  [15, 50, 50, 0, 0],
];

/** Rows of a day of a station: a daily cycle with noise of a tenth, with the decimals that sensors show in each system. */
function dayOfSensors(system: UnitSystem, station: number, count = 144): Series {
  const rows = Array.from({ length: count }, (_, row) => row);
  const values = SENSORS.map(([number, middle, swing, metric, imperial]) => {
    const variable = variableNumbered(number);
    const unit = unitIn(system, variable);
    const power = 10 ** (system === 'metric' ? metric : imperial);
    const toUnit = converter(variable, unit, 'unit');
    const toStored = converter(variable, unit, 'stored');
    const column = rows.map((row) => {
      const noise =
        (((station * 7919 + number * 104_729 + row * 40_503) * 2_654_435_761) % 1000) / 1000 - 0.5;
      const value = middle + swing * (0.9 * Math.sin((row + station * 11) / 23) + 0.1 * noise);
      return toStored(Math.round(toUnit(value) * power) / power);
    });
    return [number, Float64Array.from(column)] as const;
  });
  const times = Float64Array.from(rows, (row) => MIDNIGHT + row * 600_000);
  return { times, values: new Map(values), flags: new Map() };
}
