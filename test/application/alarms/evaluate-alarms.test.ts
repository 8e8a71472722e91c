import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { AddAlarm, type AlarmRequest } from '#application/alarms/add-alarm.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { AlarmMessages } from '#application/alarms/alarm-messages.js';
import { PersonalMessages } from '#application/alarms/personal-messages.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { pause, pauseFor } from '#application/pause.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import { V } from '#domain/weather/variables.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { metricValues } from '../../support/recorded.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { second, minute, hour, day } = MILLISECONDS;
const TARGET = { kind: 'post', url: 'https://example.org/alarms', allowPrivate: false } as const;
const FROST: AlarmRequest = {
  name: 'frost',
  station: 'JFK',
  condition: { kind: 'below', variable: V.temperature, threshold: 0, clear: 2, for: 0 },
  target: TARGET,
};
const SILENT: AlarmRequest = {
  name: 'silent',
  station: 'JFK',
  condition: { kind: 'silent', intervals: 3 },
  target: TARGET,
};

describe('the evaluation of alarms', () => {
  let world: World;
  let alarms: AlarmsInWorld;
  beforeEach(async () => {
    world = await World.make();
    alarms = alarmsIn(world);
    await addStation(world);
  });

  const add = (request: AlarmRequest) => world.get(AddAlarm).execute(request, CALLER);
  /** Writes a temperature of the present time, or of another one. */
  const write = (value: number, age = 0, station = 'JFK') =>
    record(world, new Date(world.clock.time - age).toISOString(), { air_temperature: [value] }, station);
  const advance = (time: number) => {
    world.clock.time += time;
    world.clock.up += time;
  };
  const settle = async () => {
    for (let turn = 0; turn < 30; turn += 1) await pause();
  };
  const round = async (time = 2 * second) => {
    await settle();
    advance(time);
    await alarms.evaluate.execute();
    await settle();
  };
  const shown = async () =>
    (await world.get(ListAlarms).execute()).flatMap(({ alarm, states }) =>
      states.map(({ station, stationAlarm }) => `${alarm.name} ${station.id} ${stationAlarm.state.status}`),
    );
  const sent = () =>
    alarms.delivery.sent.map(({ message }) => (JSON.parse(message.body) as { event: string }).event);

  it('raises alarms of all stations at no station of the demo, and alarms that name one', async () => {
    await addStation(world, { id: 'demo', identifiers: {}, demo: 'live' });
    await add({ ...FROST, name: 'all', station: null });
    await add({ ...FROST, name: 'named', station: 'demo' });
    await write(-5, 0, 'demo');
    await write(-5);
    await round();
    expect((await shown()).filter((text) => text.endsWith('raised'))).to.have.members([
      'all JFK raised',
      'named demo raised',
    ]);
  });

  it('raises and clears an alarm by announced changes, and sends each once', async () => {
    await add(FROST);
    await write(1);
    await round();
    expect(await shown()).to.deep.equal([]);
    advance(minute);
    await write(-1);
    await round();
    await round();
    expect(await shown()).to.deep.equal(['frost JFK raised']);
    advance(minute);
    await write(1);
    await round();
    advance(minute);
    await write(2);
    await round();
    expect(await shown()).to.deep.equal(['frost JFK cleared']);
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
    expect((await world.stores.alarms.states()).map(({ notice }) => notice)).to.deep.equal([null]);
    const { target, message } = alarms.delivery.sent[0] as (typeof alarms.delivery.sent)[0];
    expect(target).to.deep.equal(TARGET);
    expect(JSON.parse(message.body)).to.deep.include({
      alarm: 'frost',
      station: { id: 'JFK', name: 'John F Kennedy Intl' },
      variable: 'air_temperature',
      value: -1,
      unit: '°C',
      text: 'Alarm raised: John F Kennedy Intl: air_temperature below 0 °C, clears at 2 °C',
    });
  });

  it('raises an alarm for a low battery, which its message names, and clears it with a new one', async () => {
    await add({ name: 'battery', station: null, condition: { kind: 'battery' }, target: TARGET });
    await write(1);
    const number = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
    const note = (sensor: string, batteryPercent: number) =>
      world.get(NoteSensors).note(number, { source: 'roof' }, [{ sensor, batteryPercent }], world.clock.time);
    note('iss 1', 10);
    await round(minute);
    expect(await shown()).to.deep.equal([]);
    const since = world.clock.time;
    note('iss 1', 9);
    await round(minute);
    advance(minute);
    note('iss 2', 5);
    await round(minute);
    expect(await shown()).to.deep.equal(['battery JFK raised']);
    note('iss 1', 100);
    await round(hour);
    expect(await shown()).to.deep.equal(['battery JFK raised']);
    note('iss 2', 100);
    await round(minute);
    await round(minute);
    expect(await shown()).to.deep.equal(['battery JFK cleared']);
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
    const bodies = alarms.delivery.sent.map(({ message }) => JSON.parse(message.body) as object);
    const text = 'John F Kennedy Intl: the battery of a sensor is low';
    const from = new Date(since).toISOString();
    expect(bodies[0]).to.deep.include({
      text: `Alarm raised: ${text}: iss 1 since ${from}`,
      condition: { kind: 'battery', text: 'the battery of a sensor is low' },
      sensor: 'iss 1',
      since: from,
    });
    expect(bodies[1]).to.deep.include({ text: `Alarm cleared: ${text}`, sensor: 'iss 1' });
  });

  it('raises an alarm for a battery below a charge of its own, beside one with the usual charge', async () => {
    for (const [name, condition] of [
      ['low', { kind: 'battery' }],
      ['half', { kind: 'battery', below: 50 }],
    ] as const)
      await add({ name, station: 'JFK', condition, target: TARGET });
    const number = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
    const note = (state: { readonly batteryPercent: number; readonly isBatteryLow?: boolean }) =>
      world
        .get(NoteSensors)
        .note(number, { source: 'roof' }, [{ sensor: 'iss 1', ...state }], world.clock.time);
    note({ batteryPercent: 50 });
    await round(minute);
    expect(await shown()).to.deep.equal([]);
    advance(hour);
    const since = world.clock.time;
    note({ batteryPercent: 49 });
    await round(minute);
    await round(minute);
    expect(await shown()).to.deep.equal(['half JFK raised']);
    expect(JSON.parse(alarms.delivery.sent[0]?.message.body ?? '')).to.deep.include({
      since: new Date(since).toISOString(),
      condition: { kind: 'battery', text: 'the battery of a sensor is low or below 50 %' },
    });
    note({ batteryPercent: 90, isBatteryLow: true });
    await round(hour);
    expect(await shown()).to.have.members(['half JFK raised', 'low JFK raised']);
    note({ batteryPercent: 90, isBatteryLow: false });
    await round(hour);
    expect(await shown()).to.have.members(['half JFK cleared', 'low JFK cleared']);
  });

  it('raises no alarm for a battery of a sensor that was not seen for 30 days', async () => {
    await add({ name: 'battery', station: 'JFK', condition: { kind: 'battery' }, target: null });
    const number = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
    world
      .get(NoteSensors)
      .note(number, { source: 'roof' }, [{ sensor: 'iss 1', isBatteryLow: true }], world.clock.time);
    await round(minute);
    expect(await shown()).to.deep.equal(['battery JFK raised']);
    await round(29 * day);
    expect(await shown()).to.deep.equal(['battery JFK raised']);
    await round(day);
    expect(await shown()).to.deep.equal(['battery JFK cleared']);
  });

  it('raises an alarm for a notice, which its message names, and clears it with the notice', async () => {
    await add({
      name: 'calm',
      station: null,
      condition: { kind: 'notice', notice: 'stuck_calm', variable: null, days: 7 },
      target: TARGET,
    });
    await write(5);
    await round();
    expect(await shown()).to.deep.equal([]);
    const { number } = (await world.stores.stations.find('JFK')) as { number: number };
    const since = world.clock.time - 30 * day;
    const notice = { kind: 'stuck_calm', variable: V.windSpeed, since, until: null } as const;
    const put = (notices: readonly Notice[]) =>
      world.get(NoticeRecords).change(number, (before) => ({ ...before, notices }), 1);
    await put([{ ...notice, facts: {}, comparedWith: [] }]);
    const find = sinon.spy(world.stores.storedRecords, 'record');
    await round(2 * minute);
    await write(5);
    await round();
    expect(find.callCount, 'the notices are not read with each row').to.equal(1);
    expect(await shown()).to.deep.equal(['calm JFK raised']);
    const time = new Date(since).toISOString();
    expect(JSON.parse(alarms.delivery.sent[0]?.message.body ?? '')).to.deep.include({
      text:
        'Alarm raised: John F Kennedy Intl: notice stuck_calm, ongoing or begun in the last 7 days: ' +
        `stuck_calm of wind_speed since ${time}`,
      notice: 'stuck_calm',
      variable: 'wind_speed',
      since: time,
    });
    await put([]);
    await round(2 * minute);
    expect(await shown()).to.deep.equal(['calm JFK cleared']);
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
  });

  it('reads only stations with changes between full rounds, and nothing without alarms', async () => {
    const newest = sinon.spy(world.stores.observations, 'newest');
    await round();
    expect(newest.callCount).to.equal(0);
    await addStation(world, { id: 'LGA', identifiers: {} });
    await add(FROST);
    await round();
    expect(newest.callCount).to.equal(1);
    await write(5, 0, 'LGA');
    await round();
    await round();
    expect(newest.callCount).to.equal(1);
    await round(minute);
    expect(newest.callCount).to.equal(2);
  });

  it('takes no notice of late rows, in whatever order they arrive', async () => {
    const rows = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 5 * 60 }), fc.integer({ min: -9, max: 9 })),
      {
        selector: ([age]) => age,
        maxLength: 6,
      },
    );
    await add(FROST);
    await write(5);
    await round();
    const begin = world.clock.time;
    await fc.assert(
      fc.asyncProperty(rows, async (late) => {
        for (const [age, value] of late) {
          await write(value, world.clock.time - begin + age * minute);
          await round();
        }
        expect(await shown()).to.deep.equal([]);
      }),
      { numRuns: 15 },
    );
  });

  it('raises no alarm for an import of old years', async () => {
    await add(FROST);
    await write(-20, 400 * day);
    await round();
    expect(await shown()).to.deep.equal([]);
  });

  it('reads the rows before the newest one if a value must stay beyond the threshold', async () => {
    await add({ ...FROST, condition: { ...FROST.condition, for: 3 * hour } as AlarmRequest['condition'] });
    const from = new Date(world.clock.time - 5 * hour).toISOString();
    await record(world, from, { air_temperature: [-1, 1, -1, -1, -1] });
    await round();
    expect(await shown()).to.deep.equal([]);
    await write(-1);
    await round();
    expect(await shown()).to.deep.equal(['frost JFK raised']);
  });

  it('raises silence by the clock, once, and clears it at the next row', async () => {
    await add(SILENT);
    await write(5);
    await round();
    await round(3 * hour - 5 * second);
    expect(sent()).to.deep.equal([]);
    await round(5 * second);
    await round(hour);
    expect(sent()).to.deep.equal(['alarm.raised']);
    await write(5);
    await round();
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
    const { body } = alarms.delivery.sent[0]?.message ?? { body: '' };
    expect(JSON.parse(body)).to.deep.include({ interval: { seconds: 3600, source: 'station' } });
  });

  it('observes the interval of a station that has none', async () => {
    await addStation(world, { id: 'LGA', identifiers: {}, reportingInterval: null });
    await add({ ...SILENT, station: 'LGA' });
    for (let count = 0; count < 6; count += 1) {
      await write(5, 0, 'LGA');
      await round(5 * minute);
    }
    await round(15 * minute);
    const [first] = (await world.stores.alarms.states()).map(({ state }) => state);
    expect(first?.status).to.equal('raised');
    expect(first?.interval).to.deep.equal({ milliseconds: 5 * minute, source: 'observed' });
  });

  it('leaves out of an alarm of all stations those that ended long ago', async () => {
    await addStation(world, { id: 'LGA', identifiers: {} });
    await addStation(world, { id: 'EWR', identifiers: {} });
    await write(5, 9 * day, 'LGA');
    await write(5);
    await add({ ...SILENT, station: null });
    await round();
    await round(4 * hour);
    expect(await shown()).to.deep.equal(['silent JFK raised']);
    await add({ ...SILENT, name: 'of-lga', station: 'LGA' });
    await round();
    expect(await shown()).to.deep.equal(['of-lga LGA raised', 'silent JFK raised']);
  });

  it('sends a notice again after a restart until it is acknowledged, and of several only the newest', async () => {
    await add(FROST);
    alarms.delivery.outcome = { failed: 'away' };
    await write(-1);
    await round();
    const [raised] = alarms.delivery.sent;
    await alarms.evaluate.close();
    await round();
    expect(JSON.stringify(alarms.delivery.sent.at(-1)?.message)).to.equal(JSON.stringify(raised?.message));
    await alarms.evaluate.close();
    const tries = alarms.delivery.sent.length;
    advance(minute);
    await write(5);
    alarms.delivery.outcome = 'delivered';
    await round();
    await round();
    expect(sent().slice(tries)).to.deep.equal(['alarm.cleared']);
    expect((await world.stores.alarms.states()).map(({ notice }) => notice)).to.deep.equal([null]);
  });

  it('has one lane for alarms with the same target', async () => {
    await add({ ...FROST, target: null });
    await add({ ...FROST, name: 'frost-2' });
    await add({ ...FROST, name: 'frost-3' });
    await write(-1);
    await round();
    await round();
    expect(alarms.delivery.sent.map(({ message }) => message.facts?.['alarm'])).to.have.members([
      'frost-2',
      'frost-3',
    ]);
    expect(await shown()).to.deep.equal(['frost JFK raised', 'frost-2 JFK raised', 'frost-3 JFK raised']);
  });

  it('remembers for a day that a target has failed, until it takes a message or has no alarm', async () => {
    const failing = () => alarms.messages.failing.map(({ name, since }) => [name, since]);
    const waiting = () => Object.fromEntries(alarms.messages.waiting);
    await add(FROST);
    await add({ ...FROST, name: 'other', target: { ...TARGET, url: 'https://example.net/' } });
    alarms.delivery.outcome = { failed: 'It is away.', permanent: true };
    const raise = async () => {
      advance(minute);
      await write(-1);
      await round();
    };
    const clear = async () => {
      advance(minute);
      await write(5);
      await round();
    };
    await raise();
    expect(waiting()).to.deep.equal({ frost: 1, other: 1 });
    const since = world.clock.time;
    await round();
    await round();
    expect([failing(), waiting()]).to.deep.equal([
      [
        ['frost', since],
        ['other', since],
      ],
      {},
    ]);
    await round(day - hour);
    expect(failing()).to.have.length(2);
    // Another failure: it still fails since the first one.
    await clear();
    await round();
    expect(failing()).to.deep.equal([
      ['frost', since],
      ['other', since],
    ]);
    alarms.delivery.outcome = 'delivered';
    await world.get(RemoveAlarm).execute('other', CALLER);
    await raise();
    await round();
    expect(failing()).to.deep.equal([]);
    alarms.delivery.outcome = { failed: 'It is away.', permanent: true };
    await clear();
    await round();
    expect(failing()).to.have.length(1);
    await round(day);
    expect(failing()).to.deep.equal([]);
    expect(await metricValues(world.metrics, 'weatherd_deliveries_total')).to.deep.equal({
      'alarm frost delivered': 1,
      'alarm frost dropped': 3,
      'alarm frost failed': 3,
      'alarm other dropped': 2,
      'alarm other failed': 2,
    });
  });

  it('knows after a restart since when a target fails, and waits at most 15 minutes as it asks', async () => {
    await add(FROST);
    alarms.delivery.outcome = { failed: 'It is away.' };
    await write(-1);
    await round();
    const since = world.clock.time;
    await alarms.evaluate.close();
    advance(hour);
    const delays: number[] = [];
    const dispatcher = new Dispatcher({
      clock: world.clock,
      delivery: { send: async () => ({ failed: 'It is busy.', retryAfter: 99_999_999 }) },
      onNotice: () => undefined,
      wait: (delay, signal) => {
        delays.push(delay);
        return pauseFor(delay, signal);
      },
    });
    const [directory, book] = [world.get(StationDirectory), world.get(AlarmCache)];
    const messages = new AlarmMessages(
      world.clock,
      dispatcher,
      directory,
      world.stores.alarms,
      book,
      new PersonalMessages('en'),
    );
    const send = async () => messages.send(await book.current());
    await send();
    await settle();
    await send();
    expect([messages.failing.map((target) => target.since), delays]).to.deep.equal([[since], [15 * minute]]);
    await dispatcher.closeAll();
  });

  it('forgets an alarm that is removed, and sends nothing of a station that is removed', async () => {
    await add(FROST);
    await world.get(RemoveStation).execute('JFK', CALLER);
    await round();
    expect(await shown()).to.deep.equal([]);
    await world.get(RemoveAlarm).execute('frost', CALLER);
    await round();
    expect(await world.get(ListAlarms).execute()).to.deep.equal([]);
    expect((await world.auditTrail()).filter((event) => event.startsWith('alarm'))).to.deep.equal([
      'alarm-add done frost',
      'alarm-remove done frost',
    ]);
  });

  it('evaluates everything again after a failure', async () => {
    await add(FROST);
    await round();
    await write(-1);
    const newest = sinon.stub(world.stores.observations, 'newest').rejects(new Error('away'));
    await round().catch(() => undefined);
    newest.restore();
    await round();
    expect(await shown()).to.deep.equal(['frost JFK raised']);
  });

  it('is done by the instance with the lease', async () => {
    let isFree = false;
    world = await World.make();
    alarms = alarmsIn(world, { acquire: async () => isFree, release: async () => undefined });
    await addStation(world);
    await add(FROST);
    await write(-1);
    await round();
    expect(await shown()).to.deep.equal([]);
    isFree = true;
    await round();
    expect(await shown()).to.deep.equal(['frost JFK raised']);
  });
});
