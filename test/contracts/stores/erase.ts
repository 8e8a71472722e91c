import { expect } from 'chai';
import type { EraseRange, EraseStep } from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { FLAG, type ObservationBatch } from '#domain/weather/series.js';
import { flipped, type RawStore } from '../../support/raw-store.js';
import { WATCH } from '../../support/verify-watch.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;

type Row = readonly [station: number, hour: number, values: Readonly<Record<number, number>>];

/** Rows of a few variables in hours after `START`. */
export function hourlyRows(rows: readonly Row[]): ObservationBatch {
  const variables = new Set(rows.flatMap(([, , values]) => Object.keys(values).map(Number)));
  const column = (variable: number) =>
    Float64Array.from(rows, ([, , values]) => values[variable] ?? Number.NaN);
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, hour]) => START + hour * HOUR),
    values: new Map([...variables].map((variable) => [variable, column(variable)])),
    flags: new Map(),
  };
}

/** All rows as `station hour variable=value/flags`. */
export async function describeRows({ observations }: Stores): Promise<string[]> {
  const rows: string[] = [];
  for await (const { stations, times, values, flags } of observations.read({ from: -8.64e15, to: 8.64e15 })) {
    for (const [row, time] of times.entries()) {
      const cells = [...values]
        .filter(([, column]) => !Number.isNaN(column[row]))
        .sort(([a], [b]) => a - b)
        .map(([variable, column]) => {
          const flag = flags.get(variable)?.[row] ?? 0;
          const value = Object.is(column[row], -0) ? '-0' : column[row];
          return `${variable}=${value}${flag === 0 ? '' : `/${flag}`}`;
        });
      rows.push(`${stations[row]} ${(time - START) / HOUR}h ${cells.join(' ')}`);
    }
  }
  return rows;
}

/**
 * The rules for erasing values in every store.
 *
 * @param raw the tables; undefined for a store that has none, or whose process holds the file
 */
