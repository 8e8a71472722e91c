import { expect } from 'chai';
import fc from 'fast-check';
import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
  WriteOutcome,
} from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { eraseRows } from '#application/stations/erase-rows.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import { maxThinnedRows, thinned } from '#domain/weather/charts/thinned.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { FLAG, type ObservationBatch, type Series } from '#domain/weather/series.js';
import { naturalYear } from '../../support/natural-year.js';
import { JFK } from './station-store.js';
import { PlainRows } from '../../support/plain-rows.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;

type Row = readonly [station: number, time: number, values: Readonly<Record<number, number>>];

/** The rules for every ObservationStore. */
export function observationStoreContract(opened: () => Stores): void {
  let store: ObservationStore;
  let a: number;
  let b: number;

  beforeEach(async () => {
    const stores = opened();
    store = stores.observations;
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });

  const writeBatch = async (batch: ObservationBatch) =>
    (await store.write([{ batch }])).outcomes[0] as WriteOutcome;
  /** The first and the last changed time, by station. */
  const spansOf = ({ stations, from, to }: ObservationChanges) => {
    const spans = new Map<number, [number, number]>();
    for (const [index, station] of stations.entries()) {
      const [first, last] = spans.get(station) ?? [Infinity, -Infinity];
      spans.set(station, [Math.min(first, from[index] as number), Math.max(last, to[index] as number)]);
    }
    return [...spans].sort(([one], [other]) => one - other);
  };
  /** The last revision in the changes must be the current revision of the station. */
  const assertRevisions = async ({ stations, revisions }: ObservationChanges) => {
    const told = new Map([...stations].map((station, index) => [station, String(revisions[index])]));
    const newest = await store.newest([...told.keys()]);
    expect(newest.map(({ revision }) => revision)).to.deep.equal([...told.values()]);
  };
  const setLimits = (id: string, min: number, max: number) =>
    opened().stations.put([
      { ...JFK, id, reportingInterval: null, limits: { air_temperature: { min, max } } },
    ]);
  const write = (rows: readonly Row[]) => writeBatch(batchOf(rows));
  const inventory = async (station: number) => (await store.inventory([station]))[0] as Inventory;
  /** Rows as text, which distinguishes -0 from 0. */
  const readAll = async (query: Partial<ObservationQuery> = {}): Promise<Row[]> => {
    const rows: Row[] = [];
    for await (const batch of store.read({ from: -8.64e15, to: 8.64e15, ...query }))
      rows.push(...rowsOf(batch));
    return rows;
  };
  const flagsOf = async (station: number) => {
    const found: string[] = [];
    for await (const { times, flags } of store.read({
      stations: [station],
      from: START,
      to: START + 100 * MILLISECONDS.day,
    })) {
      for (const [variable, column] of flags) {
        for (const [row, flag] of column.entries()) {
          if (flag !== 0) found.push(`${((times[row] as number) - START) / HOUR}h ${variable}: ${flag}`);
        }
      }
    }
    return found.toSorted();
  };

  it('gives back what was written, by station and time, whatever the order', async () => {
    const counts = await write([
      [b, START, { 1: 5.5 }],
      [a, START + HOUR, { 1: 2.5, 7: 350 }],
      [a, START, { 1: -0.1 }],
    ]);
    expect(counts).to.deep.equal({ inserted: 3, updated: 0, unchanged: 0, unknown: [] });
    expect(await readAll()).to.deep.equal([
      [a, START, { 1: -0.1 }],
      [a, START + HOUR, { 1: 2.5, 7: 350 }],
      [b, START, { 1: 5.5 }],
    ]);
  });

  it('stores each float64 bit for bit', async () => {
    const values = [
      -0,
      0.1 + 0.2,
      1 / 3,
      1e-300,
      5e-324,
      1.7976931348623157e308,
      -123.456,
      1e15 + 0.5,
      32_768,
      3276.8,
    ];
    await write(values.map((value, index): Row => [a, START + index * HOUR, { 14: value, 1: 1 }]));
    expect((await readAll()).map(([, , row]) => row[14])).to.deep.equal(values);
  });

  it('stores any times and values in any batches, without loss', async () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1000, max: 1000 }).map((tenths) => tenths / 10),
    );
    const row = fc.record({
      station: fc.nat(1),
      time: fc.integer({ min: 0, max: 4 * 86_400 }).map((seconds) => START + seconds * 1000),
      values: fc.dictionary(fc.constantFrom('1', '6', '9', '16'), value, { minKeys: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), { maxLength: 4 }),
        async (batches) => {
          const stations = opened().stations;
          await stations.remove('a');
          await stations.remove('b');
          await eraseRows(stations);
          const made = await stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
          const expected = new Map<string, Row>();
          for (const batch of batches) {
            const rows = batch.map(({ station, time, values }): Row => [
              made[station]?.station.number ?? 0,
              time,
              values,
            ]);
            await write(rows);
            for (const [station, time, values] of rows) {
              const key = `${station} ${time}`;
              expected.set(key, [station, time, { ...expected.get(key)?.[2], ...values }]);
            }
          }
          const sorted = [...expected.values()].toSorted((x, y) => x[0] - y[0] || x[1] - y[1]);
          expect(plain(await readAll())).to.equal(plain(sorted));
          const [first] = made;
          const own = sorted.filter(([station]) => station === first?.station.number);
          const found = await inventory(first?.station.number ?? 0);
          expect(found.count).to.equal(own.length);
          expect([found.first, found.last]).to.deep.equal([own[0]?.[1] ?? null, own.at(-1)?.[1] ?? null]);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('is idempotent: a value replaces the stored one, an absent value leaves it', async () => {
    const rows: Row[] = [
      [a, START, { 1: 1, 2: 0 }],
      [a, START + HOUR, { 1: 2 }],
    ];
    await write(rows);
    expect(await write(rows)).to.deep.equal({ inserted: 0, updated: 0, unchanged: 2, unknown: [] });
    const counts = await write([
      [a, START, { 2: -1 }],
      [a, START + HOUR, { 1: 2 }],
      [a, START + 2 * HOUR, { 1: 3 }],
      [a, START - HOUR, { 1: 0 }],
    ]);
    expect(counts).to.deep.equal({ inserted: 2, updated: 1, unchanged: 1, unknown: [] });
    expect(await readAll()).to.deep.equal([
      [a, START - HOUR, { 1: 0 }],
      [a, START, { 1: 1, 2: -1 }],
      [a, START + HOUR, { 1: 2 }],
      [a, START + 2 * HOUR, { 1: 3 }],
    ]);
  });

  it('stores a repeated row of a batch once; the later row wins', async () => {
    const counts = await write([
      [a, START, { 1: 1, 3: 50 }],
      [a, START, { 1: 2 }],
    ]);
    expect(counts).to.deep.equal({ inserted: 1, updated: 0, unchanged: 1, unknown: [] });
    expect(await readAll()).to.deep.equal([[a, START, { 1: 2, 3: 50 }]]);
  });

  it('reads from a time to another, which is not included, for the requested stations and variables', async () => {
    for (let hour = 0; hour < 72; hour += 1) await write([[a, START + hour * HOUR, { 1: hour, 3: 50 }]]);
    await write([[b, START, { 3: 60 }]]);
    const query = { from: START + HOUR, to: START + 3 * HOUR };
    expect((await readAll(query)).map(([, time]) => (time - START) / HOUR)).to.deep.equal([1, 2]);
    expect(await readAll({ variables: [1], to: START + 1 })).to.deep.equal([[a, START, { 1: 0 }]]);
    expect(await readAll({ stations: [b] })).to.deep.equal([[b, START, { 3: 60 }]]);
    expect(await readAll({ from: START, to: START })).to.deep.equal([]);
    expect(await readAll({ stations: [] })).to.deep.equal([]);
    expect(await readAll({ stations: [a, b], from: START + 71 * HOUR })).to.have.length(1);
  });

  it('reads long ranges in batches of bounded size, before and after merging', async () => {
    const rows = 40_000;
    const batch = (): ObservationBatch => ({
      stations: new Uint32Array(rows).fill(a),
      times: Float64Array.from({ length: rows }, (_, row) => START + row * 600_000),
      values: new Map([[3, Float64Array.from({ length: rows }, (_, row) => row % 100)]]),
      flags: new Map(),
    });
    expect(await writeBatch(batch())).to.include({ inserted: rows });
    const verify = async () => {
      let count = 0;
      for await (const { times, values } of store.read({
        stations: [a],
        from: START,
        to: START + 365 * MILLISECONDS.day,
      })) {
        expect(times.length).to.be.at.most(rows);
        for (const [row, time] of times.entries()) {
          if (time !== START + count * 600_000 || values.get(3)?.[row] !== count % 100) {
            expect.fail(`row ${count} is ${time}, ${values.get(3)?.[row]}`);
          }
          count += 1;
        }
      }
      expect(count).to.equal(rows);
    };
    await verify();
    // So many writes that a store with deferred work does it now.
    for (let count = 0; count < 70; count += 1) await write([[b, START + count * HOUR, { 1: count }]]);
    await verify();
    expect(await writeBatch(batch())).to.deep.equal({
      inserted: 0,
      updated: 0,
      unchanged: rows,
      unknown: [],
    });
    expect(await readAll({ stations: [b] })).to.have.length(70);
  });

  it('may leave out what a chart does not show, and never more', async () => {
    const year = naturalYear(START);
    const rows = year.times.length;
    for (const station of [a, b]) {
      const copy = new Map([...year.values].map(([variable, column]) => [variable, column.slice()]));
      const stations = new Uint32Array(rows).fill(station);
      await writeBatch({ stations, times: year.times.slice(), values: copy, flags: new Map() });
    }
    // A failed value among them, and late rows that a store may keep apart.
    await write([[b, START + 5 * HOUR + 60_000, { 1: -300 }]]);
    const columns = { from: START + 30_000, to: START + 366 * MILLISECONDS.day, count: 300 };
    const { from, to } = columns;
    const read = async (query: Partial<ObservationQuery>) => {
      const parts: Series[] = [];
      for await (const { times, values, flags } of store.read({ stations: [b], from, to, ...query }))
        parts.push({ times, values, flags });
      return concatenate(parts);
    };
    const whole = thinned(await read({}), columns);
    // Values with flags are kept separately.
    expect(whole.times.length).to.be.within(1000, 2 * maxThinnedRows(300, year.values.size));
    expect(thinned(await read({ columns }), columns)).to.deep.equal(whole);
    const ofTwo = await readAll({ stations: [a, b], variables: [1], from, to, columns });
    expect(new Set(ofTwo.map(([station]) => station))).to.deep.equal(new Set([a, b]));
  });

  it('reads long ranges of several stations, each from the beginning', async () => {
    const rows = 55_000;
    const [c] = await opened().stations.put([{ ...JFK, id: 'c' }]);
    const stations = [a, b, c?.station.number ?? 0];
    for (const station of stations) {
      await writeBatch({
        stations: new Uint32Array(rows).fill(station),
        times: Float64Array.from({ length: rows }, (_, row) => START + row * 60_000),
        values: new Map([[1, Float64Array.from({ length: rows }, (_, row) => row % 19)]]),
        flags: new Map(),
      });
    }
    const counts = new Map<number, number>();
    let last = -1;
    for await (const { stations: numbers, times, values } of store.read({
      from: START,
      to: START + 100 * MILLISECONDS.day,
    })) {
      for (const [row, station] of numbers.entries()) {
        const count = counts.get(station) ?? 0;
        if (times[row] !== START + count * 60_000 || values.get(1)?.[row] !== count % 19 || station < last) {
          expect.fail(`row ${count} of station ${station} is another`);
        }
        counts.set(station, count + 1);
        last = station;
      }
    }
    expect([...counts]).to.deep.equal(stations.map((station) => [station, rows]));
  });

  it('reads many stations with few and with many rows, in order, and stops where the caller does', async () => {
    const counts = Array.from(
      { length: 40 },
      (_, index) => [3, 0, 700, 1, 0, 0, 5200, 12, 4096, 0][index % 10] as number,
    );
    const made = await opened().stations.put(
      counts.map((_count, index) => ({ ...JFK, id: `many-${index}` })),
    );
    const numbers = made.map(({ station }) => station.number);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const expected = counts.flatMap((count, index) =>
      Array.from(
        { length: count },
        (_, row) => [numbers[index] as number, START + row * HOUR, row % 23] as const,
      ),
    );
    await writeBatch({
      stations: Uint32Array.from(expected, ([station]) => station),
      times: Float64Array.from(expected, ([, time]) => time),
      values: new Map([[1, Float64Array.from(expected, ([, , value]) => value)]]),
      flags: new Map(),
    });
    const sorted = expected.toSorted(([a1, at], [b1, bt]) => a1 - b1 || at - bt);
    const read = async (query: Partial<ObservationQuery>, enough = Infinity) => {
      const found: (readonly [number, number, number])[] = [];
      for await (const { stations, times, values } of store.read({
        from: START,
        to: START + 9e11,
        ...query,
      })) {
        for (const row of times.keys())
          found.push([stations[row] as number, times[row] as number, values.get(1)?.[row] as number]);
        if (found.length >= enough) break;
      }
      return found;
    };
    const verify = async () => {
      for (const variables of [[1], Array.from({ length: 60 }, (_, index) => index + 1)])
        expect(await read({ stations: numbers.toReversed(), variables })).to.deep.equal(sorted);
      const few = sorted.filter(([station]) => station === numbers[5] || station === numbers[6]);
      expect(await read({ stations: numbers.slice(4, 7) })).to.deep.equal(few);
      for (const rows of [1, 704, 6000]) {
        const found = await read({ stations: numbers, rows });
        expect(found.length).to.be.within(rows, total);
        expect(found).to.deep.equal(sorted.slice(0, found.length));
      }
      const some = await read({ stations: numbers }, 2000);
      expect(some).to.deep.equal(sorted.slice(0, some.length));
    };
    await verify();
    await (store as { merge?(): Promise<void> }).merge?.();
    await verify();
  });

  it('returns the newest value of each variable, consistent with reads', async () => {
    await write([
      [a, START, { 1: 1, 3: 50 }],
      [a, START + HOUR, { 1: 2 }],
    ]);
    await write([[a, START - HOUR, { 1: 9, 6: 3 }]]);
    await write([[a, START + HOUR, { 1: 4 }]]);
    const [newest, silent] = await store.newest([a, b]);
    expect(newest?.lastSeen).to.equal(START + HOUR);
    expect([...(newest?.values ?? [])].toSorted(([x], [y]) => x - y)).to.deep.equal([
      [1, { time: START + HOUR, value: 4, flags: 0 }],
      [3, { time: START, value: 50, flags: 0 }],
      [6, { time: START - HOUR, value: 3, flags: 0 }],
    ]);
    expect(silent).to.include({ station: b, lastSeen: null, revision: '0' });
    expect(silent?.values.size).to.equal(0);
    expect(await store.newest([])).to.deep.equal([]);
  });

  it('describes a station as its parts are asked for one by one', async () => {
    const empty = await store.describe('a');
    expect(empty).to.deep.include({ lastSeen: null, rows: undefined });
    await write([
      [a, START, { 1: 1, 3: 50 }],
      [a, START + HOUR, { 6: 400 }],
      [b, START, { 1: 1 }],
    ]);
    const described = await store.describe('a');
    const [newest] = await store.newest([a]);
    expect(described).to.deep.equal({
      station: await opened().stations.find('a'),
      lastSeen: START + HOUR,
      revision: newest?.revision,
      inventory: await inventory(a),
      rows: undefined,
    });
    expect(described?.revision).not.to.equal(empty?.revision);
    for (const id of ['c', 'A', 'a\u0000']) expect(await store.describe(id)).to.equal(undefined);
  });

  it('gives with the description all rows of a short range, or none', async () => {
    await write(
      Array.from({ length: 60 }, (_, hour): Row => [
        a,
        START + hour * HOUR,
        { 1: hour, 6: hour > 30 ? 1 : NaN },
      ]),
    );
    await write([[a, START - HOUR, { 1: 900 }]]);
    for (const variables of [undefined, [1], [6], [3], [1, 6]])
      for (const [from, to] of [
        [-1, 1],
        [0, 24],
        [30, 60],
        [70, 80],
      ] as const) {
        const range = { from: START + from * HOUR, to: START + to * HOUR, variables };
        const rows = (maxRows: number) =>
          store.describe('a', { ...range, maxRows }).then((found) => found?.rows);
        const { variables: named, ...times } = range;
        const batches: ObservationBatch[] = [];
        const query = { stations: [a], ...times, ...(named && { variables: named }) };
        for await (const batch of store.read(query)) batches.push(batch);
        const read = batches.reduce((sum, { times: { length } }) => sum + length, 0);
        const found = await rows(1000);
        if (found !== undefined) {
          const all = concatenate(batches);
          expect(found.times).to.deep.equal(all.times);
          for (const one of variables ?? [1, 6]) {
            // A column without values may be left out; a merge of runs may come between the two reads.
            const columnIn = ({ times: { length }, values }: Series) => [
              ...(values.get(one) ?? new Float64Array(length).fill(Number.NaN)),
            ];
            const flagsIn = ({ times: { length }, flags }: Series) => [
              ...(flags.get(one) ?? new Uint8Array(length)),
            ];
            expect(columnIn(found)).to.deep.equal(columnIn(all));
            expect(flagsIn(found)).to.deep.equal(flagsIn(all));
          }
        }
        if (read > 0) expect(await rows(read - 1)).to.equal(undefined);
      }
  });

  it('gives arrays away: what a caller does to them changes nothing', async () => {
    await write([
      [a, START, { 1: 1, 3: 101 }],
      [a, START + HOUR, { 1: 2 }],
    ]);
    const before = await readAll();
    for await (const { stations, times, values, flags } of store.read({ from: 0, to: START * 2 })) {
      const columns = [stations, times, ...values.values(), ...flags.values()];
      const transfer = [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
      structuredClone(null, { transfer });
    }
    expect(await readAll()).to.deep.equal(before);
  });

  it('returns the inventory of a station', async () => {
    await write([
      [a, START, { 1: 1, 3: 50 }],
      [a, START + 5 * MILLISECONDS.day, { 6: 2 }],
      [b, START, { 1: 1 }],
    ]);
    expect(await inventory(a)).to.deep.equal({
      first: START,
      last: START + 5 * MILLISECONDS.day,
      count: 2,
      variables: [1, 3, 6],
    });
    expect(await inventory(77)).to.deep.equal({ first: null, last: null, count: 0, variables: [] });
  });

  it('returns it after every kind of write; it is empty for a station that was removed and created again', async () => {
    const totals = async (station: number) => {
      const { first, last, count, variables } = await inventory(station);
      const hours = [first, last].map((time) => (time === null ? null : (time - START) / HOUR));
      return `${hours.join('..')} ${count} ${variables.join()}`;
    };
    const kinds: readonly (readonly [string, readonly (readonly Row[])[], string])[] = [
      ['the first rows', [[[a, START, { 1: 1 }]]], '0..0 1 1'],
      ['rows in the order of time', [[[a, START + 30 * HOUR, { 1: 2 }]]], '0..30 2 1'],
      ['a late row', [[[a, START + 5 * HOUR, { 3: 50 }]]], '0..30 3 1,3'],
      ['a row before all others', [[[a, START - 3 * HOUR, { 1: 0 }]]], '-3..30 4 1,3'],
      ['rows years away', [[[a, START - 9000 * HOUR, { 1: 0 }], [a, START + 9000 * HOUR, { 1: 0 }]]], '-9000..9000 6 1,3'], // oxfmt-ignore
      ['an overwriting row', [[[a, START, { 1: 7 }]]], '-9000..9000 6 1,3'],
      ['a new variable in an old row', [[[a, START, { 20: 7 }]]], '-9000..9000 6 1,3,20'],
      ['rows that are there already', [[[a, START, { 1: 7, 20: 7 }]]], '-9000..9000 6 1,3,20'],
      ['a row that comes twice', [[[a, START + 40 * HOUR, { 1: 7 }], [a, START + 40 * HOUR, { 1: 8 }]]], '-9000..9000 7 1,3,20'], // oxfmt-ignore
      ['a value that failed', [[[a, START + 41 * HOUR, { 6: 900 }]]], '-9000..9000 8 1,3,6,20'],
      ['a row of another station', [[[b, START, { 2: 1 }]]], '-9000..9000 8 1,3,6,20'],
      ['writes of one commit with the same row', [[[a, START + 42 * HOUR, { 1: 1 }]], [[a, START + 42 * HOUR, { 9: 0 }]]], '-9000..9000 9 1,3,6,9,20'], // oxfmt-ignore
    ];
    for (const [kind, batches, expected] of kinds) {
      await store.write(batches.map((rows) => ({ batch: batchOf(rows) })));
      expect(await totals(a), kind).to.equal(expected);
    }
    await opened().stations.remove('a');
    expect(await totals(a)).to.equal('.. 0 ');
    const [again] = await opened().stations.put([{ ...JFK, id: 'a' }]);
    expect(await totals(again?.station.number ?? 0)).to.equal('.. 0 ');
    expect(await totals(b)).to.equal('0..0 1 2');
  });

  it('changes the revision of a station with every write that changes it, and only then', async () => {
    const revision = async () => (await store.newest([a]))[0]?.revision;
    const revisions = [await revision()];
    await write([[a, START, { 1: 1 }]]);
    revisions.push(await revision());
    await write([[a, START, { 1: 2 }]]);
    revisions.push(await revision());
    expect(new Set(revisions)).to.have.property('size', 3);
    await write([[a, START, { 1: 2 }]]);
    await write([[b, START, { 1: 2 }]]);
    expect(await revision()).to.equal(revisions[2]);
  });

  it('flags and keeps implausible values, and compares across writes', async () => {
    await write([[a, START, { 1: 14, 6: 4 }]]);
    await write([[a, START + HOUR, { 1: -10.5, 6: 468.6 }]]);
    await write([[a, START + 2 * HOUR, { 1: 14.1, 6: 4 }]]);
    expect(await flagsOf(a)).to.deep.equal([`1h 1: ${FLAG.step}`, `1h 6: ${FLAG.grossRange}`]);
    expect((await readAll())[1]).to.deep.equal([a, START + HOUR, { 1: -10.5, 6: 468.6 }]);
    expect((await store.newest([a]))[0]?.values.get(1)).to.include({ value: 14.1, flags: 0 });
    await write([[a, START + HOUR, { 1: 14 }]]);
    expect(await flagsOf(a)).to.deep.equal([`1h 6: ${FLAG.grossRange}`]);
  });

  it('checks late, early and repeated rows as with all stored rows', async () => {
    const anyRow = fc
      .record({
        station: fc.nat(1),
        step: fc.nat(40),
        temperature: fc.constantFrom(0, 5, 18, 40, 99, Number.NaN),
        wind: fc.constantFrom(0, 3, 30, Number.NaN),
      })
      .filter(({ temperature, wind }) => !Number.isNaN(temperature) || !Number.isNaN(wind));
    const anyWrite = fc.array(anyRow, { minLength: 1, maxLength: 12 });
    // Few times, so that values are often replaced by others that fail or pass. Merges are between the commits, so that the rows
    // before a new row are partly in chunks, partly in runs.
    const denseRow = fc.record({
      station: fc.constant(0),
      step: fc.nat(8),
      temperature: fc.constantFrom(0, 5, 18, 40),
      wind: fc.constantFrom(0, 30, Number.NaN),
    });
    const denseCommit = fc.array(fc.array(denseRow, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 1,
    });
    const merge = fc.constant('merge' as const);
    const dense = fc.array(fc.oneof({ weight: 4, arbitrary: denseCommit }, { weight: 1, arbitrary: merge }), {
      minLength: 5,
      maxLength: 15,
    });
    const commitsOf = (most: number) =>
      fc.array(fc.array(anyWrite, { minLength: 1, maxLength: most }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(commitsOf(1), commitsOf(3), dense), async (commits) => {
        const { stations } = opened();
        for (const id of ['a', 'b']) await stations.remove(id);
        const made = await stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
        const numbers = made.map(({ station }) => station.number);
        const reference = new PlainRows(made.map(({ station }) => station));
        // The judgment of rows may differ between one write and several writes.
        const isCheckedAlone = commits.every((commit) => commit === 'merge' || commit.length === 1);
        for (const commit of commits) {
          if (commit === 'merge') {
            await (store as { merge?(): Promise<void> }).merge?.();
            continue;
          }
          const batches = () =>
            commit.map((rows) => ({
              batch: batchOf(
                rows.map(({ station, step, temperature, wind }): Row => [
                  numbers[station] ?? 0,
                  START + step * 1_200_000,
                  { 1: temperature, 6: wind },
                ]),
              ),
            }));
          const [found, expected] = [await store.write(batches()), await reference.write(batches())];
          expect(found.outcomes).to.deep.equal(expected.outcomes);
          expect(spansOf(found.changes)).to.deep.equal(spansOf(expected.changes));
          await assertRevisions(found.changes);
        }
        const described = async (from: Pick<ObservationStore, 'read'>) => {
          const rows: string[] = [];
          for await (const batch of from.read({
            stations: numbers,
            from: START,
            to: START + MILLISECONDS.day,
          })) {
            for (const [row, [station, time, values]] of rowsOf(batch).entries()) {
              const flags = [1, 6].map((variable) => batch.flags.get(variable)?.[row] ?? 0);
              const verdicts = isCheckedAlone ? flags.join() : '';
              rows.push(`${station} ${time} ${JSON.stringify(values)} ${verdicts}`);
            }
          }
          return rows;
        };
        expect(await described(store)).to.deep.equal(await described(reference));
        if (!isCheckedAlone) return;
        const newest = async (from: Pick<ObservationStore, 'newest'>) =>
          (await from.newest(numbers)).map(({ lastSeen, values }) => [
            lastSeen,
            [...values].toSorted(([x], [y]) => x - y),
          ]);
        expect(await newest(store)).to.deep.equal(await newest(reference));
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              [[{ station: 0, step: 11, temperature: 0, wind: 0 }]],
              // The newest value is written again, and now fails beside one that comes late.
              [
                [
                  { station: 0, step: 11, temperature: 18, wind: 0 },
                  { station: 0, step: 2, temperature: 0, wind: 30 },
                ],
              ],
              [[{ station: 0, step: 12, temperature: 0, wind: 30 }]],
            ],
          ],
          [
            [
              [
                [
                  { station: 0, step: 0, temperature: 0, wind: 0 },
                  { station: 0, step: 3, temperature: 0, wind: 0 },
                ],
              ],
              // The last value that passed is replaced by one that fails. The next one is compared with the value before it.
              [[{ station: 0, step: 3, temperature: 40, wind: 0 }]],
              [[{ station: 0, step: 4, temperature: 40, wind: 0 }]],
            ],
          ],
          [
            [
              [[{ station: 0, step: 1, temperature: 0, wind: 0 }]],
              'merge',
              // The last row is compared with the row before it, which is in a chunk, and not with this late row, which is in a run.
              [[{ station: 0, step: 0, temperature: 40, wind: 0 }]],
              [[{ station: 0, step: 3, temperature: 0, wind: 0 }]],
              [[{ station: 0, step: 2, temperature: 0, wind: 0 }]],
            ],
          ],
        ],
      },
    );
  });

  it('checks by the limits that a station has at that moment', async () => {
    const rows: Row[] = [
      [a, START, { 1: -90 }],
      [a, START + MILLISECONDS.day, { 1: 21 }],
      [b, START, { 1: -90 }],
    ];
    await setLimits('a', -100, 20);
    await write(rows);
    expect(await flagsOf(a)).to.deep.equal([`24h 1: ${FLAG.grossRange}`]);
    expect(await flagsOf(b)).to.deep.equal([`0h 1: ${FLAG.grossRange}`]);
    await setLimits('a', -80, 30);
    await write(rows.map(([station, time, values]): Row => [station, time + 2 * MILLISECONDS.day, values]));
    expect(await flagsOf(a)).to.deep.equal([`24h 1: ${FLAG.grossRange}`, `48h 1: ${FLAG.grossRange}`]);
  });

  it('leaves out the rows of an unknown station, and reports it', async () => {
    const written = await write([
      [a, START, { 1: 1 }],
      [4711, START, { 1: 1 }],
    ]);
    expect(written).to.deep.equal({ inserted: 1, updated: 0, unchanged: 0, unknown: [4711] });
    expect(await readAll()).to.deep.equal([[a, START, { 1: 1 }]]);
    expect(await write([[4711, START, { 1: 1 }]])).to.include({ inserted: 0 });
  });

  it('writes many batches in one commit, each with its own counts; later rows win', async () => {
    const { outcomes } = await store.write(
      [
        batchOf([
          [a, START, { 1: 1 }],
          [b, START + HOUR, { 1: 2 }],
        ]),
        batchOf([[a, START, { 1: 5, 3: 40 }]]),
        batchOf([[a, START + HOUR, { 3: 41 }]]),
        batchOf([[a, START, { 1: 5 }]]),
        batchOf([]),
      ].map((batch) => ({ batch })),
    );
    expect(outcomes.map(({ inserted, updated, unchanged }) => [inserted, updated, unchanged])).to.deep.equal([
      [2, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
    expect(await readAll()).to.deep.equal([
      [a, START, { 1: 5, 3: 40 }],
      [a, START + HOUR, { 3: 41 }],
      [b, START + HOUR, { 1: 2 }],
    ]);
  });

  it('returns the changed rows of each station, and no others', async () => {
    const batch = () =>
      batchOf([
        [a, START + HOUR, { 1: 1 }],
        [b, START, { 1: 1 }],
        [a, START + 5 * HOUR, { 1: 1 }],
        [404, START, { 1: 1 }],
      ]);
    const first = await store.write([{ batch: batch() }]);
    expect(spansOf(first.changes)).to.deep.equal([
      [a, [START + HOUR, START + 5 * HOUR]],
      [b, [START, START]],
    ]);
    await assertRevisions(first.changes);
    const again = await store.write([{ batch: batch() }]);
    expect(again.changes.stations).to.have.length(0);
    const changed = batchOf([
      [a, START + HOUR, { 1: 1 }],
      [a, START + 5 * HOUR, { 1: 2 }],
      [b, START - HOUR, { 1: 3 }],
    ]);
    const { changes } = await store.write([{ batch: changed }]);
    expect(spansOf(changes)).to.deep.equal([
      [a, [START + 5 * HOUR, START + 5 * HOUR]],
      [b, [START - HOUR, START - HOUR]],
    ]);
    await assertRevisions(changes);
  });

  it('appends many batches in one commit, checked as if each were alone', async () => {
    await setLimits('a', -5, 20);
    const steps = [0, 1, 2, 3].map((hour) =>
      batchOf([
        [b, START + hour * HOUR, { 1: hour === 2 ? 30 : hour }],
        [a, START + hour * HOUR, { 1: hour * 7, 6: 1 }],
      ]),
    );
    const { outcomes } = await store.write(steps.map((batch) => ({ batch })));
    expect(outcomes.map(({ inserted }) => inserted)).to.deep.equal([2, 2, 2, 2]);
    expect(await flagsOf(a)).to.deep.equal([`3h 1: ${FLAG.grossRange}`]);
    expect(await flagsOf(b)).to.deep.equal([`2h 1: ${FLAG.step}`]);
    expect((await store.newest([a]))[0]?.values.get(1)).to.include({
      time: START + 3 * HOUR,
      flags: FLAG.grossRange,
    });
    expect(await readAll()).to.have.length(8);
  });

  it('accepts many writers at once', async () => {
    const all = Array.from({ length: 20 }, (_, index) =>
      write([
        [index % 2 === 0 ? a : b, START + index * HOUR, { 1: index }],
        [index % 2 === 0 ? b : a, START - index * HOUR, { 3: index }],
      ]),
    );
    const counts = await Promise.all(all);
    expect(counts.reduce((sum, { inserted }) => sum + inserted, 0)).to.equal(40);
    expect(await readAll()).to.have.length(40);
  });

  it('removes the rows of a removed station, and only those', async () => {
    await write([
      [a, START, { 1: 1 }],
      [b, START, { 1: 2 }],
    ]);
    await opened().stations.remove('a');
    await eraseRows(opened().stations);
    expect(await readAll()).to.deep.equal([[b, START, { 1: 2 }]]);
    const [again] = await opened().stations.put([{ ...JFK, id: 'a' }]);
    const number = again?.station.number ?? 0;
    expect(await inventory(number)).to.include({ count: 0 });
    expect((await store.newest([number]))[0]?.lastSeen).to.equal(null);
  });
}

export function batchOf(rows: readonly Row[]): ObservationBatch {
  const variables = [...new Set(rows.flatMap(([, , values]) => Object.keys(values)))].map(Number);
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, time]) => time),
    values: new Map(
      variables.map((variable) => [
        variable,
        Float64Array.from(rows, ([, , values]) => values[variable] ?? Number.NaN),
      ]),
    ),
    flags: new Map(),
  };
}

function rowsOf({ stations, times, values }: ObservationBatch): Row[] {
  return Array.from(times, (time, row): Row => {
    const present = [...values].filter(([, column]) => !Number.isNaN(column[row]));
    const entries = present.map(([variable, column]): [number, number] => [variable, column[row] as number]);
    return [stations[row] as number, time, Object.fromEntries(entries)];
  });
}

/** Rows as text, which distinguishes -0 from 0. */
function plain(rows: readonly Row[]): string {
  return rows
    .map(([station, time, values]) => {
      const all = Object.entries(values).map(
        ([key, value]) => `${key}=${Object.is(value, -0) ? '-0' : value}`,
      );
      return `${station} ${time} ${all.toSorted().join(' ')}`;
    })
    .join('\n');
}
