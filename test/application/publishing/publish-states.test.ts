import { expect } from 'chai';
import sinon from 'sinon';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { ReadInterval } from '#application/observations/read/current/read-interval.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { pause } from '#application/pause.js';
import type { PublishedState, StatePublisher } from '#application/ports/state-publisher.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { PublishStates } from '#application/publishing/publish-states.js';
import { PublishedForecasts } from '#application/publishing/published-forecasts.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { feelsLikeBy } from '#domain/weather/derived/comfort/feels-like.js';
import type { StationDraft } from '#domain/weather/station.js';
import * as tokens from '#composition/graph/tokens.js';
import { OwnLease } from '../fakes/fakes.js';
import { rejectionOf } from '../../support/rejection.js';
import { orderForecast } from '../../support/forecast-world.js';
import { addStation, record as recordRows } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const HOUR = 3_600_000;

/** Keeps what was published last. */
class FakePublisher implements StatePublisher {
  readonly states = new Map<string, PublishedState>();
  kept: readonly string[] = [];
  published = 0;
  isStarted = false;
  readonly stops: boolean[] = [];
  readonly waiting = 0;
  readonly defect = undefined;

  start = () => (this.isStarted = true);
  publish = (state: PublishedState) => {
    this.published += 1;
    this.states.set(state.station.id, state);
  };
  keepOnly = (stations: ReadonlyMap<string, string>) => {
    this.kept = [...stations].map(([id, plainId]) => (id === plainId ? id : `${id}=${plainId}`));
    for (const id of this.states.keys()) if (!stations.has(id)) this.states.delete(id);
  };
  stop = async (isLast: boolean) => {
    if (this.isStarted) this.stops.push(isLast);
    this.isStarted = false;
    this.states.clear();
  };
}

