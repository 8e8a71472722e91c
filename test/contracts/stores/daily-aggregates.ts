import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { Summarize, type SummarizeInput } from '#application/observations/read/summarize.js';
import { type Renewal, RenewAggregates } from '#application/observations/read/aggregates/renew-aggregates.js';
import type { DailyAggregateStore } from '#application/ports/daily-aggregate-store.js';
import type { Stores } from '#application/ports/stores.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import {
  type DailyAggregates,
  isCurrent,
  SEVERAL_INTERVALS,
} from '#domain/weather/summaries/daily-aggregate.js';
import { positionCodeAt, SEVERAL_POSITIONS } from '#domain/weather/summaries/position-code.js';
import { emptyFields, layoutOf } from '#domain/weather/summaries/layout.js';
import { variableNamed, variableNumbered } from '#domain/weather/variables.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { JFK } from './station-store.js';
import { NO_DAILY_AGGREGATES } from '../../support/no-daily-aggregates.js';

const START = Date.UTC(2024, 0, 1, 5);
const HOUR = 3_600_000;
const CALENDAR = new TemporalCalendar();
/** Temperature, speed and direction of the wind, gusts, rain, radiation, sunshine. */
const VARIABLES = [1, 6, 7, 8, 9, 11, 13] as const;
/** Of an earlier period. */
const PLACE = { latitude: JFK.latitude, longitude: JFK.longitude, elevation: JFK.elevation };
/** With a polar night in January. */
const TROMSO = { latitude: 69.68, longitude: 18.91 };
const ZONES = ['America/New_York', 'Europe/Lisbon', 'Asia/Kathmandu', '-03:30'];

/** The part of the rows that is compared in ranges that begin and end within a month. */
const PART = { from: START + 20 * 24 * HOUR, to: START + 101 * 24 * HOUR, interval: 'month' } as const;
/** The summaries that must be the same with and without tables. */
const QUESTIONS: readonly Partial<SummarizeInput>[] = [
  ...(['day', 'month', 'year'] as const).flatMap((interval) => [
    { interval },
    { interval, variables: ['wind_from_direction', 'precipitation_amount'] },
  ]),
  // The month before the first row has its first amount.
  { interval: 'month', from: START - 1 },
  // The intervals of routine reports are in the tables.
  { interval: 'hour', from: START + 40 * 24 * HOUR, to: START + 41 * 24 * HOUR },
  PART,
  { ...PART, quality: 'all' },
  { ...PART, timeZone: 'UTC' },
  { ...PART, dayStart: 360 },
];

/** Summaries of a station, one for each question: of its days unless the question says otherwise. */
export async function summaryPages(
  { observations }: Stores,
  summarize: Summarize,
  id: string,
  questions: readonly Partial<SummarizeInput>[],
) {
  const described = await new DescribeStation(new FakeClock(), observations).execute(id);
  const pages = [];
  for (const question of questions) {
    const page = await summarize.execute(described, {
      interval: 'day',
      timeZone: 'station',
      dayStart: 0,
      variables: undefined,
      quality: 'pass',
      from: undefined,
      to: undefined,
      ...question,
    });
    pages.push({ from: page.from, variables: page.variables.map(({ name }) => name), rows: [...page.rows] });
  }
  return pages;
}

/** A summary of a station, of its days unless `input` says otherwise. */
export async function summaryPage(
  stores: Stores,
  summarize: Summarize,
  id: string,
  input: Partial<SummarizeInput>,
) {
  const [page] = await summaryPages(stores, summarize, id, [input]);
  return page as NonNullable<typeof page>;
}

