import { expect } from 'chai';
import sinon from 'sinon';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { type Renewal, RenewAggregates } from '#application/observations/read/aggregates/renew-aggregates.js';
import type {
  DailyAggregateQuery,
  DailyAggregateStore,
  MonthRange,
  OutdatedAggregates,
} from '#application/ports/daily-aggregate-store.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MILLISECONDS } from '#domain/time.js';
import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';
import { V } from '#domain/weather/variables.js';
import { rejectionOf } from '../../../support/rejection.js';
import { addStation, record } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const { hour, day } = MILLISECONDS;
const START = '2024-01-01T05:00:00Z';
/** Hours of New York from January 1 to March 31, 2024, without the hour that clocks skip. */
const HOURS = 91 * 24 - 1;
const zone = 'America/New_York';

/** Tables of one station. Nothing drops them. */
class DailyAggregateTables implements DailyAggregateStore {
  readonly tables = new Map<number, DailyAggregates>();
  readonly puts: { readonly revision: string; readonly months: number }[] = [];
  station = 0;
  removed: MonthRange | undefined;
  old: OutdatedAggregates[] = [];

  expiredMonths = async () => this.removed;
  outdated = async () => this.old;

  async find({ timeZone, from, to }: DailyAggregateQuery): Promise<readonly StoredDays[]> {
    const all = [...this.tables.values()].filter(
      ({ start, end }) => timeZone === zone && start >= from && end <= to,
    );
    return all
      .toSorted((a, b) => a.start - b.start)
      .map((table) => ({
        ...table,
        station: this.station,
        variables: table.sums.keys(),
        copyTo: (variable, fields, at) => {
          for (const [index, field] of (table.sums.get(variable) ?? []).entries())
            fields[index]?.set(field, (at * field.length) / table.days);
        },
      }));
  }

  async put(
    _station: number,
    revision: string,
    _zone: string,
    tables: readonly DailyAggregates[],
  ): Promise<void> {
    this.puts.push({ revision, months: tables.length });
    for (const table of tables) this.tables.set(table.start, table);
  }
}

