import { expect } from 'chai';
import type { AlarmStore } from '#application/ports/alarm-store.js';
import type { Stores } from '#application/ports/stores.js';
import { QUIET } from '#domain/alarms/alarm-state.js';
import { type Alarm, alarmText, type StationAlarm } from '#domain/alarms/alarm.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2026, 10, 22);

/** The rules for every AlarmStore. */
export function alarmStoreContract(opened: () => Stores, reopen: () => Promise<void>): void {
  let store: AlarmStore;
  let a: number;
  let b: number;

  beforeEach(async () => {
    const stores = opened();
    store = stores.alarms;
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });

  const alarmOf = (id: string, name: string, station: number | null = a): Alarm => ({
    id,
    name,
    station,
    condition: { kind: 'below', variable: 1, threshold: -0.1, clear: 2, for: 600_000 },
    target: { kind: 'post', url: 'https://example.org/x?y=1', secret: 's'.repeat(20), allowPrivate: false },
    madeBy: 'Åda',
    madeAt: START,
  });
  const stateOf = (alarm: string, station: number, revision: number): StationAlarm => ({
    alarm,
    station,
    revision,
    state: { ...QUIET, status: 'raised', since: START, variable: 1, value: -0.25, time: START },
    notice: { id: 'n', event: 'raised', madeAt: START },
  });
  const names = async () => (await store.alarms()).map(({ name }) => name);

  it('returns alarms as they were added, by name', async () => {
    const silent: Alarm = {
      ...alarmOf('2', 'Silent', null),
      condition: { kind: 'silent', intervals: 3 },
      target: null,
      madeBy: null,
    };
    expect(await store.add(alarmOf('1', 'frost'))).to.equal(true);
    expect(await store.add(silent)).to.equal(true);
    expect(await store.alarms()).to.deep.equal([silent, alarmOf('1', 'frost')]);
  });

  it('adds no second alarm with a name, and none for a station that does not exist', async () => {
    await store.add(alarmOf('1', 'frost'));
    expect(await store.add(alarmOf('2', 'frost', b))).to.equal(false);
    expect(await store.add(alarmOf('3', 'heat', 4711))).to.equal(false);
    expect(await names()).to.deep.equal(['frost']);
  });

  it('changes and replaces an alarm only if it is as expected', async () => {
    const alarm = alarmOf('1', 'frost');
    await store.add(alarm);
    const stale = alarmText({ ...alarm, station: b });
    expect(await store.setTarget('1', null, stale)).to.equal(false);
    expect(await store.add(alarmOf('2', 'frost', b), '1', stale)).to.equal(false);
    expect(await store.add(alarmOf('2', 'other', b), 'missing', stale)).to.equal(false);
    expect(await store.alarms()).to.deep.equal([alarm]);
    const read = async () => alarmText((await store.alarms())[0] as Alarm);
    expect(await store.setTarget('1', null, await read())).to.equal(true);
    expect(await store.add(alarmOf('2', 'frost', b), '1', await read())).to.equal(true);
    expect(await store.alarms()).to.deep.equal([alarmOf('2', 'frost', b)]);
  });

  it('writes a state only over the revision that was read, and none without its alarm', async () => {
    await store.add(alarmOf('1', 'frost', null));
    expect(await store.put([stateOf('1', b, 0), stateOf('1', a, 0), stateOf('9', a, 0)])).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(await store.states()).to.deep.equal([stateOf('1', a, 1), stateOf('1', b, 1)]);
    const cleared: StationAlarm = { ...stateOf('1', a, 1), state: QUIET, notice: null };
    expect(await store.put([cleared, stateOf('1', b, 0), stateOf('1', b, 7)])).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(await store.states()).to.deep.equal([{ ...cleared, revision: 2 }, stateOf('1', b, 1)]);
    expect(await store.put([])).to.deep.equal([]);
  });

  it('lets one of several writers of a revision win', async () => {
    await store.add(alarmOf('1', 'frost'));
    const results = await Promise.all(Array.from({ length: 8 }, () => store.put([stateOf('1', a, 0)])));
    expect(results.flat().filter(Boolean)).to.have.length(1);
  });

  it('removes an alarm with its states', async () => {
    await store.add(alarmOf('1', 'frost'));
    await store.add(alarmOf('2', 'heat'));
    await store.put([stateOf('1', a, 0), stateOf('2', a, 0)]);
    expect(await store.remove('1')).to.equal(true);
    expect(await store.remove('1')).to.equal(false);
    expect(await names()).to.deep.equal(['heat']);
    expect((await store.states()).map(({ alarm }) => alarm)).to.deep.equal(['2']);
  });

  it('replaces an alarm with its states, and keeps it if the new one cannot be added', async () => {
    await store.add(alarmOf('1', 'frost', null));
    await store.add(alarmOf('2', 'heat'));
    await store.put([stateOf('1', a, 0), stateOf('1', b, 0), stateOf('2', a, 0)]);
    const version = await store.version();
    for (const refused of [alarmOf('3', 'heat'), alarmOf('3', 'frost', 4711)]) {
      expect(await store.add(refused, '1'), refused.name).to.equal(false);
      expect(await store.states()).to.have.length(3);
    }
    expect(await names()).to.deep.equal(['frost', 'heat']);
    expect(await store.add(alarmOf('3', 'frost', b), '1')).to.equal(true);
    expect((await store.alarms()).map(({ id }) => id)).to.deep.equal(['3', '2']);
    expect((await store.states()).map(({ alarm }) => alarm)).to.deep.equal(['2']);
    expect(await store.version()).not.to.equal(version);
    // The replaced one may be gone already.
    expect(await store.add(alarmOf('4', 'storm'), '1')).to.equal(true);
    expect(await names()).to.deep.equal(['frost', 'heat', 'storm']);
  });

  it('changes the target of an alarm, and nothing else', async () => {
    await store.add(alarmOf('1', 'frost', null));
    await store.add(alarmOf('2', 'heat'));
    await store.put([stateOf('1', a, 0), stateOf('1', b, 0)]);
    for (const target of [{ kind: 'command', command: ['/bin/tell', 'Åda'] }, null] as const) {
      expect(await store.setTarget('1', target)).to.equal(true);
      expect(await store.alarms()).to.deep.equal([
        { ...alarmOf('1', 'frost', null), target },
        alarmOf('2', 'heat'),
      ]);
    }
    expect(await store.states()).to.deep.equal([stateOf('1', a, 1), stateOf('1', b, 1)]);
    const version = await store.version();
    expect(await store.setTarget('9', null)).to.equal(false);
    expect(await store.alarms()).to.have.length(2);
    expect(await store.setTarget('2', null)).to.equal(true);
    expect(await store.version()).not.to.equal(version);
  });

  it('keeps the alarms of a station that is removed and restored; those of an erased one are gone', async () => {
    await store.add(alarmOf('1', 'frost'));
    await store.add(alarmOf('2', 'all', null));
    await store.put([stateOf('1', a, 0), stateOf('2', a, 0), stateOf('2', b, 0)]);
    await opened().stations.hide('a', START);
    await opened().stations.restore('a');
    expect(await store.states()).to.have.length(3);
    await opened().stations.remove('a');
    expect(await names()).to.deep.equal(['all']);
    expect((await store.states()).map(({ station }) => station)).to.deep.equal([b]);
  });

  it('has a version that changes with every change, and with no other', async () => {
    const versions = [await store.version()];
    const changes: (() => Promise<unknown>)[] = [
      () => store.add(alarmOf('1', 'frost')),
      () => store.add(alarmOf('2', 'all', null)),
      () => store.put([stateOf('2', a, 0)]),
      () => store.put([stateOf('2', a, 1)]),
      () => store.remove('2'),
      () => opened().stations.remove('a'),
    ];
    for (const change of changes) {
      await change();
      versions.push(await store.version());
    }
    expect(new Set(versions).size).to.equal(versions.length);
    await opened().stations.put([{ ...JFK, id: 'c' }]);
    expect(await store.version()).to.equal(versions.at(-1));
  });

  it('keeps what a target has not acknowledged', async () => {
    await store.add(alarmOf('1', 'frost'));
    await store.put([stateOf('1', a, 0)]);
    await reopen();
    expect(await opened().alarms.states()).to.deep.equal([stateOf('1', a, 1)]);
    expect(await opened().alarms.alarms()).to.deep.equal([alarmOf('1', 'frost')]);
  });
}
