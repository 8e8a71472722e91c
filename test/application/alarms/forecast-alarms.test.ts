import { expect } from 'chai';
import { AddAlarm, type AlarmRequest } from '#application/alarms/add-alarm.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { pause } from '#application/pause.js';
import type { ForecastCondition } from '#domain/alarms/condition.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { issueTemperatures, storeTemperatures } from '../../support/forecast-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { minute, hour, day } = MILLISECONDS;
const PROGRAM = { kind: 'post', url: 'https://example.org/alarms', allowPrivate: false } as const;
const PEOPLE = { kind: 'service', service: 'ntfy', url: 'https://ntfy.sh/x', allowPrivate: false } as const;
const FROST: ForecastCondition = {
  kind: 'forecast',
  comparison: 'below',
  variable: V.temperature,
  threshold: 0,
  within: 12 * hour,
  probability: 0.5,
};
const NIGHT = [4, 2, -1, -2, -1, 3, 6, 8, 8, 8, 8, 8];
const WARM = Array<number>(12).fill(8);

describe('the evaluation of alarms on forecasts', () => {
  let world: World;
  let alarms: AlarmsInWorld;
  beforeEach(async () => {
    world = await World.make();
    alarms = alarmsIn(world);
    await addStation(world);
    await world.get(AddForecast).execute(['JFK'], 'open-meteo', CALLER);
  });

  const add = (changes: Partial<AlarmRequest> = {}) =>
    world
      .get(AddAlarm)
      .execute({ name: 'frost', station: 'JFK', condition: FROST, target: PROGRAM, ...changes }, CALLER);
  const settle = async () => {
    for (let turn = 0; turn < 30; turn += 1) await pause();
  };
  const round = async (time: number = minute) => {
    await settle();
    world.clock.time += time;
    world.clock.up += time;
    await alarms.evaluate.execute();
    await settle();
  };
  const shown = async () =>
    (await world.get(ListAlarms).execute()).flatMap(({ alarm, states }) =>
      states.map(({ station, stationAlarm: { state } }) =>
        [alarm.name, station.id, state.status, state.ended].filter(Boolean).join(' '),
      ),
    );
  const bodies = () =>
    alarms.delivery.sent.map(({ message }) => JSON.parse(message.body) as Record<string, unknown>);
  const sent = () => bodies().map(({ event }) => event);

  it('tells of a frost once, whatever is issued later, and when its hours are over', async () => {
    await add();
    await round();
    expect(await shown()).to.deep.equal([]);
    const issued = world.clock.time;
    await issueTemperatures(world, 'JFK', NIGHT);
    await round();
    const first = Math.ceil(issued / hour) * hour;
    const since = new Date(world.clock.time).toISOString();
    const at = (index: number) => new Date(first + index * hour).toISOString();
    const text =
      'John F Kennedy Intl: forecast of air_temperature below 0 °C within 12 h, chance at least 50 %';
    expect(bodies()).to.have.length(1);
    expect(bodies()[0]).to.deep.include({
      event: 'alarm.raised',
      text: `Alarm raised: ${text}: -2 °C at ${at(3)}, chance 98 %`,
      variable: 'air_temperature',
      value: -2,
      unit: '°C',
      time: at(3),
      since,
      chance: 0.98,
      until: at(4),
    });
    // A row of the station and a new forecast of the same night say nothing new.
    await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [-5] });
    await round(hour);
    await issueTemperatures(world, 'JFK', NIGHT.slice(1));
    await round(hour);
    await issueTemperatures(world, 'JFK', [-1, -2, -1, -1, 6, 6, 6, 6, 6]);
    await round();
    expect(sent()).to.deep.equal(['alarm.raised']);
    const [listed] = await world.get(ListAlarms).execute();
    expect(listed?.states[0]?.stationAlarm).to.deep.include({ notice: null });
    expect(listed?.states[0]?.stationAlarm.state).to.include({ value: -2, until: first + 5 * hour });
    await round(3 * hour);
    await round(hour);
    expect(await shown()).to.deep.equal(['frost JFK cleared passed']);
    expect(bodies()[1]).to.deep.include({ event: 'alarm.cleared', ended: 'passed' });
    await round(hour);
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
  });

  it('tells when the forecast withdraws a frost, and again if it comes back', async () => {
    await add();
    for (const forecast of [NIGHT, WARM, NIGHT]) {
      await issueTemperatures(world, 'JFK', forecast);
      await round(hour);
    }
    expect(sent()).to.deep.equal(['alarm.raised', 'alarm.cleared', 'alarm.raised']);
    expect(bodies()[1]).to.deep.include({ ended: 'withdrawn', value: 8, chance: 0 });
  });

  it('goes on after a restart, and tells nothing again', async () => {
    await add();
    await issueTemperatures(world, 'JFK', NIGHT);
    await round();
    await alarms.evaluate.close();
    alarms = alarmsIn(world);
    await round(hour);
    expect(await shown()).to.deep.equal(['frost JFK raised']);
    expect(sent()).to.deep.equal([]);
    // The service did not run while the frost was there.
    await alarms.evaluate.close();
    alarms = alarmsIn(world);
    await round(12 * hour);
    expect(sent()).to.deep.equal(['alarm.cleared']);
  });

  it('is told by one of two instances that both evaluate', async () => {
    await add();
    await issueTemperatures(world, 'JFK', NIGHT);
    const other = alarmsIn(world);
    world.clock.up += minute;
    await Promise.all([alarms.evaluate.execute(), other.evaluate.execute()]);
    await settle();
    const [state, ...others] = await world.stores.alarms.states();
    expect([state?.state.status, others]).to.deep.equal(['raised', []]);
    expect(
      new Set([...alarms.delivery.sent, ...other.delivery.sent].map(({ message }) => message.id)).size,
    ).to.equal(1);
  });

  it('is neither raised nor withdrawn by a forecast of yesterday, or without one, and ends with its hours', async () => {
    await issueTemperatures(world, 'JFK', [...Array<number>(25).fill(8), ...NIGHT]);
    world.clock.time += day;
    await add();
    await round();
    expect(await shown()).to.deep.equal([]);
    await issueTemperatures(world, 'JFK', NIGHT);
    await round();
    expect(await shown()).to.deep.equal(['frost JFK raised']);
    await world.get(RemoveForecast).execute('JFK', CALLER);
    await round(hour);
    expect(await shown()).to.deep.equal(['frost JFK raised']);
    await round(6 * hour);
    expect(await shown()).to.deep.equal(['frost JFK cleared passed']);
  });

  it('watches all stations with forecasts, also one that never reports, and none of the demo', async () => {
    await addStation(world, { id: 'virtual', identifiers: {} });
    await addStation(world, { id: 'without', identifiers: {} });
    await addStation(world, { id: 'demo', identifiers: {}, demo: 'live' });
    await world.get(AddForecast).execute(['virtual'], 'open-meteo', CALLER);
    await world.get(AddForecast).execute(['demo'], 'simulated', CALLER);
    for (const id of ['JFK', 'virtual']) await issueTemperatures(world, id, NIGHT, { deviation: undefined });
    const demo = { station: (await world.stores.stations.find('demo'))?.number ?? 0, provider: 'simulated' };
    await storeTemperatures(world.get(ForecastRecords), demo, world.clock.now(), NIGHT, undefined);
    await add({ station: null });
    await add({ name: 'demo', station: 'demo' });
    await round();
    expect(await shown()).to.have.members(['frost JFK raised', 'frost virtual raised', 'demo demo raised']);
    for (const body of bodies()) expect(body).to.not.have.property('chance');
  });

  it('tells people of a frost while the station is silent', async () => {
    await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [5] });
    await add({ name: 'silent', condition: { kind: 'silent', intervals: 1 }, target: PEOPLE });
    await add({ target: PEOPLE });
    await round();
    await round(3 * hour);
    await issueTemperatures(world, 'JFK', NIGHT);
    await round();
    expect(await shown()).to.have.members(['silent JFK raised', 'frost JFK raised']);
    expect(alarms.delivery.sent.map(({ message }) => message.personal?.fields['alarm'])).to.deep.equal([
      'silent',
      'frost',
    ]);
  });
});
