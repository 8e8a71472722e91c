import { expect } from 'chai';
import sinon from 'sinon';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import { CHECK_STATES, MonitorHealth } from '#application/operation/monitor-health.js';
import { PublishState } from '#application/operation/publish-state.js';
import { PutStations } from '#application/stations/put-stations.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { DomainError } from '#domain/domain-error.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { metricValues } from '../../support/recorded.js';
import { domainErrorOf, rejectionOf } from '../../support/rejection.js';
import { addKey, ADMITTED, reading, send, upload } from '../../support/uploads-world.js';
import { addStation, record, sentColumns, STATION } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const HOUR = 3_600_000;
const AGE = 'weatherd_station_last_observation_age_seconds';

/** With the station JFK, and with the metrics that are read for each report. */
async function makeWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await World.make(settings);
  world.get(PublishState);
  await addStation(world);
  return world;
}

describe('what the application records', () => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld();
  });
  const recorded = (name: string) => metricValues(world.metrics, name);

  /** Two rows, one of them in the future. @param first milliseconds since 1970 */
  const rows = (first: number, value: number): SentRows => ({
    stations: 'JFK',
    times: Float64Array.of(first, world.clock.time + 1000 * HOUR),
    columns: sentColumns({ air_temperature: [value, value] }),
  });

  it('are the rows of each source, by what became of them', async () => {
    const now = world.clock.time;
    await world.get(RecordObservations).execute(rows(now, 1), CALLER);
    await world.get(RecordObservations).execute(rows(now, 1), CALLER);
    await world.get(RecordObservations).execute(rows(now, 2), CALLER);
    async function* batches(): AsyncGenerator<SentRows> {
      const { columns, times } = rows(now - HOUR, 3);
      yield { stations: Uint32Array.of(1, 1), times, columns };
      yield { stations: Uint32Array.of(1, 77), times, columns };
    }
    await world.get(RecordBatches).execute(batches(), CALLER);
    const { secret } = await addKey(world);
    expect(await send(world, { sender: { key: secret } })).to.equal('stored');
    const stations = new Map([['JFK', [reading('air_temperature', 4)]]]);
    const source = { source: 'mqtt:x', key: null, isReceiveTime: false, stations };
    await world.get(RecordReadings).execute({ ...source, time: now - 2 * HOUR });
    await world.get(RecordReadings).execute({ ...source, time: now + 1000 * HOUR });
    expect(await recorded('weatherd_rows_total')).to.deep.equal({
      'external_api inserted': 1,
      'external_api unchanged': 1,
      'external_api updated': 1,
      'external_api rejected': 3,
      'internal_api inserted': 1,
      'internal_api unchanged': 1,
      'internal_api rejected': 2,
      'uploads updated': 1,
      'mqtt inserted': 1,
      'mqtt rejected': 1,
    });
  });

  it('are rows that were stored before a failure, and rows of stations that were removed meanwhile', async () => {
    const write = sinon.stub(world.get(CommitQueue), 'write');
    write.resolves({ inserted: 0, updated: 0, unchanged: 0, unknown: [1] });
    async function* batches(): AsyncGenerator<SentRows> {
      const times = Float64Array.of(1000, 2000);
      yield { stations: Uint32Array.of(1, 1), times, columns: sentColumns({ 1: [1, 2] }) };
    }
    await world.get(RecordBatches).execute(batches(), CALLER);
    write.rejects(new DomainError('STORE_UNAVAILABLE', 'down'));
    await rejectionOf(world.get(RecordObservations).execute(rows(1000, 1), CALLER));
    expect(await recorded('weatherd_rows_total')).to.deep.equal({
      'internal_api rejected': 2,
      'external_api rejected': 1,
    });
  });

  it('are commits: their duration, their failures, and the rows that wait', async () => {
    const write = sinon.stub(world.stores.observations, 'write').callThrough();
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2] });
    await record(world, '2013-01-02T00:00:00Z', { air_temperature: [1, 2] });
    write.rejects(new DomainError('REQUEST_INVALID', 'one write', { callOnly: true }));
    await rejectionOf(record(world, '2013-01-03T00:00:00Z', { air_temperature: [1] }));
    expect(await recorded('weatherd_commit_failures_total')).to.deep.equal({});
    let waiting: Readonly<Record<string, number>> = {};
    write.callsFake(async () => {
      waiting = await recorded('weatherd_commit_queue_rows');
      throw new DomainError('STORE_UNAVAILABLE', 'down');
    });
    await rejectionOf(record(world, '2013-01-04T00:00:00Z', { air_temperature: [1, 2, 3] }));
    expect(waiting).to.deep.equal({ '': 3 });
    expect(await recorded('weatherd_commit_failures_total')).to.deep.equal({ '': 1 });
    expect(await recorded('weatherd_commit_queue_rows')).to.deep.equal({});
    const durations = (await world.metrics.collect()).find(
      ({ name }) => name === 'weatherd_commit_duration_seconds',
    );
    expect(durations?.series[0]?.buckets?.at(-1)).to.deep.equal([Infinity, 2]);
  });

  it('are uploads, by dialect and by what became of them', async () => {
    const { secret: key } = await addKey(world);
    expect(await send(world, { sender: { key } })).to.equal('stored');
    expect(await send(world, { sender: { key } })).to.equal('unchanged');
    expect(await send(world, { sender: { key: 'wrong' } })).to.equal('refused key');
    expect(await send(world, { sender: { key }, problem: 'It cannot be read.' })).to.equal('refused content');
    expect(await send(world, { sender: { identity: 'X' }, dialect: 'ambient' })).to.equal('pending');
    const time = { sent: world.clock.time + HOUR, isLive: false };
    expect(await send(world, { sender: { key }, time })).to.equal('refused time');
    sinon.stub(world.get(RecordReadings), 'execute').rejects(new DomainError('STORE_UNAVAILABLE', 'down'));
    const failing = upload({ sender: { key }, readings: [reading('air_temperature', 3)] });
    const arrival = { receivedAt: world.clock.time, address: '192.0.2.7' };
    await rejectionOf(world.get(ReceiveUpload).execute(failing, arrival, ADMITTED));
    expect(await recorded('weatherd_uploads_total')).to.deep.equal({
      'ecowitt stored': 1,
      'ecowitt unchanged': 1,
      'ecowitt refused key': 1,
      'ecowitt refused content': 1,
      'ambient pending': 1,
      'ecowitt refused time': 1,
      'ecowitt failed': 1,
    });
  });

  it('are failures to sign in, but no successes', async () => {
    await world.addUser('ada');
    await world.signIn('ada');
    const wrong = { username: 'ada', email: null, password: 'wrong horse' };
    for (let attempt = 0; attempt < 5; attempt += 1)
      await domainErrorOf(world.get(Authenticate).execute(wrong, CALLER), 'AUTH_INVALID_CREDENTIALS');
    await domainErrorOf(world.signIn('ada'), 'RATE_LIMITED');
    expect(await recorded('weatherd_sign_in_failures_total')).to.deep.equal({ credentials: 5, throttled: 1 });
  });

  it('are the states of all checks, each with one state', async () => {
    const check = sinon.stub();
    check.onFirstCall().resolves(undefined).onSecondCall().resolves('A defect.').rejects(new Error('x'));
    const health = world.get(MonitorHealth);
    await health.watch([{ name: 'planted', check }]);
    for (const state of CHECK_STATES) {
      const states = await recorded('weatherd_check_state');
      expect(states[`planted ${state}`], state).to.equal(1);
      expect(Object.keys(states)).to.have.length(health.statuses().length);
      await health.execute();
    }
  });

  it('are streams of events, ranges that wait for quality control, and the version', async () => {
    expect(await recorded('weatherd_event_streams')).to.deep.equal({});
    const leave = world.get(StreamSlots).acquire('192.0.2.1');
    expect(await recorded('weatherd_event_streams')).to.deep.equal({ '': 1 });
    leave();
    expect(await recorded('weatherd_event_streams')).to.deep.equal({});
    const before = (await recorded('weatherd_judging_requests'))[''] ?? 0;
    await world.stores.recheck.request([{ station: 1, from: 0, to: 1, spreads: false }]);
    expect(await recorded('weatherd_judging_requests')).to.deep.equal({ '': before + 1 });
    await addStation(world);
    await record(world, '2024-01-01T00:00:00Z', { air_temperature: [1, 2, 3] });
    await world.stores.recheck.request([{ station: 1, from: 0, to: 8.64e15, spreads: false }]);
    expect(await recorded('weatherd_quality_control_rows')).to.deep.equal({ '': 3 });
    expect(Object.keys(await recorded('weatherd_build_info'))[0]).to.match(/^\d+\.\d+\.\d+$/);
  });

  it('are the ages of stations only if that is configured, of stations that have reported', async () => {
    await rejectionOf(recorded(AGE));
    world = await makeWorld({ WEATHERD_METRICS_STATIONS: 'true' });
    await addStation(world, { id: 'silent' });
    await addStation(world, { id: 'hidden', visibility: 'hidden' });
    expect(await recorded(AGE)).to.deep.equal({});
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2] });
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1] }, 'hidden');
    world.clock.time = Date.parse('2013-01-01T01:00:30.500Z');
    expect(await recorded(AGE)).to.deep.equal({ JFK: 30.5, hidden: 3630.5 });
  });

  it('are the ages of more stations than are read at a time', async () => {
    world = await makeWorld({ WEATHERD_METRICS_STATIONS: 'true' });
    const ids = Array.from({ length: 501 }, (_, station) => `s${station}`);
    await world.get(PutStations).execute(
      ids.map((id) => ({ ...STATION, id })),
      CALLER,
    );
    // JFK has the number 1. Each station reports a second after the one before it.
    const stations = Uint32Array.from(ids, (_, station) => station + 2);
    const times = Float64Array.from(ids, (_, station) => world.clock.time - 1000 * station);
    async function* batches(): AsyncGenerator<SentRows> {
      yield { stations, times, columns: [{ variable: 1, values: new Float64Array(ids.length) }] };
    }
    await world.get(RecordBatches).execute(batches(), CALLER);
    world.clock.time += 500;
    expect(await recorded(AGE)).to.deep.equal(
      Object.fromEntries(ids.map((id, station) => [id, station + 0.5])),
    );
  });
});
