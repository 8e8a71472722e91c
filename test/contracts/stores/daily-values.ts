import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { Summarize } from '#application/observations/read/summarize.js';
import type { Stores } from '#application/ports/stores.js';
import type { WriteCounts } from '#domain/weather/merge-series.js';
import { isDaily } from '#domain/weather/variables.js';
import { NO_DAILY_AGGREGATES } from '../../support/no-daily-aggregates.js';
import { flipped, type RawStore } from '../../support/raw-store.js';
import { catchUp, recheckOf } from '../../support/recheck.js';
import { WATCH } from '../../support/verify-watch.js';
import { summaryPage } from './daily-aggregates.js';
import { describeRows, hourlyRows } from './erase.js';
import { batchOf } from './observation-store.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Air temperature, and the daily maximum and daily amount of rain. */
const [TEMPERATURE, MAXIMUM, RAIN] = [1, 29, 32];

/** What becomes of each row, if reports and daily values are stored apart. */
class CountedRows {
  readonly #cells = new Map<string, number>();
  readonly #times = new Set<string>();

  write(rows: readonly (readonly [hour: number, values: Readonly<Record<number, number>>])[]): WriteCounts {
    const counts = { inserted: 0, updated: 0, unchanged: 0 };
    const before = { cells: new Map(this.#cells), times: new Set(this.#times) };
    for (const [hour, values] of rows)
      for (const [variable, value] of Object.entries(values)) {
        this.#cells.set(`${hour} ${variable}`, value);
        this.#times.add(`${hour} ${isDaily(Number(variable))}`);
      }
    for (const [hour, values] of rows) {
      const kinds = new Set(Object.keys(values).map((variable) => isDaily(Number(variable))));
      const outcomes = [...kinds].map((isOfDay) => {
        if (!before.times.has(`${hour} ${isOfDay}`)) return 'inserted';
        const own = [...this.#cells].filter(([cell]) => {
          const [at, variable] = cell.split(' ');
          return Number(at) === hour && isDaily(Number(variable)) === isOfDay;
        });
        return own.some(([cell, value]) => before.cells.get(cell) !== value) ? 'updated' : 'unchanged';
      });
      counts[new Set(outcomes).size === 1 ? (outcomes[0] as 'updated') : 'updated'] += 1;
    }
    return counts;
  }
}

/** The rules for daily values in every store: they are stored apart from the reports, and are read as one with them. */
export function dailyValuesContract(opened: () => Stores, raw: () => RawStore): void {
  let stores: Stores;
  let station: number;

  beforeEach(async () => {
    stores = opened();
    const [made] = await stores.stations.put([{ ...JFK, id: 'a', timeZone: 'UTC', limits: {} }]);
    station = made?.station.number ?? 0;
  });

  const write = (rows: readonly (readonly [hour: number, values: Readonly<Record<number, number>>])[]) =>
    stores.observations.write([{ batch: hourlyRows(rows.map(([hour, values]) => [station, hour, values])) }]);
  const merge = async () => {
    const store = stores.observations as { merge?(scope: string): Promise<void> };
    await store.merge?.('all');
  };
  const inventory = async () => (await stores.observations.inventory([station]))[0];
  const rowsOf = async (variables?: readonly number[]) => {
    const found: string[] = [];
    const query = { stations: [station], from: -8.64e15, to: 8.64e15, ...(variables && { variables }) };
    for await (const { times, values } of stores.observations.read(query))
      for (const [row, time] of times.entries()) {
        const cells = [...values]
          .filter(([, column]) => !Number.isNaN(column[row]))
          .sort(([a], [b]) => a - b);
        found.push(
          `${(time - START) / HOUR}h ${cells.map(([one, column]) => `${one}=${column[row]}`).join(' ')}`,
        );
      }
    return found;
  };
  const isClean = async () => {
    const { damage, differences, faults } = await stores.verifier.verify(WATCH);
    expect({ damage, differences, faults }).to.deep.equal({ damage: [], differences: [], faults: [] });
  };

  it('are in one row with the reports of the same time', async () => {
    await write([
      [24, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }],
      [12, { [TEMPERATURE]: 8 }],
      [48, { [RAIN]: 3 }],
    ]);
    const all = ['12h 1=8', '24h 1=5 29=9', '48h 32=3'];
    expect(await rowsOf()).to.deep.equal(all);
    expect(await rowsOf([MAXIMUM])).to.deep.equal(['24h 29=9']);
    expect(await rowsOf([RAIN, TEMPERATURE])).to.deep.equal(['12h 1=8', '24h 1=5', '48h 32=3']);
    await merge();
    expect(await rowsOf()).to.deep.equal(all);
    await isClean();
  });

