import { expect } from 'chai';
import sinon from 'sinon';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { CheckStation } from '#application/observations/recheck/check-station.js';
import { Neighbors } from '#application/observations/recheck/neighbors.js';
import type { NeighborReads } from '#application/observations/recheck/neighbor-reads.js';
import { Announcer } from '#composition/graph/tokens.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { FLAG } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { catchUp } from '../../../support/recheck.js';
import { describeRows } from '../../../contracts/stores/erase.js';
import { addStation, record, STATION } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = '2024-03-01T00:00:00Z';
const ALL = { from: -8.64e15, to: 8.64e15, spreads: false };

describe('quality control in the background', () => {
  let world: World;
  let recheck: RecheckObservations;
  let stub: sinon.SinonStub<Parameters<CheckStation['execute']>, ReturnType<CheckStation['execute']>>;
  /** Stations whose ranges were judged since the last look, with hours after `START`. */
  let checked: string[];

  /** One degree of latitude is 111 km. */
  const stations = { a: 0, b: 0.3, c: 0.6, far: 5, high: 0.1 };

  beforeEach(async () => {
    world = await World.make();
    for (const [id, north] of Object.entries(stations))
      await addStation(world, { id, latitude: 10 + north, elevation: id === 'high' ? 2000 : 4 });
    recheck = world.get(RecheckObservations);
    await catchUp(recheck);
    checked = [];
    const station = world.get(CheckStation);
    const execute = station.execute.bind(station);
    stub = sinon.stub(station, 'execute').callsFake(async (id, range, ...rest) => {
      const hours = [range.from, range.to].map((time) => (time - Date.parse(START)) / HOUR);
      checked.push(`${id} ${hours.map((hour) => Math.ceil(hour)).join('..')}`);
      return await execute(id, range, ...rest);
    });
  });
  afterEach(() => sinon.restore());

  const look = async () => {
    await catchUp(recheck);
    return checked.splice(0).sort();
  };
  const REACH = CHECK_REACH / HOUR;
  const around = (id: string, from = 0, to = 0) => `${id} ${from - REACH}..${to + REACH + 1}`;
  const requested = async () => {
    const requests = await world.stores.recheck.requests(100);
    const { byNumber } = await world.get(StationDirectory).current();
    return requests
      .map(({ station, near, from }) => {
        const what = station === null ? `around ${near?.latitude}` : byNumber.get(station)?.id;
        return `${what} ${from === ALL.from ? 'all' : from}`;
      })
      .sort();
  };

  it('checks the neighbors of a station in the same range, each once', async () => {
    await record(world, START, { air_temperature: [1] }, 'a');
    expect(await look()).to.deep.equal([around('a'), around('b'), around('c')]);
    await record(world, START, { air_temperature: [1] }, 'far');
    expect(await look()).to.deep.equal([around('far')]);
    await record(world, START, { air_temperature: [1, 2] }, 'b');
    await record(world, START, { air_temperature: [1] }, 'c');
    expect(await look()).to.deep.equal([around('a', 0, 1), around('b', 0, 1), around('c', 0, 1)]);
    expect(await look()).to.deep.equal([]);
  });

  it('hands over the rows of neighbors, with distance and height', async () => {
    await record(world, START, { air_temperature: [1] }, 'b');
    await record(world, START, { air_temperature: [2] }, 'high');
    const since = Date.parse('2024-02-01T00:00:00Z');
    await world.get(ChangeStations).execute([{ id: 'b', change: { elevation: 54 }, since }], CALLER);
    let reads: NeighborReads | undefined;
    stub.callsFake(async (_id, _range, given) => {
      reads = given;
      return true;
    });
    await recheck.execute();
    const { byId } = await world.get(StationDirectory).current();
    const a = byId.get('a') as Station;
    const near = await reads?.of(a, { from: Date.parse(START), to: Date.parse(START) + HOUR });
    const [b, ...others] = near ?? [];
    expect(others).to.deep.equal([]);
    expect(b?.distance).to.be.closeTo(33_358, 5);
    expect(b?.station.id).to.equal('b');
    expect([...(b?.series.values.get(1) ?? [])]).to.deep.equal([1]);
  });

  it('leaves a request whose rows changed all the time, and does the others', async () => {
    await record(world, START, { air_temperature: [1] }, 'a');
    await record(world, START, { air_temperature: [1] }, 'far');
    stub.callsFake(async (id) => id !== 'b');
    expect(await recheck.execute()).to.equal(false);
    expect(await requested()).to.deep.equal([`a ${Date.parse(START)}`]);
  });

  for (const [how, fail] of [
    ['cannot be finished', async () => false],
    ['throw', () => Promise.reject(new Error('planted'))],
  ] as const) {
    it(`gives every request its turn, however many before it ${how}`, async () => {
      const { byId } = await world.get(StationDirectory).current();
      const hour = { from: Date.parse(START), to: Date.parse(START) + HOUR, spreads: false };
      const request = (id: string) => ({ station: byId.get(id)?.number ?? 0, ...hour });
      // One request more than are read together.
      await world.stores.recheck.request(Array.from({ length: 1001 }, () => request('a')));
      await world.stores.recheck.request([request('far')]);
      const asked = new Set<string>();
      stub.callsFake(async (id) => {
        asked.add(id);
        return id === 'a' ? await fail() : true;
      });
      for (let round = 0; round < 1100 && !asked.has('far'); round += 1)
        await recheck.execute().catch(() => undefined);
      const left = await world.stores.recheck.requests(9999);
      expect(new Set(left.map(({ station }) => station))).to.deep.equal(new Set([byId.get('a')?.number]));
      expect(left).to.have.length(1001);
      stub.resolves(true);
      await catchUp(recheck);
      expect(await world.stores.recheck.requests(9)).to.deep.equal([]);
    });
  }

  it('neither checks a station with damaged settings nor takes it as neighbor', async () => {
    const { a } = stations;
    await record(world, START, { air_temperature: [1] }, 'b');
    await world.stores.stations.put([
      { ...STATION, id: 'a', latitude: 10 + a, elevation: 4, limits: { air_temperature: 5 } as never },
    ]);
    const directory = await world.get(StationDirectory).current();
    expect(directory.byId.get('a')?.damaged?.map(({ field }) => field)).to.deep.equal(['limits']);
    const b = directory.byId.get('b');
    await record(world, START, { air_temperature: [200] }, 'a');
    await catchUp(recheck);
    const found = await describeRows(world.stores);
    expect(found.filter((text) => text.includes('=200'))).to.have.length(1);
    const reads = stub.args.at(-1)?.[2] as NeighborReads;
    const range = { from: Date.parse(START) - DAY, to: Date.parse(START) + DAY };
    expect(b && (await reads.of(b, range))).to.deep.equal([]);
  });

  it('checks long ranges of several stations in turns', async () => {
    const long = { from: Date.parse(START), to: Date.parse(START) + 70 * DAY, spreads: true };
    const { byId } = await world.get(StationDirectory).current();
    const [a, far] = ['a', 'far'].map((id) => byId.get(id)?.number ?? 0) as [number, number];
    await world.stores.recheck.request([
      { station: a, ...long },
      { station: far, ...long },
    ]);
    await catchUp(recheck);
    const own = checked.filter((text) => /^(?:a|far) /.test(text)).map((text) => text.split('..')[0]);
    expect(own).to.deep.equal(
      [0, 30, 60].flatMap((day) => ['a', 'far'].map((id) => `${id} ${day * 24 - REACH}`)),
    );
  });

  it('checks a changed station again, all of it, and those around it for 30 days', async () => {
    const recent = world.clock.now() - 30 * DAY;
    const change = async (fields: Partial<Station>) => {
      await world.get(ChangeStations).execute([{ id: 'a', change: fields }], CALLER);
      const found = await requested();
      await catchUp(recheck);
      return found;
    };
    const all = ['a all', `around 10 ${recent}`];
    expect(await change({ name: 'Other', timeZone: 'UTC' })).to.deep.equal([]);
    const relevant: readonly Partial<Station>[] = [
      { elevation: 5 },
      { limits: { air_temperature: { min: -1, max: 1 } } },
      { steps: { air_temperature: { perMinute: 1, perHour: 1 } } },
      { persistence: { air_temperature: 3600 } },
      { reportingInterval: 60 },
    ];
    for (const fields of relevant) expect(await change(fields), Object.keys(fields)[0]).to.deep.equal(all);
    checked = [];
    await world.get(ChangeStations).execute([{ id: 'a', change: { latitude: 15.1 } }], CALLER);
    expect(await requested()).to.deep.equal([...all, `around 15.1 ${recent}`]);
    const stationsOf = async () => new Set((await look()).map((text) => text.split(' ')[0]));
    expect(await stationsOf()).to.deep.equal(new Set(['a', 'b', 'c', 'far', 'high']));
    await world.get(RemoveStation).execute('c', CALLER);
    expect(await requested()).to.deep.equal([`around 10.6 ${recent}`]);
    expect(await stationsOf()).to.deep.equal(new Set(['b', 'high']));
    await world.get(RestoreStation).execute('c', CALLER);
    expect(await requested()).to.deep.equal([`around 10.6 ${recent}`, 'c all']);
  });

  it('checks by the reporting interval that was in force, and by limits of now', async () => {
    // 60 mm is too much for a minute, and little for an hour.
    await record(world, START, { precipitation_amount: [60, 60] }, 'a');
    await catchUp(recheck);
    const flags = async () => (await describeRows(world.stores)).map((text) => text.split('=')[1]);
    expect(await flags()).to.deep.equal(['60', '60']);
    const since = Date.parse(START) + HOUR;
    await world.get(ChangeStations).execute([{ id: 'a', change: { reportingInterval: 60 }, since }], CALLER);
    await catchUp(recheck);
    expect(await flags()).to.deep.equal(['60', `60/${FLAG.grossRange}`]);
    await world
      .get(ChangeStations)
      .execute([{ id: 'a', adjust: { limits: { precipitation_amount: { min: 0, max: 100 } } } }], CALLER);
    await catchUp(recheck);
    expect(await flags()).to.deep.equal(['60', '60']);
  });

  it('leaves out what is damaged, and checks the rest of the station', async () => {
    const later = '2024-05-01T00:00:00Z';
    await record(world, START, { air_temperature: [20] }, 'far');
    await record(world, later, { air_temperature: [20] }, 'far');
    await catchUp(recheck);
    const { observations } = world.stores;
    const read = observations.read.bind(observations);
    const damaged = Date.parse(START);
    sinon.stub(observations, 'read').callsFake(async function* (query) {
      if ((query.from ?? -Infinity) <= damaged && damaged < (query.to ?? Infinity))
        throw damagedData('far', damaged);
      yield* read(query);
    });
    const change = { limits: { air_temperature: { min: 0, max: 10 } } };
    await world.get(ChangeStations).execute([{ id: 'far', change }], CALLER);
    await catchUp(recheck);
    sinon.restore();
    const rows = await describeRows(world.stores);
    expect(rows.map((text) => text.split('=')[1])).to.deep.equal(['20', '20/1']);
  });

  it('announces changed flags, and only those', async () => {
    const announced: number[][] = [];
    const announcer = world.get(Announcer);
    await record(world, START, { air_temperature: [70, 1] }, 'a');
    announcer.subscribe(['observations'], (one) => {
      if (one.kind === 'observations') announced.push([...one.changes.stations]);
    });
    await catchUp(recheck);
    await world
      .get(ChangeStations)
      .execute([{ id: 'a', adjust: { limits: { air_temperature: { min: 0, max: 80 } } } }], CALLER);
    await catchUp(recheck);
    await new Promise(setImmediate);
    const { byId } = await world.get(StationDirectory).current();
    expect(announced).to.deep.equal([[byId.get('a')?.number]]);
  });

  it('checks all parts of long requests in one execution, and looks for new rows in it only on demand', async () => {
    const { byId } = await world.get(StationDirectory).current();
    const station = byId.get('far')?.number ?? 0;
    const long = { station, from: Date.parse(START), to: Date.parse(START) + 100 * DAY, spreads: true };
    await world.stores.recheck.request([long]);
    const add = (value: number) => record(world, START, { air_temperature: [value] }, 'a');
    let calls = 0;
    stub.callsFake(async (id) => {
      checked.push(id);
      calls += 1;
      if (calls === 1) await add(1);
      return true;
    });
    expect(await recheck.execute()).to.equal(true);
    expect(checked.splice(0)).to.deep.equal(['far', 'far', 'far', 'far']);
    expect(await recheck.execute()).to.equal(true);
    expect(checked.splice(0).sort()).to.deep.equal(['a', 'b', 'c']);
    stub.callsFake(async (id) => {
      checked.push(id);
      if (checked.length === 1) {
        await add(2);
        recheck.expectRows();
      }
      return true;
    });
    await world.stores.recheck.request([long]);
    expect(await recheck.execute()).to.equal(true);
    expect(checked.toSorted()).to.deep.equal(['a', 'b', 'c', 'far', 'far', 'far', 'far']);
  });

  it('tells the progress of an execution that takes long', async () => {
    await record(world, START, { air_temperature: Array.from({ length: 400 }, () => 1) }, 'far');
    await catchUp(recheck);
    const { byId } = await world.get(StationDirectory).current();
    const from = Date.parse(START);
    const at = (day: number, days: number) => ({ from: from + day * DAY, to: from + (day + days) * DAY });
    const station = byId.get('far')?.number ?? 0;
    const request = (day: number, days: number) => ({ station, ...at(day, days), spreads: false });
    await world.stores.recheck.request([request(0, 2), request(2, 6), request(8, 2)]);
    const clock = sinon.useFakeTimers({ toFake: ['performance'], now: 0 });
    const states: unknown[] = [];
    stub.callsFake(async () => {
      states.push(recheck.state());
      clock.tick(40_000);
      return true;
    });
    expect(await recheck.execute()).to.equal(true);
    expect(states).to.deep.equal([
      undefined,
      { ranges: 2, rows: 193, checked: 0 },
      { ranges: 1, rows: 49, checked: 1 - 49 / 193 },
    ]);
    expect(recheck.state()).to.equal(undefined);
    // The progress of a long range is known from its start.
    await world.stores.recheck.request([request(0, 100)]);
    await recheck.execute();
    expect(states.at(-1)).to.deep.equal({ ranges: 1, rows: 400, checked: 0 });
  });

  it('finds as dependents all stations that have a station among their neighbors', async () => {
    const { byId, ...directory } = await world.get(StationDirectory).current();
    const neighbors = world.get(Neighbors);
    const dependents = await neighbors.dependents({ byId, ...directory }, async () => undefined);
    for (const one of directory.list)
      for (const other of directory.list) {
        const near = (await neighbors.of(other)).some(({ number }) => number === one.number);
        expect(dependents.get(one.number)?.has(other.number) ?? false).to.equal(near);
      }
    expect(
      (await neighbors.of({ ...STATION, ...byId.get('a') } as Station)).map(({ number }) => number),
    ).to.deep.equal(['b', 'c'].map((id) => byId.get(id)?.number));
  });
});
