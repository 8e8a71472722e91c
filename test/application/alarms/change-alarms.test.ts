import { expect } from 'chai';
import sinon from 'sinon';
import { AddAlarm, type AlarmRequest } from '#application/alarms/add-alarm.js';
import { ChangeAlarm } from '#application/alarms/change-alarm.js';
import { PutAlarm } from '#application/alarms/put-alarm.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { storedThreshold, variableOf } from '#application/alarms/sent-threshold.js';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import * as tokens from '#composition/graph/tokens.js';
import { alarmDamage, MAX_ALARMS } from '#domain/alarms/alarm.js';
import { V } from '#domain/weather/variables.js';
import { alarmsIn } from '../../support/alarms-world.js';
import { domainErrorOf } from '../../support/rejection.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const TARGET = { kind: 'post', url: 'https://example.org/alarms', allowPrivate: false } as const;
const OTHER = { ...TARGET, url: 'https://example.org/other' };
const UNREACHABLE = { kind: 'command', command: '/no/such/program' } as never;
const FROST: AlarmRequest = {
  name: 'frost',
  station: 'JFK',
  condition: { kind: 'below', variable: V.temperature, threshold: 0, clear: 2, for: 600_000 },
  target: TARGET,
};

describe('alarms', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });
  afterEach(() => sinon.restore());

  const add = (changes: Partial<AlarmRequest> = {}) =>
    world.get(AddAlarm).execute({ ...FROST, ...changes }, CALLER);
  const put = (changes: Partial<AlarmRequest> = {}) =>
    world.get(PutAlarm).execute({ ...FROST, ...changes }, CALLER);
  const stored = async () => (await world.stores.alarms.alarms()).map(({ name, id }) => `${name} ${id}`);
  /** Actions on alarms in the audit trail, oldest first, with what they tell. */
  const audited = async () => {
    const events = (await world.stores.audit.list(1000)).toReversed();
    return events
      .filter(({ action }) => action.startsWith('alarm'))
      .map(({ action, detail }) => [action, detail]);
  };
  const refuseTargets = () =>
    sinon.stub(world.get(tokens.Delivery), 'refusal').returns('It cannot be reached.');
  const DETAIL = {
    station: 'JFK',
    condition: 'air_temperature below 0 °C for 10 min, clears at 2 °C',
    target: 'https://example.org/…',
  };

  it('AddAlarm › stores an alarm of a station or of all, and writes who has made it', async () => {
    const alarm = await world.get(AddAlarm).execute(FROST, { ...CALLER, actor: 'ada' });
    const { number } = (await world.stores.stations.list())[0] ?? {};
    expect(alarm).to.deep.equal({
      id: alarm.id,
      name: 'frost',
      station: number,
      condition: FROST.condition,
      target: TARGET,
      madeBy: 'ada',
      madeAt: world.clock.time,
    });
    const ofAll = await add({
      name: 'silence',
      station: null,
      condition: { kind: 'silent', intervals: 3 },
      target: null,
    });
    expect(ofAll).to.include({ station: null, target: null });
    expect(await world.stores.alarms.alarms()).to.deep.equal([alarm, ofAll]);
    expect(await audited()).to.deep.equal([
      ['alarm-add', DETAIL],
      ['alarm-add', { condition: 'silent for more than 3 intervals' }],
    ]);
  });

  it('AddAlarm › refuses a name that is taken, an unknown station, a broken rule, and a target that nothing reaches', async () => {
    await add();
    expect((await domainErrorOf(add(), 'ALARM_EXISTS')).message).to.include('"frost"');
    await domainErrorOf(add({ name: 'b', station: 'LGA' }), 'STATION_UNKNOWN');
    await domainErrorOf(add({ name: '-' }), 'REQUEST_INVALID');
    refuseTargets();
    await domainErrorOf(add({ name: 'b' }), 'REQUEST_INVALID');
    await add({ name: 'c', target: null });
    expect((await stored()).map((line) => line.split(' ')[0])).to.deep.equal(['c', 'frost']);
    expect(await audited()).to.have.length(2);
  });

  it('AddAlarm › makes so many alarms and no more, and tells if somebody else was faster', async () => {
    const alarm = await add();
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...alarm,
        id: `other ${index}`,
        name: `other-${index}`,
      }));
    const list = sinon.stub(world.stores.alarms, 'alarms').resolves(others(MAX_ALARMS - 1));
    await add({ name: 'last' });
    list.resolves(others(MAX_ALARMS));
    await domainErrorOf(add({ name: 'more' }), 'REQUEST_INVALID');
    list.resolves([]);
    await domainErrorOf(add(), 'ALARM_EXISTS');
  });

  it('PutAlarm › adds an alarm, and changes nothing where it is the same, whatever the order of its fields', async () => {
    const alarm = await put();
    const {
      kind,
      variable,
      threshold,
      clear,
      for: held,
    } = FROST.condition as never as Record<string, number>;
    const same = { clear, for: held, threshold, variable, kind } as never;
    expect(await put({ condition: same })).to.deep.equal(alarm);
    expect(await put({ target: { allowPrivate: false, url: TARGET.url, kind: 'post' } })).to.deep.equal(
      alarm,
    );
    expect(await audited()).to.deep.equal([['alarm-add', DETAIL]]);
  });

  it('PutAlarm › replaces an alarm that watches something else, which begins anew', async () => {
    await addStation(world, { id: 'LGA' });
    let before = await put();
    const changes: Partial<AlarmRequest>[] = [
      { condition: { ...FROST.condition, threshold: 1 } as never },
      { station: 'LGA' },
      { station: null },
      { station: null, condition: { kind: 'silent', intervals: 3 } },
    ];
    for (const change of changes) {
      world.clock.time += 1000;
      const after = await put(change);
      expect(after.id).not.to.equal(before.id);
      expect(after.madeAt).to.equal(world.clock.time);
      expect(await stored()).to.deep.equal([`frost ${after.id}`]);
      before = after;
    }
    const actions = (await audited()).map(([action]) => action);
    expect(actions).to.deep.equal(['alarm-add', ...changes.flatMap(() => ['alarm-remove', 'alarm-add'])]);
    expect((await audited())[1]).to.deep.equal(['alarm-remove', DETAIL]);
  });

  it('PutAlarm › keeps an alarm that gets another target alone', async () => {
    const alarm = await put();
    expect(await put({ target: OTHER })).to.deep.equal({ ...alarm, target: OTHER });
    expect(await put({ target: null })).to.deep.equal({ ...alarm, target: null });
    expect(await world.stores.alarms.alarms()).to.deep.equal([{ ...alarm, target: null }]);
    const { target: _target, ...silent } = DETAIL;
    expect((await audited()).slice(1)).to.deep.equal([
      ['alarm-change', DETAIL],
      ['alarm-change', silent],
    ]);
    // Somebody removes it while it is changed.
    sinon
      .stub(world.stores.alarms, 'setTarget')
      .callsFake(async (id) => !(await world.stores.alarms.remove(id)));
    const anew = await put({ target: OTHER });
    expect(anew.id).not.to.equal(alarm.id);
    expect(await stored()).to.deep.equal([`frost ${anew.id}`]);
  });

  it('PutAlarm › refuses a target that nothing reaches, an unknown station and a broken rule, and changes nothing', async () => {
    const alarm = await put();
    await domainErrorOf(put({ station: 'LGA' }), 'STATION_UNKNOWN');
    await domainErrorOf(put({ condition: { kind: 'silent', intervals: 0 } }), 'REQUEST_INVALID');
    refuseTargets();
    await domainErrorOf(put({ target: OTHER }), 'REQUEST_INVALID');
    await domainErrorOf(put({ target: OTHER, station: null }), 'REQUEST_INVALID');
    expect(await world.stores.alarms.alarms()).to.deep.equal([alarm]);
    expect(await put()).to.deep.equal(alarm);
    expect(await put({ target: null })).to.include({ id: alarm.id });
    expect(await audited()).to.have.length(2);
  });

  it('ChangeAlarm › changes what is given, and keeps the rest', async () => {
    const change = (changes: Parameters<ChangeAlarm['execute']>[1], name = 'frost') =>
      world.get(ChangeAlarm).execute(name, changes, CALLER);
    const alarm = await add();
    expect(await change({})).to.deep.equal(alarm);
    expect(await change({ target: null })).to.deep.equal({ ...alarm, target: null });
    const condition = { kind: 'silent', intervals: 2 } as const;
    expect(await change({ condition }))
      .to.include({ station: alarm.station, target: null })
      .and.deep.include({ condition });
    expect(await change({ station: null })).to.deep.include({ station: null, condition });
    expect(await change({ target: OTHER })).to.deep.include({ station: null, condition, target: OTHER });
    await domainErrorOf(change({}, 'flood'), 'ALARM_UNKNOWN');
    expect(await change({ station: 'JFK' })).to.deep.include({ station: alarm.station });
    await world.get(RemoveStation).execute('JFK', CALLER);
    await domainErrorOf(change({ target: null }), 'STATION_UNKNOWN');
    expect(await change({ station: null, target: null })).to.include({ station: null });
  });

  it('ChangeAlarm › repairs a damaged alarm only as a whole', async () => {
    const alarm = await add();
    const damaged = { ...alarm, condition: { kind: 'odd' } as never };
    sinon.stub(world.stores.alarms, 'alarms').callsFake(async () => [damaged]);
    const change = world.get(ChangeAlarm);
    await domainErrorOf(change.execute('frost', { target: null }, CALLER), 'REQUEST_INVALID');
    const found = await change.execute('frost', { condition: FROST.condition }, CALLER);
    expect(found.condition).to.deep.equal(FROST.condition);
    expect((await audited())[1]).to.deep.equal(['alarm-remove', { condition: 'damaged' }]);
  });

  it('RemoveAlarm › removes an alarm, and knows no other one', async () => {
    const remove = (name: string) => world.get(RemoveAlarm).execute(name, CALLER);
    const alarm = await add();
    await domainErrorOf(remove('Frost'), 'ALARM_UNKNOWN');
    sinon.stub(world.stores.alarms, 'alarms').resolves([alarm]);
    await remove('frost');
    // Somebody else has removed it meanwhile.
    await domainErrorOf(remove('frost'), 'ALARM_UNKNOWN');
    sinon.restore();
    expect(await stored()).to.deep.equal([]);
    expect((await audited()).slice(0, 2)).to.deep.equal([
      ['alarm-add', DETAIL],
      ['alarm-remove', DETAIL],
    ]);
  });

  it('TestAlarm › sends one message that is marked as a test', async () => {
    const { delivery } = alarmsIn(world);
    delivery.outcome = 'gone' as never;
    const test = (name: string) => world.get(TestAlarm).execute(name, new AbortController().signal);
    await add();
    await add({ name: 'all', station: null, condition: { kind: 'silent', intervals: 3 } });
    await add({ name: 'shown', target: null });
    expect([await test('frost'), await test('all')]).to.deep.equal(['gone', 'gone']);
    const bodies = delivery.sent.map(({ message }) => JSON.parse(message.body) as Record<string, unknown>);
    expect(
      bodies.map(({ event, alarm, station, since }) => ({ event, alarm, station, since })),
    ).to.deep.equal([
      {
        event: 'alarm.test',
        alarm: 'frost',
        station: { id: 'JFK', name: 'John F Kennedy Intl' },
        since: null,
      },
      { event: 'alarm.test', alarm: 'all', station: null, since: null },
    ]);
    expect(bodies[1]?.['text']).to.equal('Test of an alarm: all stations: silent for more than 3 intervals');
    expect(delivery.sent.map(({ target }) => target)).to.deep.equal([TARGET, TARGET]);
    await domainErrorOf(test('shown'), 'REQUEST_INVALID');
    await domainErrorOf(test('flood'), 'ALARM_UNKNOWN');
  });

  it('have thresholds in any unit of their variable', async () => {
    const sent = { kind: 'below', variable: 'air_temperature', threshold: 32, clear: 50, for: 0 } as const;
    const found = { kind: 'below', variable: V.temperature, for: 0 } as const;
    const fahrenheit = storedThreshold({ ...sent, unit: '°F' });
    expect(fahrenheit.threshold).to.be.closeTo(0, 1e-9);
    expect(fahrenheit.clear).to.be.closeTo(10, 1e-9);
    expect(storedThreshold({ ...sent, unit: undefined })).to.deep.equal({
      ...found,
      threshold: 32,
      clear: 50,
    });
    expect(() => storedThreshold({ ...sent, unit: 'hPa' })).to.throw();
    expect(() => variableOf('warmth')).to.throw('There is no variable "warmth".');
  });

  it('are damaged if they lack a part or break a rule, and then tell no secret', async () => {
    const alarm = await add();
    const damageOf = (changes: object) => alarmDamage({ ...alarm, ...changes });
    expect(damageOf({})).to.equal(undefined);
    expect(damageOf({ target: null })).to.equal(undefined);
    expect(damageOf({ condition: null })).to.equal('has a condition of an unknown kind');
    expect(damageOf({ condition: { kind: 'odd' } })).to.equal('has a condition of an unknown kind');
    expect(damageOf({ target: { kind: 'upload' } })).to.equal('has a target of an unknown kind');
    expect(damageOf({ condition: { kind: 'silent', intervals: 0 } })).to.match(/^cannot be used: .*[^.]$/);
    expect(damageOf({ target: { ...TARGET, url: 'ftp://secret' } })).to.match(/^cannot be used: /);
    expect(damageOf({ target: { kind: 'post', url: 7 } })).to.be.a('string');
    expect(damageOf({ target: UNREACHABLE })).to.be.oneOf([undefined, 'lacks a part']);
  });
});