  it('are in one row with their reports if each day has a report', async () => {
    await write([
      [24, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }],
      [25, { [TEMPERATURE]: 6 }],
      [48, { [TEMPERATURE]: 7, [MAXIMUM]: 8 }],
    ]);
    for (let step = 0; step < 2; step += 1) {
      expect(await rowsOf()).to.deep.equal(['24h 1=5 29=9', '25h 1=6', '48h 1=7 29=8']);
      await merge();
    }
  });

  it('are plain rows for people with psql, as reports are', async () => {
    if (raw().isSqlite) return;
    await write([
      [24, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }],
      [48, { [RAIN]: 3 }],
    ]);
    for (let step = 0; step < 2; step += 1) {
      const rows = await raw().run('SELECT variable, value FROM @observation_rows ORDER BY time, variable');
      expect(rows.map(({ variable, value }) => `${String(variable)} ${String(value)}`)).to.deep.equal([
        'air_temperature 5',
        'daily_maximum_air_temperature 9',
        'daily_precipitation_amount 3',
      ]);
      await merge();
    }
  });

  it('do not count as reports', async () => {
    await write([
      [12, { [TEMPERATURE]: 8 }],
      [13, { [TEMPERATURE]: 7 }],
    ]);
    const reports = { first: START + 12 * HOUR, last: START + 13 * HOUR, count: 2 };
    expect(await inventory()).to.deep.equal({ ...reports, variables: [TEMPERATURE] });
    await write([
      [-24, { [MAXIMUM]: 1 }],
      [24, { [MAXIMUM]: 9 }],
      [48, { [MAXIMUM]: 10 }],
    ]);
    const days = { first: START - DAY, last: START + 2 * DAY, count: 3 };
    for (const step of [merge, async () => undefined]) {
      expect(await inventory()).to.deep.equal({ ...reports, variables: [TEMPERATURE, MAXIMUM], days });
      const [newest] = await stores.observations.newest([station]);
      expect(newest?.lastSeen).to.equal(reports.last);
      expect(newest?.values.get(MAXIMUM)).to.deep.equal({ time: days.last, value: 10, flags: 0 });
      expect([...(newest?.values.keys() ?? [])]).to.deep.equal([TEMPERATURE, MAXIMUM]);
      await step();
    }
  });

  it('are the rows of a station without reports', async () => {
    await write([
      [24, { [MAXIMUM]: 9 }],
      [48, { [MAXIMUM]: 10 }],
    ]);
    const days = { first: START + DAY, last: START + 2 * DAY, count: 2 };
    expect(await inventory()).to.deep.equal({ ...days, variables: [MAXIMUM], days });
    expect((await stores.observations.newest([station]))[0]?.lastSeen).to.equal(days.last);
  });

  it('are counted as one row with the reports of the same row', async () => {
    const values = fc.dictionary(
      fc.constantFrom(String(TEMPERATURE), '3', String(MAXIMUM), String(RAIN)),
      fc.integer({ min: 10, max: 12 }),
      { minKeys: 1 },
    );
    const row = fc.tuple(fc.integer({ min: 0, max: 8 }), values);
    const rows = fc.uniqueArray(row, { selector: ([hour]) => hour, minLength: 1, maxLength: 6 });
    const repeated = fc.array(row, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), repeated, async (writes, last) => {
        await stores.observations.erase([{ station, from: -8.64e15, to: 8.64e15 }]);
        const model = new CountedRows();
        for (const sent of writes) {
          const { outcomes } = await write(sent);
          const { inserted, updated, unchanged } = outcomes[0] as WriteCounts;
          expect({ inserted, updated, unchanged }).to.deep.equal(model.write(sent));
        }
        const { inserted, updated, unchanged } = (await write(last)).outcomes[0] as WriteCounts;
        expect(inserted + updated + unchanged).to.equal(last.length);
        expect(Math.min(inserted, updated, unchanged)).to.be.at.least(0);
      }),
      { numRuns: 20 },
    );
  });

  it('of an unknown station are left out with its reports', async () => {
    const batch = hourlyRows([
      [station + 1, 0, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }],
      [station + 1, 24, { [MAXIMUM]: 9 }],
    ]);
    const { outcomes, changes } = await stores.observations.write([{ batch }]);
    expect(outcomes).to.deep.equal([{ inserted: 0, updated: 0, unchanged: 0, unknown: [station + 1] }]);
    expect(changes.stations).to.have.length(0);
  });

  it('are announced under the number of their station, with a revision that its newest values have too', async () => {
    for (const values of [{ [MAXIMUM]: 9 }, { [TEMPERATURE]: 5 }, { [MAXIMUM]: 10, [TEMPERATURE]: 6 }]) {
      const { changes } = await write([[24, values]]);
      expect(new Set(changes.stations)).to.deep.equal(new Set([station]));
      const [newest] = await stores.observations.newest([station]);
      expect(Number(newest?.revision)).to.equal(Math.max(...changes.revisions));
    }
  });

  it('are read although all reports are damaged, because reading them decodes no report', async () => {
    const rows = Array.from({ length: 240 }, (_, hour) => {
      return [
        hour,
        { [TEMPERATURE]: 5 + (hour % 7), ...(hour % 24 === 0 && { [MAXIMUM]: 9 + (hour % 5) }) },
      ] as const;
    });
    await write(rows);
    await merge();
    const expected = await rowsOf([MAXIMUM]);
    expect(expected).to.have.length(10);
    expect(await raw().change('chunk', 'variables = 2', flipped)).to.be.above(0);
    expect(await rowsOf([MAXIMUM])).to.deep.equal(expected);
    const failure = await rowsOf([TEMPERATURE]).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'DATA_DAMAGED');
    expect(failure).to.have.property('message').that.contains('"a"');
  });

  it('name their station when they are damaged', async () => {
    await write([
      [24, { [MAXIMUM]: 9 }],
      [25, { [TEMPERATURE]: 5 }],
    ]);
    await merge();
    expect(await raw().change('chunk', 'variables > 2', flipped)).to.equal(1);
    const failure = await rowsOf().catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'DATA_DAMAGED');
    expect(failure).to.have.property('message').that.contains('"a"');
    expect(await rowsOf([TEMPERATURE])).to.deep.equal(['25h 1=5']);
    const { damage } = await stores.verifier.discard(WATCH);
    expect(damage.map(({ stations }) => stations)).to.deep.equal([['a']]);
    expect(await rowsOf()).to.deep.equal(['25h 1=5']);
    await isClean();
  });

  it('are in the order of the stations, between the reports of other stations', async () => {
    const ids = Array.from({ length: 70 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    const made = await stores.stations.put(ids.map((id) => ({ ...JFK, id, limits: {} })));
    const numbers = made.map(({ station: { number } }) => number);
    const rows = numbers.flatMap((number, index) => [
      ...(index % 3 === 0
        ? []
        : ([
            [number, 12, { [TEMPERATURE]: 5 }],
            [number, 30, { [TEMPERATURE]: 6 }],
          ] as const)),
      ...(index % 2 === 0
        ? []
        : ([
            [number, 24, { [MAXIMUM]: 9 }],
            [number, 48, { [MAXIMUM]: 8 }],
          ] as const)),
    ]);
    await stores.observations.write([{ batch: hourlyRows(rows.toReversed()) }]);
    const expected = rows
      .map(([number, hour, values]) => [number, hour, Object.entries(values)[0]?.join('=')] as const)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map(([number, hour, cell]) => `${number} ${hour}h ${cell}`);
    for (let step = 0; step < 2; step += 1) {
      expect(await describeRows(stores)).to.deep.equal(expected);
      const limited: number[] = [];
      const query = { stations: numbers, from: -8.64e15, to: 8.64e15, rows: 5 };
      for await (const { times } of stores.observations.read(query)) limited.push(...times);
      expect(limited.length).to.be.at.least(5);
      await merge();
    }
  });

  it('of a long time are read in batches, each with its reports', async () => {
    const hours = Array.from({ length: 40_000 }, (_, hour) => hour);
    const times = Float64Array.from(hours, (hour) => START + hour * HOUR);
    const column = (isWanted: (hour: number) => boolean) =>
      Float64Array.from(hours, (hour) => (isWanted(hour) ? 5 + (hour % 7) / 10 : Number.NaN));
    const reports = column((hour) => hour < 20_000 || hour > 30_000);
    const days = column((hour) => hour % 24 === 0);
    const expected = hours.flatMap((hour) => {
      const cells = [reports[hour], days[hour]].map((value) => (Number.isNaN(value) ? '' : String(value)));
      return cells.every((cell) => cell === '') ? [] : [`${hour} ${cells.join(' ')}`];
    });
    await stores.observations.write([
      {
        batch: {
          stations: new Uint32Array(hours.length).fill(station),
          times,
          values: new Map([
            [TEMPERATURE, reports],
            [MAXIMUM, days],
          ]),
          flags: new Map(),
        },
      },
    ]);
    for (let step = 0; step < 2; step += 1) {
      const found: string[] = [];
      for await (const batch of stores.observations.read({
        stations: [station],
        from: -8.64e15,
        to: 8.64e15,
      }))
        for (const [row, time] of batch.times.entries()) {
          const cells = [TEMPERATURE, MAXIMUM].map((one) => {
            const value = batch.values.get(one)?.[row] ?? Number.NaN;
            return Number.isNaN(value) ? '' : String(value);
          });
          found.push(`${(time - START) / HOUR} ${cells.join(' ')}`);
        }
      expect(found).to.deep.equal(expected);
      await merge();
    }
  });

  it('are in the daily aggregates of their month, which are dropped when they change', async () => {
    const calendar = new TemporalCalendar();
    const keep = new MaintainDailyAggregates(calendar, stores.observations, stores.dailyAggregates);
    const summarize = (tables: Stores['dailyAggregates']) =>
      new Summarize(calendar, stores.observations, new SumFromAggregates(calendar, tables, keep));
    const page = (tables: Stores['dailyAggregates']) =>
      summaryPage(stores, summarize(tables), 'a', { interval: 'month' });
    const areEqual = async () =>
      expect(await page(stores.dailyAggregates)).to.deep.equal(await page(NO_DAILY_AGGREGATES));
    const aggregates = () =>
      stores.dailyAggregates.find({ stations: [station], timeZone: 'UTC', from: -8.64e15, to: 8.64e15 });
    const rows = Array.from({ length: 24 * 100 }, (_, hour) => {
      const isDay = hour % 24 === 0;
      return [
        hour,
        { ...(hour % 5 < 3 && { [TEMPERATURE]: 5 + (hour % 9) }), ...(isDay && { [RAIN]: hour % 7 }) },
      ] as const;
    });
    await write(rows.filter(([, values]) => Object.keys(values).length > 0));
    await areEqual();
    await keep.execute();
    expect((await aggregates()).length).to.be.above(1);
    await areEqual();
    await merge();
    await isClean();
    const before = (await aggregates()).length;
    await write([[24 * 10, { [RAIN]: 99 }]]);
    expect(await aggregates()).to.have.length(before - 1);
    await areEqual();
  });

  it('are checked again together with their reports', async () => {
    await write([
      [24, { [TEMPERATURE]: 5, [MAXIMUM]: 9, 30: 4 }],
      [25, { [TEMPERATURE]: 6 }],
      [48, { [MAXIMUM]: 3, 30: 4 }],
    ]);
    await merge();
    const wanted = await stores.recheck.requests(100);
    expect(new Set(wanted.map((request) => request.station))).to.deep.equal(new Set([station]));
    const override = {
      id: 'o',
      station,
      variable: MAXIMUM,
      from: START,
      to: START + 30 * HOUR,
      verdict: 'bad' as const,
    };
    await stores.overrides.add({ ...override, reason: 'a test', madeBy: null, madeAt: 0 });
    await catchUp(recheckOf(stores));
    const rows = await describeRows(stores);
    expect(rows[0]).to.contain('29=9/128');
    expect(await stores.recheck.requests(100)).to.deep.equal([]);
    await isClean();
  });

  it('are taken back with an import, and its stations are named once', async () => {
    await write([[24, { [MAXIMUM]: 1 }]]);
    const number = await stores.importLog.begin(undefined, 'days.csv', 0);
    const batch = hourlyRows([
      [station, 24, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }],
      [station, 48, { [MAXIMUM]: 9 }],
    ]);
    await stores.observations.write([{ batch, importNumber: number }]);
    await stores.importLog.end(number, 1);
    expect((await stores.importLog.find(number))?.stations).to.deep.equal([station]);
    await stores.importLog.beginUndo(number, 2);
    while (!(await stores.observations.undo(number)).isDone);
    expect(await rowsOf()).to.deep.equal(['24h 29=1']);
    await isClean();
  });

  it('are removed with their station', async () => {
    const [other] = await stores.stations.put([{ ...JFK, id: 'b' }]);
    const both = [station, other?.station.number ?? 0];
    const rows = both.flatMap(
      (one) =>
        [
          [one, 24, { [MAXIMUM]: 9, [TEMPERATURE]: 5 }],
          [one, 2400, { [MAXIMUM]: 9 }],
        ] as const,
    );
    await stores.observations.write([{ batch: hourlyRows(rows) }]);
    await stores.stations.remove('a');
    expect(await stores.stations.erased()).to.deep.equal([station]);
    while (await stores.stations.eraseRows(station));
    expect(await stores.stations.erased()).to.deep.equal([]);
    expect(await raw().run('SELECT number FROM @erased_station')).to.deep.equal([]);
    const left = (await raw().run('SELECT DISTINCT station FROM @newest')).map(
      (row) => Number(row['station']) % 2 ** 30,
    );
    expect(left.every((one) => one === both[1])).to.equal(true);
    await merge();
    expect(await describeRows(stores)).to.deep.equal([`${both[1]} 24h 1=5 29=9`, `${both[1]} 2400h 29=9`]);
    await isClean();
  });

  it('are copied like all other rows', async () => {
    await write([[24, { [TEMPERATURE]: 5, [MAXIMUM]: 9 }]]);
    expect(
      await stores.observations.append(
        batchOf([[station, START + 48 * HOUR, { [MAXIMUM]: 8, [TEMPERATURE]: 4 }]]),
      ),
    ).to.equal(true);
    expect(
      await stores.observations.append(batchOf([[station, START + 47 * HOUR, { [MAXIMUM]: 8 }]])),
    ).to.equal(false);
    expect(await rowsOf()).to.deep.equal(['24h 1=5 29=9', '48h 1=4 29=8']);
    expect(await inventory()).to.have.property('count', 2);
  });
}