export function eraseContract(opened: () => Stores, raw?: () => RawStore): void {
  let stores: Stores;
  let a: number;
  let b: number;

  beforeEach(async () => {
    stores = opened();
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id, limits: {} })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });

  const write = (rows: readonly Row[]) => stores.observations.write([{ batch: hourlyRows(rows) }]);
  const hours = (station: number, from: number, to: number, variables?: number[]): EraseRange => ({
    station,
    from: START + from * HOUR,
    to: START + to * HOUR,
    variables,
  });
  const erase = async (...ranges: EraseRange[]) => {
    const steps: EraseStep[] = [];
    let rest: readonly EraseRange[] = ranges;
    while (rest.length > 0) {
      const step = await stores.observations.erase(rest);
      steps.push(step);
      ({ remaining: rest } = step);
      const { stations, revisions } = step.changes;
      for (const station of new Set(stations)) {
        const [newest] = await stores.observations.newest([station]);
        expect(newest?.revision).to.equal(String(revisions[stations.lastIndexOf(station)]));
      }
    }
    const total = new Map<number, { rows: number; values: number }>();
    for (const { station, rows, values } of steps.flatMap(({ erased }) => erased)) {
      const before = total.get(station) ?? { rows: 0, values: 0 };
      total.set(station, { rows: before.rows + rows, values: before.values + values });
    }
    return { total: [...total], changes: steps.map(({ changes }) => changes) };
  };

  for (const isMerged of [false, true]) {
    const merge = async () => {
      if (isMerged) await (stores.observations as { merge?(): Promise<void> }).merge?.();
    };
    describe(isMerged ? 'merged rows' : 'new rows', () => {
      it('erases the rows of a range of one station, with totals and newest values', async () => {
        await write([
          [a, 0, { 1: 5, 3: 50 }],
          [a, 1, { 1: 6 }],
          [a, 30, { 1: 7 }],
          [b, 1, { 1: 1 }],
        ]);
        await merge();
        const { total, changes } = await erase(hours(a, 1, 31));
        expect(total).to.deep.equal([[a, { rows: 2, values: 2 }]]);
        expect(changes.flatMap(({ stations }) => [...stations]))
          .to.include(a)
          .and.not.to.include(b);
        expect(await describeRows(stores)).to.deep.equal([`${a} 0h 1=5 3=50`, `${b} 1h 1=1`]);
        expect(await stores.observations.inventory([a])).to.deep.equal([
          { first: START, last: START, count: 1, variables: [1, 3] },
        ]);
        const [newest] = await stores.observations.newest([a]);
        expect([newest?.lastSeen, newest?.values.get(1)?.value]).to.deep.equal([START, 5]);
      });

      it('erases one variable, and the rows that have nothing else', async () => {
        await write([
          [a, 0, { 1: 5, 3: 50 }],
          [a, 1, { 1: 6 }],
          [a, 2, { 3: 60 }],
        ]);
        await merge();
        expect((await erase(hours(a, 0, 9, [1]))).total).to.deep.equal([[a, { rows: 2, values: 2 }]]);
        expect(await describeRows(stores)).to.deep.equal([`${a} 0h 3=50`, `${a} 2h 3=60`]);
        const [inventory] = await stores.observations.inventory([a]);
        expect(inventory).to.deep.include({ count: 2, variables: [3] });
      });

      it('erases all rows of several stations, and nothing a second time', async () => {
        await write([
          [a, 0, { 1: 5 }],
          [b, 900, { 1: -0 }],
        ]);
        await merge();
        const all = [a, b].map((station) => ({ station, from: -Infinity, to: Infinity }));
        expect((await erase(...all)).total).to.deep.equal([
          [a, { rows: 1, values: 1 }],
          [b, { rows: 1, values: 1 }],
        ]);
        expect((await erase(...all)).total).to.deep.equal([]);
        expect(await describeRows(stores)).to.deep.equal([]);
        const none = { first: null, last: null, count: 0, variables: [] };
        expect(await stores.observations.inventory([a, b])).to.deep.equal([none, none]);
        await write([[a, 0, { 1: 6 }]]);
        expect(await describeRows(stores)).to.deep.equal([`${a} 0h 1=6`]);
      });

      it('checks the rows after the range again', async () => {
        await write([
          [a, 0, { 1: 5 }],
          [a, 1, { 1: 45 }],
          [a, 2, { 1: 6 }],
        ]);
        await merge();
        expect(await describeRows(stores)).to.deep.equal([
          `${a} 0h 1=5`,
          `${a} 1h 1=45/${FLAG.step}`,
          `${a} 2h 1=6`,
        ]);
        await erase(hours(a, 0, 1));
        expect(await describeRows(stores)).to.deep.equal([`${a} 1h 1=45`, `${a} 2h 1=6/${FLAG.step}`]);
      });
    });
  }

  it('erases thousands of rows in parts', async () => {
    const rows = Array.from({ length: 9000 }, (_, hour): Row => [a, hour, { 1: 5, 3: hour % 100 }]);
    await write(rows);
    expect((await erase(hours(a, 10, 8990, [3]), hours(a, 0, 8999))).total).to.deep.equal([
      [a, { rows: 8980 + 8999, values: 2 * 8999 }],
    ]);
    expect(await describeRows(stores)).to.deep.equal([`${a} 8999h 1=5 3=99`]);
  });

  it('has nothing left where a range ends behind all rows', async () => {
    for (const to of [Infinity, START + 90 * 24 * HOUR]) {
      await write([[a, 0, { 1: 5 }]]);
      const { remaining: rest, erased } = await stores.observations.erase([
        { station: a, from: -Infinity, to },
      ]);
      expect([rest, erased]).to.deep.equal([[], [{ station: a, rows: 1, values: 1 }]]);
    }
  });

  it('leaves the rows of hidden and of unknown stations', async () => {
    await write([[a, 0, { 1: 5 }]]);
    await stores.stations.hide('a', 1);
    expect((await erase(hours(a, 0, 1), hours(9999, 0, 1))).total).to.deep.equal([]);
    await stores.stations.restore('a');
    expect(await describeRows(stores)).to.deep.equal([`${a} 0h 1=5`]);
  });

  if (raw !== undefined)
    it('finds rows that are left where the newest chunk that is left is damaged', async () => {
      const [days, tables] = [24, raw()];
      await write([
        [a, 0, { 3: 50 }],
        [a, 150 * days, { 1: 5, 3: 51 }],
        [a, 300 * days, { 1: 6 }],
      ]);
      await (stores.observations as { merge?(): Promise<void> }).merge?.();
      const [key, name] = tables.isSqlite ? ['key', 'chunk'] : ['day', 'weatherd.chunk'];
      const second = `${key} = (SELECT ${key} FROM ${name} ORDER BY ${key} LIMIT 1 OFFSET 1)`;
      expect(await tables.change('chunk', second, flipped)).to.equal(1);
      await erase(hours(a, 200 * days, 400 * days));
      const [newest] = await stores.observations.newest([a]);
      expect([newest?.lastSeen, newest?.values.get(3)?.value]).to.deep.equal([START, 50]);
      const [inventory] = await stores.observations.inventory([a]);
      expect(inventory?.first).to.equal(START);
      const { damage } = (await stores.verifier?.verify(WATCH)) ?? {};
      expect(damage?.map(({ stations, rows }) => [stations, rows])).to.deep.equal([[['a'], 1]]);
    });

  it('is survived by the undo of an import that has written the rows', async () => {
    const number = await stores.importLog.begin('key', 'rows.csv', 1);
    const rows: Row[] = [
      [a, 0, { 1: 5 }],
      [a, 5, { 1: 6 }],
    ];
    await stores.observations.write([{ batch: hourlyRows(rows), importNumber: number }]);
    await erase(hours(a, 0, 1));
    await stores.importLog.beginUndo(number, 2);
    while (!(await stores.observations.undo(number)).isDone);
    expect(await describeRows(stores)).to.deep.equal([]);
    expect((await stores.importLog.find(number))?.undo?.counts).to.deep.include({
      takenBack: { rows: 1, values: 1 },
      overwritten: { rows: 1, values: 1 },
    });
  });
}