/** Rules for summaries with tables of days: they are equal to those from the rows, to the last bit. */
export function dailyAggregatesContract(opened: () => Stores): void {
  let stores: Stores;
  let station: number;
  let keep: MaintainDailyAggregates;
  let withTables: Summarize;
  let withoutTables: Summarize;

  const made = (tables = NO_DAILY_AGGREGATES) => {
    const keeper = new MaintainDailyAggregates(CALENDAR, stores.observations, tables);
    const sumFromAggregates = new SumFromAggregates(CALENDAR, tables, keeper);
    return { keeper, summarize: new Summarize(CALENDAR, stores.observations, sumFromAggregates) };
  };
  const begin = async (id: string, reportingInterval = JFK.reportingInterval) => {
    stores = opened();
    const [put] = await stores.stations.put([
      { ...JFK, id, timeZone: 'America/New_York', reportingInterval },
    ]);
    station = put?.station.number ?? 0;
    const { keeper, summarize } = made(stores.dailyAggregates);
    [keep, withTables, withoutTables] = [keeper, summarize, made().summarize];
  };
  const write = (hours: readonly number[], seed: number, importNumber?: number) => {
    const times = Float64Array.from(hours, (hour) => START + hour * HOUR);
    const column = (scale: number) => times.map((time) => ((time / HOUR + seed) * 7.3) % scale);
    const values = new Map<number, Float64Array>(
      VARIABLES.map((variable) => [variable, column(variable === 7 ? 359 : 33.7)]),
    );
    const batch = { stations: new Uint32Array(times.length).fill(station), times, values, flags: new Map() };
    return stores.observations.write([{ batch, ...(importNumber !== undefined && { importNumber }) }]);
  };
  const pageOf = (summarize: Summarize, id: string, input: Partial<SummarizeInput>) =>
    summaryPage(stores, summarize, id, input);
  /**
   * Compares the summaries with tables with those from the rows.
   *
   * @param expected the summaries, if they are known from before the last change of tables
   * @returns the summaries
   */
  const areEqual = async (id: string, expected?: Awaited<ReturnType<typeof summaryPages>>) => {
    const found = await summaryPages(stores, withTables, id, QUESTIONS);
    expected ??= await summaryPages(stores, withoutTables, id, QUESTIONS);
    expect(found).to.deep.equal(expected);
    return found;
  };
  /** Makes tables, and compares the summaries before and after. */
  const keepAndCompare = async (id: string) => {
    const before = await areEqual(id);
    await keep.execute();
    await areEqual(id, before);
  };
  /** The months of a station on 10 April 2024, which is in its running month and year. */
  const climateOf = async (summarize: Summarize, id: string) => {
    const clock = new FakeClock();
    clock.time = Date.UTC(2024, 3, 10, 12);
    const described = await new DescribeStation(clock, stores.observations).execute(id);
    const days = new ReadClimateDays(
      CALENDAR,
      summarize,
      new SumFromAggregates(CALENDAR, NO_DAILY_AGGREGATES, keep),
    );
    const { sections } = await new ListClimateMonths(days).execute(described, {
      dayStart: 0,
      rule: 'wmo_1203',
    });
    return sections;
  };
  const found = (timeZone = 'America/New_York') =>
    stores.dailyAggregates.find({ stations: [station], timeZone, from: -8.64e15, to: 8.64e15 });
  const months = async () => (await found()).map(({ start }) => new Date(start).getUTCMonth());
  const everyThird = Array.from({ length: 24 * 40 }, (_, hour) => hour * 3);

  it('are made of months that are wanted and settled, and dropped with every change of their rows', async () => {
    await begin('tables');
    await write(everyThird, 0);
    expect(await found()).to.have.lengthOf(0);
    const summaries = await areEqual('tables');
    await keep.execute();
    const tables = await found();
    expect(tables.map(({ start, days }) => [new Date(start).getUTCMonth(), days])).to.deep.equal([
      // The amount at the first instant of January belongs to December.
      [11, 31],
      [0, 31],
      [1, 29],
      [2, 31],
    ]);
    await areEqual('tables', summaries);
    // An amount at the first instant of April belongs to the last day of March.
    await write([(31 + 29 + 31) * 24 - 1], 1);
    expect(await months()).to.deep.equal([11, 0, 1]);
    await write([31 * 24 + 1], 1);
    expect(await months()).to.deep.equal([11, 0]);
    await areEqual('tables');
    await keep.execute();
    await write([24 * 130], 2);
    expect(await months()).to.deep.equal([11, 0, 1, 2]);
    // Tables that were made from rows before a change are not kept.
    const [, first] = await found();
    const before = await stores.observations.describe('tables');
    await write([5], 3);
    if (first !== undefined) {
      const { start, end, days, rules } = first;
      const common = { rules, unusualMethods: [], positionCode: 0, routine: new Map<number, number>() };
      const table = { start, end, days, reportingInterval: null, ...common, sums: new Map() };
      await stores.dailyAggregates.put(station, before?.revision ?? '', 'America/New_York', [table]);
    }
    expect(await months()).to.deep.equal([11, 1, 2]);
    expect(await found('Europe/Lisbon')).to.have.lengthOf(0);
    await areEqual('tables');
  });

  it('of former computation rules are not read, and computed again in the background, in two instances at once', async () => {
    await begin('former');
    await write(everyThird, 0);
    const summaries = await areEqual('former');
    await keep.execute();
    const described = await stores.observations.describe('former');
    const tables = await found();
    // As a former version has left them: other rules, and sums that are none of these.
    const former = tables.map(({ start, end, days, reportingInterval }): DailyAggregates => {
      const fields = emptyFields(layoutOf(variableNumbered(1)), days);
      (fields[0] as Float64Array).fill(7);
      const common = { unusualMethods: [], positionCode: 0, routine: new Map<number, number>() };
      const sums = new Map([[1, fields]]);
      return { start, end, days, reportingInterval: reportingInterval ?? null, rules: 1, ...common, sums };
    });
    await stores.dailyAggregates.put(station, described?.revision ?? '', 'America/New_York', former);
    const outdated = async () => {
      const all = await stores.dailyAggregates.outdated(COMPUTATION_RULES);
      return all.filter((one) => one.station === station).map(({ count }) => count);
    };
    expect(await outdated()).to.deep.equal([former.length]);
    await areEqual('former', summaries);
    expect((await found()).map(({ rules }) => rules)).to.deep.equal(former.map(() => 1));

    const reports: Renewal[][] = [[], []];
    const store = stores.dailyAggregates;
    // No instance goes on before both have looked, because one would find nothing to do after the other one has ended.
    let remaining = reports.length;
    let goOn: () => void = () => undefined;
    const haveLooked = new Promise<void>((resolve) => (goOn = resolve));
    const looking = {
      outdated: async (rules: number) => {
        const all = await store.outdated(rules);
        remaining -= 1;
        if (remaining === 0) goOn();
        await haveLooked;
        return all;
      },
    } as DailyAggregateStore;
    const instances = reports.map((own) => {
      const renew = new RenewAggregates(CALENDAR, stores.stations, looking, made(store).keeper);
      return { renew, report: (renewal: Renewal) => void own.push(renewal) };
    });
    await Promise.all(instances.map(({ renew, report }) => renew.execute(report)));
    expect(await outdated()).to.deep.equal([]);
    expect((await found()).map(({ start, rules }) => [start, rules])).to.deep.equal(
      former.map(({ start }) => [start, COMPUTATION_RULES]),
    );
    for (const own of reports) {
      const total = own[0]?.total ?? 0;
      expect(total).to.be.at.least(former.length);
      expect(own[0]?.done).to.equal(0);
      expect(own.at(-1)?.done).to.equal(total);
    }
    await areEqual('former', summaries);
    const [instance] = instances;
    await instance?.renew.execute(() => expect.fail('there is nothing left to do'));
  });

  it('follow what a station says of the times of its values', async () => {
    await begin('methods');
    await write(everyThird, 0);
    for (const cellMethods of [{}, { wind_speed: 'point', air_temperature: 'interval' }, {}] as const) {
      const draft = { ...JFK, id: 'methods', timeZone: 'America/New_York', cellMethods };
      await stores.stations.put([draft]);
      await keepAndCompare('methods');
      const unusual = Object.keys(cellMethods).map((name) => variableNamed(name)?.number);
      for (const table of await found()) expect(table.unusualMethods).to.have.members(unusual);
    }
  });

  it('follow the position of a station, where values depend on the sun', async () => {
    await begin('moved');
    // Without January and March, in which all rows are temperatures.
    const all = Array.from({ length: 24 * 130 }, (_, hour) => hour);
    const byDay = all.filter((hour) => (hour % 24 > 5 && hour % 24 < 20) || hour % 40 === 0);
    await write(byDay, 0);
    const draft = { ...JFK, id: 'moved', timeZone: 'America/New_York', reportingInterval: 3600 };
    const energies = async () => {
      const { variables, rows } = await pageOf(withTables, 'moved', { interval: 'month', from: START });
      const index = variables.indexOf('surface_downwelling_shortwave_flux_in_air');
      return rows.slice(0, 4).map(({ completeness }) => completeness[index]?.valid);
    };
    const codes = async () => (await found()).map(({ positionCode }) => positionCode);
    await keep.execute();
    expect(await energies()).to.deep.equal([true, true, true, true]);
    await keep.execute();
    const code = positionCodeAt({ ...PLACE, reportingInterval: null }, 0);
    expect(await codes()).to.include.members([code]);
    await areEqual('moved');

    // A correction of the position: no number is taken from the tables of the former position.
    const west = { longitude: JFK.longitude + 90 };
    await stores.stations.put([{ ...draft, ...west }]);
    expect(await energies()).to.deep.equal([false, false, false, false]);
    const summaries = await areEqual('moved');
    await keep.execute();
    const other = positionCodeAt({ ...PLACE, ...west, reportingInterval: null }, 0);
    expect(new Set(await codes())).to.deep.equal(new Set([other]));
    await areEqual('moved', summaries);

    // A station that has moved within a month keeps the tables of the other months.
    const until = START + 45 * 24 * HOUR;
    await stores.stations.put([
      { ...draft, earlier: [{ ...PLACE, ...west, reportingInterval: 3600, until }] },
    ]);
    expect((await energies()).slice(0, 1)).to.deep.equal([false]);
    expect((await energies()).slice(2)).to.deep.equal([true, true]);
    await keepAndCompare('moved');
    const known = await stores.stations.find('moved');
    if (known === undefined) throw new Error('the station is gone');
    const tables = await found();
    expect(tables.map((table) => isCurrent(known, table))).to.deep.equal(
      tables.map((table) => table.start > until || table.end < until),
    );
    await keep.compute(
      known,
      CALENDAR.buckets('month', 'America/New_York', 0, START, START + 80 * 24 * HOUR),
    );
    expect(await codes()).to.include.members([other, SEVERAL_POSITIONS, code]);
    await areEqual('moved');
  });

  it('are dropped with the rows that an undo or an erasure changes', async () => {
    await begin('changed');
    await write(everyThird, 0);
    const number = await stores.importLog.begin('changed', 'rows.csv', 1);
    await write([10 * 24 + 1], 1, number);
    await keepAndCompare('changed');
    await stores.importLog.beginUndo(number, 2);
    while (!(await stores.observations.undo(number)).isDone);
    expect(await months()).to.deep.equal([11, 1, 2]);
    await keepAndCompare('changed');
    const [from, to] = [START + 40 * 24 * HOUR, START + 41 * 24 * HOUR];
    await stores.observations.erase([{ station, from, to }]);
    expect(await months()).to.deep.equal([11, 0, 2]);
    await areEqual('changed');
  });

  it('give the same climate of a running month and year', async () => {
    await begin('running', 10_800);
    await write(everyThird, 0);
    await climateOf(withTables, 'running');
    await keep.execute();
    const climate = await climateOf(withTables, 'running');
    expect(climate).to.deep.equal(await climateOf(withoutTables, 'running'));
    const running = [climate['months']?.at(-1), climate['years']?.at(-1)];
    expect(running.map((row) => [row?.label, row?.figures.at(-1)?.soFar?.days])).to.deep.equal([
      ['2024-04', 9],
      ['2024', 100],
    ]);
  });

  it('stay valid when the reporting interval of another month changes, and a month of several intervals has none', async () => {
    await begin('several');
    await write(everyThird, 0);
    const change = (until: number, before: number, after: number) => {
      const earlier = [{ ...PLACE, reportingInterval: before, until }];
      const draft = { ...JFK, id: 'several', timeZone: 'America/New_York' };
      return stores.stations.put([{ ...draft, reportingInterval: after, earlier }]);
    };
    const [february, march] = [START + 31 * 24 * HOUR, START + 60 * 24 * HOUR];
    const intervals = async () => {
      await keepAndCompare('several');
      return (await found()).map(({ reportingInterval }) => reportingInterval);
    };
    await change(february, 3600, 10_800);
    expect(await intervals()).to.deep.equal([3600, 3600, 10_800, 10_800]);
    await change(march, 3600, 10_800);
    expect(await intervals()).to.deep.equal([3600, 3600, 3600, 10_800]);
    // The table of February stays in the store, and is not used.
    await change(march - 10.5 * 24 * HOUR, 10_800, 3600);
    expect(await intervals()).to.deep.equal([10_800, 10_800, 3600, 3600]);
    // Before rows are removed, each month gets a table.
    const known = await stores.stations.find('several');
    if (known === undefined) throw new Error('the station is gone');
    await keep.compute(known, CALENDAR.buckets('month', 'America/New_York', 0, START, march));
    expect(await intervals()).to.deep.equal([10_800, 10_800, SEVERAL_INTERVALS, 3600]);
  });

  it('leave no trace of themselves in summaries, after any changes in any order', async () => {
    // Also between the hours, so that reports are irregular.
    const hour = fc.integer({ min: 0, max: 24 * 160 * 4 }).map((quarters) => quarters / 4);
    const command = fc.oneof(
      fc.record({
        kind: fc.constant('write' as const),
        hours: fc.uniqueArray(hour, { minLength: 1, maxLength: 20 }),
      }),
      fc.record({
        kind: fc.constant('import' as const),
        hours: fc.uniqueArray(hour, { minLength: 1, maxLength: 20 }),
      }),
      fc.record({
        kind: fc.constantFrom('undo' as const, 'keep' as const, 'keep' as const, 'compare' as const),
      }),
      fc.record({
        kind: fc.constant('station' as const),
        // Mostly the zone of the tables that exist.
        timeZone: fc.oneof(
          { weight: 3, arbitrary: fc.constant('America/New_York') },
          { weight: 1, arbitrary: fc.constantFrom(...ZONES) },
        ),
        reportingInterval: fc.constantFrom(null, 600, 3600, 10_800),
        position: fc.constantFrom({}, {}, TROMSO, { ...TROMSO, positionDecimals: 0 }),
        earlier: fc.constantFrom(
          [],
          [{ ...PLACE, ...TROMSO, reportingInterval: 3600, until: START + 20.5 * 24 * HOUR }],
          [{ ...PLACE, reportingInterval: 10_800, until: START + 40.5 * 24 * HOUR }],
          [{ ...PLACE, reportingInterval: 3600, until: START + 60 * 24 * HOUR }],
        ),
      }),
    );
    const makeTables = async (id: string) => {
      await pageOf(withTables, id, { interval: 'month' });
      await keep.execute();
    };
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 12 }), async (commands) => {
        round += 1;
        const id = `any-${round}`;
        await begin(id);
        await write(everyThird, round);
        await makeTables(id);
        let last: number | undefined;
        for (const [index, one] of commands.entries()) {
          if (one.kind === 'write') await write(one.hours, index);
          else if (one.kind === 'station') {
            const { timeZone, reportingInterval, position, earlier } = one;
            await stores.stations.put([{ ...JFK, id, timeZone, reportingInterval, ...position, earlier }]);
          } else if (one.kind === 'compare') await areEqual(id);
          else if (one.kind === 'import') {
            last = await stores.importLog.begin(`${id}-${index}`, 'rows.csv', 1);
            await write(one.hours, index, last);
          } else if (one.kind === 'undo' && last !== undefined) {
            await stores.importLog.beginUndo(last, 2);
            while (!(await stores.observations.undo(last)).isDone);
            last = undefined;
          } else if (one.kind === 'keep') await makeTables(id);
        }
        await areEqual(id);
      }),
      { numRuns: 4 },
    );
  });
}
