import { expect } from 'chai';
import sinon from 'sinon';
import {
  ChartObservations,
  type ChartInput,
} from '#application/observations/read/charts/chart-observations.js';
import { DescribeStation, snapshotVersion } from '#application/observations/read/describe-station.js';
import {
  type StationsRequest,
  FindMany,
  MANY_STATIONS,
} from '#application/observations/read/many/find-many.js';
import { ReadMany, type ReadManyInput } from '#application/observations/read/many/read-many.js';
import { SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import { type Permit, UNLIMITED } from '#application/observations/read/gate/permit.js';
import { type ObservationPage, ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { CELLS_OF_BUCKET } from '#application/observations/read/summarize.js';
import { MAX_BUCKETS } from '#application/observations/read/summary-parts.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import type { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { maxThinnedRows } from '#domain/weather/charts/thinned.js';
import { V } from '#domain/weather/variables.js';
import { domainErrorOf, rejectionOf } from '../../../../support/rejection.js';
import { addStation, record } from '../../../../support/weather-world.js';
import { CALLER, World } from '../../../../support/world.js';

const { hour, day } = MILLISECONDS;
const START = Date.parse('2024-03-01T00:00:00Z');
const ALL = {
  from: undefined,
  to: undefined,
  timeZone: undefined,
  variables: undefined,
  quality: 'all',
} as const;

/** A permit that notes what it is asked for. */
class NotingPlace implements Permit {
  readonly signal = undefined;
  readonly entered: number[] = [];
  readonly charged: number[] = [];
  turn = () => UNLIMITED.turn();
  acquire = async (cells: number) => void this.entered.push(cells);
  charge = (cells: number) => void this.charged.push(cells);
}

describe('reads of many stations', () => {
  let world: World;
  /** Three stations: hourly temperatures; hourly humidities and temperatures; nothing. */
  beforeEach(async () => {
    world = await World.make();
    for (const [id, latitude] of [
      ['A', 40],
      ['B', 41],
      ['C', 50],
    ] as const)
      await addStation(world, { id, latitude, identifiers: {} });
    await record(world, '2024-03-01T00:00:00Z', { air_temperature: [1, 2, 3, 4, 5] }, 'A');
    const two = { relative_humidity: [50, 51, 52], air_temperature: [6, 7, 8] };
    await record(world, '2024-03-01T00:00:00Z', two, 'B');
  });
  afterEach(() => sinon.restore());

  const find = (asked: StationsRequest = {}) => world.get(FindMany).execute(asked);
  const read = async (input: Partial<ReadManyInput> = {}, permit?: Permit) =>
    world
      .get(ReadMany)
      .execute(await find(), { ...ALL, limit: 100, points: undefined, cursor: undefined, ...input }, permit);
  const show = (pages: readonly ObservationPage[]) =>
    pages.map(
      ({ station, series }) =>
        `${station.id} ${[...series.times].map((time, row) => `${(time - START) / hour}=${series.values.get(V.temperature)?.[row]}`).join(' ')}`,
    );

  describe('FindMany', () => {
    const ids = async (asked: StationsRequest) => (await find(asked)).map(({ station }) => station.id);

    it('finds stations by ids, in their order and each once, or by a search', async () => {
      expect(await ids({ ids: ['C', 'A', 'C'] })).to.deep.equal(['C', 'A']);
      expect(await ids({ ids: [] })).to.deep.equal([]);
      expect(await ids({})).to.deep.equal(['A', 'B', 'C']);
      const near = { latitude: 41, longitude: -73.778925 };
      expect(await ids({ near, radius: 200 })).to.deep.equal(['B', 'A']);
      expect(await ids({ ids: ['B'], near: undefined, text: undefined })).to.deep.equal(['B']);
      await domainErrorOf(find({ ids: ['A', 'X'] }), 'STATION_UNKNOWN');
      await domainErrorOf(find({ radius: 5 }), 'REQUEST_INVALID');
      await domainErrorOf(find({ bbox: { south: 2, north: 1, west: 0, east: 1 } }), 'REQUEST_INVALID');
      await domainErrorOf(find({ ids: ['A'], near }), 'REQUEST_INVALID');
      await domainErrorOf(find({ ids: [], text: 'A' }), 'REQUEST_INVALID');
      expect(await ids({ bbox: { south: 41, north: 41, west: -90, east: 0 } })).to.deep.equal(['B']);
    });

    it('shows hidden stations to users alone', async () => {
      await world.get(ChangeStations).execute([{ id: 'B', change: { visibility: 'hidden' } }], CALLER);
      expect(await ids({})).to.deep.equal(['A', 'C']);
      await domainErrorOf(find({ ids: ['B'] }), 'STATION_UNKNOWN');
      expect(await ids({ audience: 'users', ids: ['B'] })).to.deep.equal(['B']);
    });

    it('describes each station as one read alone does', async () => {
      const [first, second, third] = await find();
      const describe = world.get(DescribeStation);
      expect(first).to.deep.equal(await describe.execute('A'));
      expect(second).to.deep.equal(await describe.execute('B'));
      expect(third?.inventory).to.deep.equal({ first: null, last: null, count: 0, variables: [] });
      expect(third?.version).to.equal((await describe.execute('C')).version);
    });

    it(`finds at most ${MANY_STATIONS} stations`, async () => {
      for (let count = 3; count < MANY_STATIONS; count += 1)
        await addStation(world, { id: `D${count}`, identifiers: {} });
      expect(await find()).to.have.length(MANY_STATIONS);
      await addStation(world, { id: 'E', identifiers: {} });
      await domainErrorOf(find(), 'REQUEST_INVALID');
      const all = (await world.stores.stations.list()).map(({ id }) => id);
      await domainErrorOf(find({ ids: all }), 'REQUEST_INVALID');
      expect(await find({ ids: all.slice(1) })).to.have.length(MANY_STATIONS);
    });
  });

  describe('ReadMany', () => {
    it('reads pages of all stations together, one station after the other', async () => {
      expect(show((await read()).stations)).to.deep.equal(['A 0=1 1=2 2=3 3=4 4=5', 'B 0=6 1=7 2=8', 'C ']);
      expect((await read()).next).to.equal(null);
      const found: string[][] = [];
      let cursor: ReadManyInput['cursor'];
      do {
        const page = await read({ limit: 2, cursor });
        found.push(show(page.stations));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined && found.length < 10);
      expect(found).to.deep.equal([['A 0=1 1=2'], ['A 2=3 3=4'], ['A 4=5', 'B 0=6'], ['B 1=7 2=8'], ['C ']]);
      const [{ station: a } = { station: undefined }, b] = await find();
      expect((await read({ limit: 5 })).next).to.deep.equal({ station: b?.station.number, time: null });
      expect((await read({ limit: 3 })).next).to.deep.equal({ station: a?.number, time: START + 3 * hour });
    });

    it('begins with the station of the cursor, which must be one of these', async () => {
      const [, b] = await find();
      const cursor = { station: b?.station.number ?? 0, time: null };
      expect(show((await read({ cursor })).stations)).to.deep.equal(['B 0=6 1=7 2=8', 'C ']);
      const later = { ...cursor, time: START + hour };
      expect(show((await read({ cursor: later })).stations)).to.deep.equal(['B 1=7 2=8', 'C ']);
      await domainErrorOf(read({ cursor: { station: 77, time: null } }), 'REQUEST_INVALID');
    });

    it('asks for the place of all cells at once, and counts what it holds', async () => {
      const permit = new NotingPlace();
      await read({}, permit);
      // 5 rows of one variable and 3 of two.
      expect(permit.entered).to.deep.equal([11]);
      expect(permit.charged.filter((cells, index) => cells !== permit.charged[index - 1])).to.deep.equal([
        5, 11,
      ]);
      const part = new NotingPlace();
      await read({ limit: 6, variables: ['relative_humidity', 'air_temperature'] }, part);
      expect(part.entered).to.deep.equal([12]);
      const inRange = new NotingPlace();
      await read({ from: START + hour, to: START + 3 * hour }, inRange);
      // As if rows were evenly distributed: 2.5 of 5 rows, and 1.5 of 3.
      expect(inRange.entered).to.deep.equal([3 + 2 * 2]);
      const chart = new NotingPlace();
      await read({ points: 20, limit: 1 }, chart);
      expect(chart.entered).to.deep.equal([11]);
    });

    it('reads charts, which have no pages', async () => {
      const { stations, next } = await read({ points: 16, limit: 1 });
      expect(next).to.equal(null);
      expect(stations.map(({ series }) => [...series.times].length)).to.deep.equal([5, 3, 0]);
      const one = await world
        .get(ChartObservations)
        .execute((await find())[0] as never, { ...ALL, points: 16 });
      expect(stations[0]?.series).to.deep.equal(one.series);
    });

    it('refuses charts that may have too many rows, and says how many points may', async () => {
      // Rows of a column for one, two and no variables.
      const rows = maxThinnedRows(1, 1) + maxThinnedRows(1, 2) + maxThinnedRows(1, 0);
      const most = Math.floor(ROW_LIMITS.max / rows);
      const error = await domainErrorOf(read({ points: most + 1 }), 'REQUEST_INVALID');
      expect(error.message).to.include(`points=${most} or less,`);
      const calls = sinon.stub(world.get(ChartObservations), 'execute').rejects(new Error('read'));
      expect(await rejectionOf(read({ points: most }))).to.have.property('message', 'read');
      // As many rows as the limit: 3 stations with 6 rows a column.
      const exactly = { variables: ['air_temperature', 'relative_humidity'] };
      const points = Math.floor(ROW_LIMITS.max / (3 * maxThinnedRows(1, 2)));
      expect(await rejectionOf(read({ ...exactly, points }))).to.have.property('message', 'read');
      await domainErrorOf(read({ ...exactly, points: points + 1 }), 'REQUEST_INVALID');
      expect(calls.callCount).to.equal(2);
    });
  });

  describe('SummarizeMany', () => {
    const summarize = async (input: object, permit?: Permit) =>
      world
        .get(SummarizeMany)
        .execute(
          await find(),
          { ...ALL, interval: 'day', timeZone: 'UTC', dayStart: 0, quality: 'pass', ...input } as never,
          permit,
        );

    it('summarizes each station, and asks for the place of all at once', async () => {
      const permit = new NotingPlace();
      const found = await summarize({ from: START, to: START + 2 * day }, permit);
      expect(found.stations.map(({ station }) => station.id)).to.deep.equal(['A', 'B', 'C']);
      expect(found.stations.map(({ rows }) => [...rows].length)).to.deep.equal([2, 2, 2]);
      expect(permit.entered).to.deep.equal([2 * CELLS_OF_BUCKET + 5 + 2 * (2 * CELLS_OF_BUCKET + 3)]);
      const named = new NotingPlace();
      await summarize({ from: START, to: START + 1, variables: ['air_temperature'] }, named);
      expect(named.entered).to.deep.equal([3 * CELLS_OF_BUCKET + 2]);
    });

    it(`makes at most ${MAX_BUCKETS} intervals of all stations together, and stops when the caller has gone`, async () => {
      const most = Math.floor(MAX_BUCKETS / 3);
      await domainErrorOf(summarize({ from: START, to: START + (most + 1) * day }), 'REQUEST_INVALID');
      const { stations } = await summarize({ from: START, to: START + Math.min(most, 400) * day });
      expect(stations).to.have.length(3);
      const gone = { ...UNLIMITED, signal: AbortSignal.abort(new Error('gone')) };
      const error = await rejectionOf(summarize({ from: START, to: START + day }, gone));
      expect(error).to.have.property('message', 'gone');
    });
  });

  describe('ChartObservations', () => {
    const chart = async (id: string, input: Partial<ChartInput> = {}, permit?: Permit) =>
      world
        .get(ChartObservations)
        .execute(await world.get(DescribeStation).execute(id), { ...ALL, points: 16, ...input }, permit);

    it('has the first, the last, the smallest and the largest value of each column', async () => {
      const values = Array.from({ length: 320 }, (_, row) => ((row * 37) % 101) / 100);
      await record(world, '2024-03-01T00:00:00Z', { air_temperature: values }, 'C');
      const page = await chart('C', { from: START, to: START + 320 * hour });
      const kept = [...page.series.times].map((time) => (time - START) / hour);
      const expected = Array.from({ length: 16 }, (_, column) => {
        const rows = Array.from({ length: 20 }, (_none, row) => 20 * column + row);
        const least = Math.min(...rows.map((row) => values[row] ?? NaN));
        const most = Math.max(...rows.map((row) => values[row] ?? NaN));
        const first = (value: number) => rows.find((row) => values[row] === value) ?? NaN;
        return [...new Set([rows[0] ?? NaN, first(least), first(most), rows.at(-1) ?? NaN])];
      });
      const flat = [...new Set(expected.flat())].toSorted((a, b) => a - b);
      expect(kept).to.deep.equal(flat);
      expect(page).to.include({ from: START, to: START + 320 * hour, next: null });
      expect(page.parts).to.deep.equal([page.series]);
    });

    it('asks for the place of all rows, leaves out values that failed, and knows its variables', async () => {
      const permit = new NotingPlace();
      const page = await chart('B', {}, permit);
      expect(permit.entered).to.deep.equal([6]);
      expect(page.variables.map(({ number }) => number)).to.have.members([V.temperature, V.humidity]);
      const named = await chart('B', { variables: ['air_temperature', 'wind_speed'] });
      expect(named.variables.map(({ name }) => name)).to.deep.equal(['air_temperature', 'wind_speed']);
      expect(named.series.values.has(V.humidity)).to.equal(false);
      await record(world, '2024-03-01T03:00:00Z', { relative_humidity: [53], air_temperature: [999] }, 'B');
      const valuesOf = ({ series }: ObservationPage) => [...(series.values.get(V.temperature) ?? [])];
      expect(valuesOf(await chart('B'))).to.deep.equal([6, 7, 8, 999]);
      expect(valuesOf(await chart('B', { quality: 'pass' }))).to.deep.equal([6, 7, 8, NaN]);
      await domainErrorOf(chart('B', { variables: ['warmth'] }), 'REQUEST_INVALID');
      const gone = { ...UNLIMITED, signal: AbortSignal.abort(new Error('gone')) };
      expect(await rejectionOf(chart('B', {}, gone))).to.have.property('message', 'gone');
    });

    it('is empty without rows, and refused where there may be too many', async () => {
      expect((await chart('C')).series.times).to.have.length(0);
      expect((await chart('A', { from: START - day, to: START - hour })).series.times).to.have.length(0);
      const most = Math.floor(ROW_LIMITS.max / maxThinnedRows(1, 2));
      expect((await chart('B', { points: most })).series.times).to.have.length(3);
      await domainErrorOf(chart('B', { points: most + 1 }), 'REQUEST_INVALID');
    });
  });

  it('are described with the rows of a short range, from a bound or the cursor on', async () => {
    const described = sinon.spy(world.stores.observations, 'describe');
    const describe = async (asked: object) => {
      const given = { from: START, to: START + day, cursor: undefined, variables: undefined, ...asked };
      await world.get(DescribeStation).execute('B', given);
      return described.lastCall.args[1];
    };
    expect(await describe({})).to.deep.equal({
      from: START,
      to: START + day,
      variables: undefined,
      maxRows: 4096,
    });
    expect(await describe({ cursor: START + 5 })).to.include({ from: START + 5 });
    expect(await describe({ cursor: START - 5 })).to.include({ from: START });
    expect(await describe({ from: START, to: START + 32 * day })).to.include({ to: START + 32 * day });
    expect(await describe({ variables: ['air_temperature', 'air_temperature'] })).to.deep.include({
      variables: [V.temperature],
    });
    for (const asked of [
      { to: START + 32 * day + 1 },
      { to: START },
      { from: START, to: START + 5, cursor: START + 5 },
      { to: undefined },
      { from: '2024-03-01' },
      { variables: ['air_temperature', 'warmth'] },
    ])
      expect(await describe(asked), JSON.stringify(asked)).to.equal(undefined);
  });

  it('that are damaged are described only where nothing is computed for them, and hidden ones only to users', async () => {
    const { observations } = world.stores;
    const found = await observations.describe('A');
    const describe = world.get(DescribeStation);
    const codes = async (changes: object) => {
      sinon
        .stub(observations, 'describe')
        .resolves({ ...found, station: { ...found?.station, ...changes } } as never);
      const ways = [
        {},
        { allowsDamage: true },
        { audience: 'users' },
        { audience: 'users', allowsDamage: true },
      ] as const;
      const all = ways.map((way) =>
        describe.execute('A', undefined, way).then(
          ({ station }) => station.id,
          (error: unknown) => (error as DomainError).code,
        ),
      );
      const result = await Promise.all(all);
      sinon.restore();
      return result;
    };
    const damaged = [{ field: 'limits', reason: 'is not JSON' }];
    expect(await codes({})).to.deep.equal(['A', 'A', 'A', 'A']);
    expect(await codes({ damaged })).to.deep.equal(['DATA_DAMAGED', 'A', 'DATA_DAMAGED', 'A']);
    expect(await codes({ visibility: 'hidden' })).to.deep.equal([
      'STATION_UNKNOWN',
      'STATION_UNKNOWN',
      'A',
      'A',
    ]);
    await domainErrorOf(describe.execute('X'), 'STATION_UNKNOWN');
  });

  it('have a version that changes with the station, its rows and the rules', async () => {
    const { station, version } = await world.get(DescribeStation).execute('A');
    expect(version).not.to.equal(snapshotVersion({ ...station, name: 'B' }, ''));
    expect(snapshotVersion(station, 'x')).not.to.equal(snapshotVersion(station, 'y'));
    await record(world, '2024-03-02T00:00:00Z', { air_temperature: [1] }, 'A');
    expect((await world.get(DescribeStation).execute('A')).version).not.to.equal(version);
  });
});
