import { expect } from 'chai';
import fc from 'fast-check';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { gatherRows } from '#adapters/packed-store/run-rows.js';
import { joinRuns } from '#adapters/packed-store/join-runs.js';
import { type CachedState, type NewestRow, StationStates } from '#adapters/packed-store/station-states.js';
import { orderRows, selectRows } from '#domain/weather/row-order.js';
import { type Series, sliceSeries } from '#domain/weather/series.js';
import { DESCRIBED } from '#domain/weather/station-state.js';

interface Row {
  readonly station: number;
  readonly time: number;
  /** The values of the variables 1 and 2; NaN if absent. */
  readonly values: readonly [number, number];
  readonly flags: readonly [number, number];
}

const VARIABLES = [1, 2] as const;

const row: fc.Arbitrary<Row> = fc.record({
  station: fc.constantFrom(3, 62, 63, 64, 65, 66, 100, 127, 128, 4000),
  time: fc.nat(30),
  values: fc.tuple(fc.constantFrom(Number.NaN, 1, 2.5, -7), fc.constantFrom(Number.NaN, 0.1, 3)),
  flags: fc.tuple(fc.constantFrom(0, 0, 2, 4), fc.constantFrom(0, 1)),
});
/** The rows of a commit, which has each time of a station once. */
const commit = fc.uniqueArray(row, { selector: ({ station, time }) => `${station} ${time}`, maxLength: 40 });

function runOf(id: number, rows: readonly Row[]): Run {
  const stations = Uint32Array.from(rows, ({ station }) => station);
  const unsorted: Series = {
    times: Float64Array.from(rows, ({ time }) => time),
    values: new Map(
      VARIABLES.map((one, index) => [one, Float64Array.from(rows, ({ values }) => values[index] as number)]),
    ),
    // Only a value has flags.
    flags: new Map(
      VARIABLES.map((one, index) => [
        one,
        Uint8Array.from(rows, ({ values, flags }) =>
          Number.isNaN(values[index]) ? 0 : (flags[index] as number),
        ),
      ]),
    ),
  };
  const { rows: order, groups } = orderRows({ stations, times: unsorted.times });
  const places = groups.map(({ station, from, to }) => ({ station, from, inserted: to - from }));
  return new Run(id, [0, id], encodeRun([0, id], places, order ? selectRows(unsorted, order) : unsorted));
}

/** Texts of the rows of a series: time, values and flags. */
function textsOf({ times, values, flags }: Series, from = 0, to = times.length): string[] {
  return Array.from(times.subarray(from, to), (time, index) =>
    [
      time,
      ...VARIABLES.map(
        (one) => `${values.get(one)?.[from + index] ?? Number.NaN}/${flags.get(one)?.[from + index] ?? 0}`,
      ),
    ].join(' '),
  );
}

describe('joined runs', () => {
  it('have the rows of each station of the range, and the value of the latest run', () => {
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 5 }), (commits) => {
        const runs = commits.map((rows, index) => runOf(index + 1, rows));
        const { places, columns } = joinRuns(runs, 64, 128);
        const stations = [...new Set(commits.flat().map(({ station }) => station))]
          .filter((station) => station >= 64 && station < 128)
          .sort((a, b) => a - b);
        expect(places.map(({ station }) => station)).to.deep.equal(stations);
        for (const [index, { station, from }] of places.entries()) {
          const model = new Map<number, Row>();
          for (const one of commits.flat())
            if (one.station === station) model.set(one.time, latest(model.get(one.time), one));
          const expected = [...model.values()].sort((a, b) => a.time - b.time);
          const texts = expected.map(({ time, values, flags }) =>
            [time, ...values.map((value, at) => `${value}/${Number.isNaN(value) ? 0 : flags[at]}`)].join(' '),
          );
          expect(textsOf(columns, from, places[index + 1]?.from)).to.deep.equal(texts);
          expect(textsOf(gatherRows(runs, station))).to.deep.equal(texts);
        }
      }),
    );
  });

  it('give the state that the runs give one after the other, also if the stored state includes some of them', () => {
    fc.assert(
      fc.property(fc.array(commit, { minLength: 1, maxLength: 5 }), fc.nat(5), (commits, count) => {
        const all = commits.map((rows, index) => runOf(index + 1, rows));
        const joined = joinRuns(all, 0, 5000);
        const stored = new Map<number, NewestRow>();
        const table = {
          find: (station: number) => stored.get(station),
          put: (station: number, state: NewestRow) => void stored.set(station, state),
        };
        const merged = { all: all.slice(0, count), last: count, damagedRuns: '', hasDays: false };
        const runs = { ...merged, all, last: all.length };
        for (const [index, { station, from }] of joined.places.entries()) {
          const earlier = new StationStates(table);
          if (merged.all.some((run) => run.has(station))) earlier.save(station, earlier.of(station, merged));
          const expected = new StationStates(table).of(station, runs);
          const own = sliceSeries(joined.columns, from, joined.places[index + 1]?.from ?? Infinity);
          const found = new StationStates(table).ofDecoded(station, runs, own);
          expect(described(found)).to.deep.equal(described(expected));
          // The state of the runs may have lost the last passed value of a variable, which is NaN then.
          const { times, values } = expected.state.tail;
          for (const variable of VARIABLES) {
            if (Number.isNaN(values[variable])) continue;
            expect(found.state.tail.times[variable]).to.equal(times[variable]);
            expect(found.state.tail.values[variable]).to.equal(values[variable]);
          }
        }
      }),
    );
  });

  it('are read in part like as a whole', () => {
    fc.assert(
      fc.property(commit, fc.nat(40), fc.nat(40), fc.nat(200), (rows, one, other, time) => {
        const run = runOf(1, rows);
        const [from, to] = [Math.min(one, other, rows.length), Math.min(Math.max(one, other), rows.length)];
        const all = run.columns;
        expect(textsOf(run.read(from, to))).to.deep.equal(textsOf(all, from, to));
        const sorted = [...rows].sort((a, b) => a.station - b.station || a.time - b.time);
        const stations = new Uint32Array(to - from);
        run.fillStations(stations, from, to, 0);
        expect([...stations]).to.deep.equal(sorted.slice(from, to).map(({ station }) => station));
        for (const station of [0, 3, 62, 64, 65, 90, 128, 4000, 5000]) {
          const own = sorted.filter((each) => each.station === station);
          const begin = sorted.findIndex((each) => each.station >= station);
          expect(run.has(station)).to.equal(own.length > 0);
          expect(run.place(station)).to.deep.equal(
            own.length === 0 ? undefined : [begin, begin + own.length, own.length],
          );
          expect(
            run.rowsBetween(station, station + 1)[1] - run.rowsBetween(station, station + 1)[0],
          ).to.equal(own.length);
          const found = own.filter((each) => each.time >= time % 30);
          const [first = 0, end = 0] = run.find(station, time % 30, Infinity) ?? [];
          expect(end - first).to.equal(found.length);
        }
      }),
    );
  });
});

function described({ state, ...totals }: CachedState) {
  return { ...totals, newest: [...state.data.subarray(0, DESCRIBED)] };
}

function latest(before: Row | undefined, { station, time, values, flags }: Row): Row {
  const isKept = [0, 1].map((at) => before !== undefined && Number.isNaN(values[at]));
  const pick = (own: readonly number[], earlier: readonly number[] | undefined) =>
    own.map((value, at) => (isKept[at] ? (earlier?.[at] as number) : value)) as [number, number];
  return { station, time, values: pick(values, before?.values), flags: pick(flags, before?.flags) };
}