describe('publishing the states of stations', () => {
  let world: World;
  let publisher: FakePublisher;
  let lease: OwnLease;
  let publish: PublishStates;
  beforeEach(async () => {
    world = await World.make();
    publisher = new FakePublisher();
    lease = new OwnLease();
    publish = publishing(['*']);
    world.clock.time = Date.UTC(2026, 0, 31, 18);
  });
  afterEach(() => sinon.restore());

  const publishing = (stations: readonly string[]) =>
    new PublishStates(
      { stations, feelsLike: feelsLikeBy('apparent_temperature') },
      {
        clock: world.clock,
        calendar: world.get(tokens.Calendar),
        announcer: world.get(tokens.Announcer),
        directory: world.get(StationDirectory),
        observations: world.get(tokens.ObservationStore),
        recent: world.get(ReadRecent),
        interval: new ReadInterval(world.clock, world.get(tokens.ObservationStore)),
        alarms: world.get(AlarmCache),
        forecasts: new PublishedForecasts(
          world.clock,
          world.get(tokens.Calendar),
          world.get(ForecastOrders),
          world.get(GetForecast),
        ),
        lease,
        publisher,
      },
    );
  const pass = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };
  const stateOf = (id = 'JFK') => publisher.states.get(id);
  const values = (id = 'JFK') =>
    Object.fromEntries((stateOf(id)?.values ?? []).map(({ name, value }) => [name, value]));
  const change = (id: string, fields: Partial<StationDraft>) =>
    world.get(ChangeStations).execute([{ id, change: fields }], CALLER);
  /** Records rows. Announcements follow later. */
  const record = async (...rows: Parameters<typeof recordRows> extends [World, ...infer R] ? R : never) => {
    await recordRows(world, ...rows);
    await pause();
  };

  it('publishes the newest values and the rain since local midnight', async () => {
    await addStation(world);
    // Local midnight is 05:00 UTC.
    await record('2026-01-31T04:00:00Z', {
      air_temperature: Array.from({ length: 15 }, (_, hour) => hour),
      precipitation_amount: Array.from({ length: 15 }, () => 0.5),
    });
    await publish.execute();
    expect(publisher.isStarted).to.equal(true);
    expect(publisher.kept).to.deep.equal(['JFK']);
    expect(values()).to.deep.equal({ air_temperature: 14, rain_today: 6.5 });
    expect(stateOf()).to.deep.include({ time: Date.UTC(2026, 0, 31, 18), isSilent: false, maxAge: 10_800 });
  });

  it('follows new rows, at most every five seconds, and reads nothing without a change', async () => {
    await addStation(world);
    await record('2026-01-31T17:00:00Z', { air_temperature: [1] });
    await publish.execute();
    const newest = sinon.spy(world.stores.observations, 'newest');
    await publish.execute();
    expect(newest.callCount).to.equal(0);
    await record('2026-01-31T17:30:00Z', { air_temperature: [2] });
    pass(4999);
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 1 });
    pass(1);
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 2 });
    expect(publisher.published).to.equal(2);
  });

  it('finds rows that were not announced, within five minutes', async () => {
    await addStation(world);
    await record('2026-01-31T17:00:00Z', { air_temperature: [1] });
    await publish.execute();
    const announce = sinon.stub(world.get(tokens.Announcer), 'announce');
    await record('2026-01-31T17:30:00Z', { air_temperature: [2] });
    announce.restore();
    pass(299_000);
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 1 });
    pass(1000);
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 2 });
  });

  it('publishes null for values that have become too old, and that reports are missing', async () => {
    await addStation(world);
    await record('2026-01-31T18:00:00Z', { air_temperature: [1], precipitation_amount: [1] });
    await publish.execute();
    pass(3 * HOUR);
    await publish.execute();
    expect(stateOf()).to.include({ isSilent: false });
    pass(1);
    await publish.execute();
    expect(stateOf()).to.include({ isSilent: true });
    expect(values()).to.deep.equal({ air_temperature: null, rain_today: null });
    const { published } = publisher;
    pass(100 * HOUR);
    await publish.execute();
    pass(5000);
    await publish.execute();
    // Of the state, only the totals of another day may have changed.
    expect(publisher.published - published).to.be.at.most(1);
  });

  it('begins the totals of a new day at local midnight', async () => {
    await addStation(world, { reportingInterval: 36_000 });
    world.clock.time = Date.UTC(2026, 1, 1, 4, 30);
    await record('2026-02-01T04:00:00Z', { precipitation_amount: [2] });
    await publish.execute();
    expect(values()).to.deep.equal({ rain_today: 2 });
    pass(HOUR / 2 - 1);
    await publish.execute();
    expect(values()).to.deep.equal({ rain_today: 2 });
    pass(1);
    await publish.execute();
    expect(values()).to.deep.equal({ rain_today: null });
  });

  it('never publishes a value that failed quality control', async () => {
    await addStation(world);
    await record('2026-01-31T18:00:00Z', { air_temperature: [55], relative_humidity: [120] });
    await publish.execute();
    expect(values()).to.deep.include({ air_temperature: 55, relative_humidity: null });
  });

  it('says that reports are missing by the alarm of silence, if there is one', async () => {
    await addStation(world);
    const silent = { condition: { kind: 'silent', intervals: 5 }, target: null } as const;
    await world.get(AddAlarm).execute({ ...silent, name: 'quiet', station: 'JFK' }, CALLER);
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] });
    await publish.execute();
    pass(5 * HOUR);
    await publish.execute();
    expect(stateOf()).to.include({ isSilent: false });
    pass(1);
    await publish.execute();
    expect(stateOf()).to.include({ isSilent: true });
    // A further alarm for all stations has fewer intervals.
    world.clock.time = Date.UTC(2026, 0, 31, 20, 1);
    const all = { ...silent, condition: { kind: 'silent', intervals: 2 } } as const;
    await world.get(AddAlarm).execute({ ...all, name: 'all', station: null }, CALLER);
    pass(3000);
    await publish.execute();
    expect(stateOf()).to.include({ isSilent: true });
  });

  for (const [interval, minutes, maxAge] of [
    [60, [], 180],
    [5, [], 60],
    [null, [], 900],
    [null, [0, 1, 2, 3, 4], 900],
    [null, [0, 30, 60, 90, 120], 5400],
  ] as const)
    it(`has the maximum age ${maxAge} s for the interval ${String(interval)} and rows at ${minutes.join(', ')}`, async () => {
      await addStation(world, { reportingInterval: interval });
      for (const minute of [...minutes, 125]) {
        const time = new Date(Date.UTC(2026, 0, 31, 15, minute)).toISOString();
        await record(time, { air_temperature: [1] });
      }
      await publish.execute();
      expect(stateOf()?.maxAge).to.equal(maxAge);
    });

  it('forgets a station that is removed, hidden, or has lost its last value, and knows it again', async () => {
    await addStation(world);
    await addStation(world, { id: 'LGA' });
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] });
    await record('2026-01-31T18:00:00Z', { air_temperature: [2] }, 'LGA');
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['JFK', 'LGA']);
    await change('JFK', { visibility: 'hidden' });
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['LGA']);
    await change('JFK', { visibility: 'public', name: 'Kennedy' });
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['JFK', 'LGA']);
    expect(stateOf()?.station.name).to.equal('Kennedy');
    await world.get(RemoveStation).execute('JFK', CALLER);
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['LGA']);
    const empty = {
      lastSeen: null,
      values: new Map(),
      revision: 'erased',
      station: 2,
      each: () => undefined,
    };
    sinon.stub(world.stores.observations, 'newest').resolves([empty]);
    pass(300_000);
    await publish.execute();
    expect(publisher.kept).to.deep.equal([]);
  });

  it('keeps what was published while the newest rows of a station are damaged', async () => {
    await addStation(world);
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] });
    const stub = sinon
      .stub(world.stores.observations, 'newest')
      .callsFake(async ([station = 0]) => [
        { station, lastSeen: null, values: new Map(), revision: 'x', hiddenSince: 1, each: () => undefined },
      ]);
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['JFK']);
    expect(stateOf()).to.equal(undefined);
    stub.restore();
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 1 });
  });

  it('publishes hidden stations and those of the demo only if they are named', async () => {
    await addStation(world, { id: 'open' });
    await addStation(world, { id: 'secret', visibility: 'hidden' });
    await addStation(world, { id: 'show', demo: 'live' } as never);
    for (const id of ['open', 'secret', 'show'])
      await record('2026-01-31T18:00:00Z', { air_temperature: [1] }, id);
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['open']);
    const named = publishing(['secret', 'show', 'other']);
    await named.execute();
    expect(publisher.kept).to.deep.equal(['secret', 'show']);
    expect(named.unknown).to.deep.equal(['other']);
  });

  it('gives a plain id to a station with a point, by all stations', async () => {
    await addStation(world, { id: 'a-b', visibility: 'hidden' });
    await addStation(world, { id: 'a.b' });
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] }, 'a.b');
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['a.b=a-b-2']);
    await world.get(RemoveStation).execute('a-b', CALLER);
    await publish.execute();
    expect(publisher.kept).to.deep.equal(['a.b=a-b']);
    expect(stateOf('a.b')?.plainId).to.equal('a-b');
  });

  it('publishes the forecast with the state, again when a new one is issued, and no more when it is removed', async () => {
    await addStation(world, { timeZone: 'UTC' });
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] });
    await publish.execute();
    expect(stateOf()?.forecast).to.equal(undefined);
    await orderForecast(world, 'JFK');
    pass(5000);
    await publish.execute();
    const forecast = () =>
      Object.fromEntries((stateOf()?.forecast?.values ?? []).map(({ name, value }) => [name, value]));
    // The minimum was measured.
    expect(forecast()).to.deep.include({ forecast_minimum_today: 1, forecast_maximum_today: 10.5 });
    const { published } = publisher;
    pass(5000);
    await publish.execute();
    expect(publisher.published).to.equal(published);
    pass(1_800_000);
    await orderForecast(world, 'JFK');
    world.get(tokens.Announcer).announce({ kind: 'forecast', station: 1, issued: world.clock.now() });
    await pause();
    await publish.execute();
    expect(forecast()).to.deep.include({ forecast_minimum_today: 1, forecast_maximum_today: 10.4 });
    // Tomorrow has become today.
    world.clock.time = Date.UTC(2026, 1, 1);
    await publish.execute();
    expect(forecast()).to.deep.include({ forecast_minimum_today: 10, forecast_maximum_today: 12.3 });
    await world.get(RemoveForecast).execute('JFK', CALLER);
    pass(5000);
    await publish.execute();
    expect(stateOf()).to.be.an('object').and.have.property('forecast', undefined);
    await change('JFK', { visibility: 'hidden' });
    await publish.execute();
    expect(publisher.kept).to.deep.equal([]);
  });

  it('publishes only with the lease, and gives it to another instance at its end', async () => {
    await addStation(world);
    await record('2026-01-31T18:00:00Z', { air_temperature: [1] });
    const acquire = sinon.stub(lease, 'acquire').resolves(false);
    await publish.execute();
    expect(publisher.published).to.equal(0);
    acquire.restore();
    await publish.execute();
    expect(publisher.published).to.equal(1);
    acquire.resolves(false);
    sinon.stub(lease, 'acquire').resolves(false);
    await publish.execute();
    expect(publisher.stops).to.deep.equal([false]);
    sinon.restore();
    await publish.execute();
    expect(publisher.published).to.equal(2);
    await publish.close();
    expect(publisher.stops).to.deep.equal([false, true]);
    expect(lease.isHeld).to.equal(false);
  });

  it('changes nothing while the store is away, and continues afterwards', async () => {
    await addStation(world);
    await record('2026-01-31T17:00:00Z', { air_temperature: [1] });
    await publish.execute();
    await record('2026-01-31T17:30:00Z', { air_temperature: [2] });
    pass(5000);
    const away = sinon.stub(world.stores.observations, 'newest').rejects(new Error('away'));
    expect(await rejectionOf(publish.execute())).to.have.property('message', 'away');
    expect(publisher.kept).to.deep.equal(['JFK']);
    away.restore();
    await publish.execute();
    expect(values()).to.deep.equal({ air_temperature: 2 });
  });
});