describe('tables of days', () => {
  let world: World;
  let tables: DailyAggregateTables;
  const monthsOf = (from: string, to: string) =>
    new TemporalCalendar().buckets('month', zone, 0, Date.parse(from), Date.parse(to));
  const stored = () => [...tables.tables.keys()].map((start) => new Date(start).toISOString().slice(0, 7));

  beforeEach(async () => {
    tables = new DailyAggregateTables();
    world = await World.make({}, { dailyAggregates: tables });
    await addStation(world);
    tables.station = (await world.stores.stations.list())[0]?.number ?? 0;
    const wave = Array.from({ length: HOURS }, (_, row) => 10 + 5 * Math.sin(row / 4) + row / 1000);
    await record(world, START, { air_temperature: wave, precipitation_amount: wave.map((one) => one / 100) });
  });
  afterEach(() => sinon.restore());

  const summarize = async (changes: object = {}) => {
    const described = await world.get(DescribeStation).execute('JFK');
    const { rows } = await world.get(Summarize).execute(described, {
      interval: 'day',
      timeZone: 'station',
      dayStart: 0,
      variables: undefined,
      quality: 'pass',
      from: '2024-01-01',
      to: '2024-03-31',
      ...changes,
    });
    return [...rows];
  };
  /** The ranges of rows that are read, in days since January 1. */
  const noteReads = () => {
    const sum = sinon.spy(world.stores.observations, 'sum');
    return () =>
      sum
        .getCalls()
        .splice(0)
        .map(({ args: [{ buckets }] }) =>
          [buckets[0]?.start ?? Number.NaN, buckets.at(-1)?.end ?? Number.NaN].map((time) =>
            Math.round((time - Date.parse(START)) / day),
          ),
        );
  };
  const keep = () => world.get(MaintainDailyAggregates);

  it('are made of the months that a summary has missed, and give the same sums afterwards', async () => {
    const before = await summarize();
    expect(stored()).to.deep.equal([]);
    await keep().execute();
    // March is not settled.
    expect(stored()).to.deep.equal(['2024-01', '2024-02']);
    const { revision } = (await world.stores.observations.describe('JFK')) ?? {};
    expect(tables.puts).to.deep.equal([{ revision, months: 2 }]);
    const reads = noteReads();
    expect(await summarize()).to.deep.equal(before);
    expect(reads()).to.deep.equal([[60, 90]]);
    await keep().execute();
    expect(tables.puts).to.have.length(1);
    for (const interval of ['month', 'week'])
      expect((await summarize({ interval })).length, interval).to.equal(interval === 'month' ? 3 : 13);
    const table = tables.tables.get(Date.parse(START));
    expect(table).to.include({ days: 31, reportingInterval: 3600, start: Date.parse(START) });
    expect(table?.end).to.equal(Date.parse(START) + 31 * day);
    expect([...(table?.sums.keys() ?? [])].toSorted((a, b) => a - b)).to.deep.equal(
      [V.temperature, V.precipitation].toSorted((a, b) => a - b),
    );
  });

  it('are used where they lie in the range as a whole, and others are read from rows', async () => {
    const before = await summarize({ from: '2024-01-15', to: '2024-03-10' });
    await keep().execute();
    expect(stored()).to.deep.equal(['2024-02']);
    const reads = noteReads();
    expect(await summarize({ from: '2024-01-15', to: '2024-03-10' })).to.deep.equal(before);
    expect(reads()).to.deep.equal([
      [14, 31],
      [60, 69],
    ]);
    expect(
      await summarize({ variables: ['air_temperature'], from: '2024-02-01', to: '2024-03-01' }),
    ).to.have.length(29);
  });

  it('do not count where their rules, interval or days are others, and are made again', async () => {
    const before = await summarize();
    await keep().execute();
    const january = tables.tables.get(Date.parse(START)) as DailyAggregates;
    for (const changes of [
      { rules: january.rules - 1 },
      { reportingInterval: 300 },
      { reportingInterval: null },
      { unusualMethods: [V.temperature] },
      { end: january.end - day },
      { start: january.start + hour },
      { days: 30 },
    ]) {
      tables.tables.set(january.start, { ...january, ...changes });
      const reads = noteReads();
      expect(await summarize(), JSON.stringify(changes)).to.deep.equal(before);
      expect(reads()[0], JSON.stringify(changes)).to.deep.equal([0, 31]);
      sinon.restore();
      await keep().execute();
      expect(tables.tables.get(january.start)).to.deep.equal(january);
    }
  });

  it('are not made of a month in which the reporting interval changed', async () => {
    const since = Date.parse('2024-01-10T05:00:00Z');
    await world
      .get(ChangeStations)
      .execute([{ id: 'JFK', change: { reportingInterval: 300 }, since }], CALLER);
    await summarize();
    await keep().execute();
    expect(stored()).to.deep.equal(['2024-02']);
    // It has one where it is asked for by name, before its rows are removed.
    const described = await world.get(DescribeStation).execute('JFK');
    await keep().compute(described.station, monthsOf(START, '2024-01-31T00:00:00Z'));
    expect(tables.tables.get(Date.parse(START))).to.include({ reportingInterval: 0xff_ff_ff_ff });
  });

  it('stand for rows that were removed, whatever their rules', async () => {
    const before = await summarize();
    await keep().execute();
    const january = tables.tables.get(Date.parse(START)) as DailyAggregates;
    tables.tables.set(january.start, { ...january, rules: 0 });
    tables.removed = { from: january.start, to: january.end };
    const reads = noteReads();
    expect(await summarize()).to.deep.equal(before);
    expect(reads()).to.deep.equal([[60, 90]]);
    const { station } = await world.get(DescribeStation).execute('JFK');
    await keep().compute(station, monthsOf(START, '2024-02-28T00:00:00Z'));
    expect(tables.tables.get(january.start)?.rules).to.equal(0);
    expect(tables.puts).to.have.length(1);
  });

  it('are made of named months, newer ones too, and twelve at a time', async () => {
    const { station } = await world.get(DescribeStation).execute('JFK');
    await keep().compute(station, monthsOf('2023-01-02T00:00:00Z', '2024-03-30T00:00:00Z'));
    expect(tables.puts.map(({ months }) => months)).to.deep.equal([12, 3]);
    expect(stored()).to.have.length(15).and.include('2024-03');
    await keep().compute(station, monthsOf('2023-01-02T00:00:00Z', '2024-03-30T00:00:00Z'));
    expect(tables.puts).to.have.length(2);
    const signal = AbortSignal.abort();
    await keep().compute(
      { ...station, reportingInterval: 60 },
      monthsOf(START, '2024-03-30T00:00:00Z'),
      signal,
    );
    expect(tables.puts).to.have.length(2);
  });

  it('are renewed once, with a report of progress', async () => {
    const renew = world.get(RenewAggregates);
    const make = sinon.stub(keep(), 'compute').resolves();
    const range = (count: number, station = tables.station) => ({
      station,
      from: Date.parse(START),
      to: Date.parse(START) + 31 * day,
      count,
    });
    tables.old = [range(200), range(299), range(1), range(2, 77), range(499), range(5)];
    const reports: Renewal[] = [];
    const report = (one: Renewal) => reports.push(one);
    await renew.execute(report);
    const total = 1006;
    expect(reports).to.deep.equal([0, 500, 1001, 1006].map((done) => ({ total, done })));
    expect(make.callCount).to.equal(5);
    expect(make.firstCall.args[1]).to.deep.equal(monthsOf(START, '2024-01-31T00:00:00Z'));
    await renew.execute(report);
    expect(make.callCount).to.equal(5);
  });

  it('are renewed again after an interruption or a failure', async () => {
    const renew = world.get(RenewAggregates);
    const make = sinon.stub(keep(), 'compute').resolves();
    const report = sinon.spy();
    await renew.execute(report, AbortSignal.abort());
    expect(report.callCount).to.equal(0);
    tables.old = [{ station: tables.station, from: 0, to: 1, count: 1 }];
    const stop = new AbortController();
    make.callsFake(async () => stop.abort());
    await renew.execute(report, stop.signal);
    expect(report.args).to.deep.equal([[{ total: 1, done: 0 }]]);
    make.rejects(new Error('the disk is full'));
    expect(await rejectionOf(renew.execute(report))).to.have.property('message', 'the disk is full');
    make.resolves();
    await renew.execute(report);
    expect(report.lastCall.args).to.deep.equal([{ total: 1, done: 1 }]);
    const calls = report.callCount;
    await renew.execute(report);
    expect(report.callCount).to.equal(calls);
  });
});
