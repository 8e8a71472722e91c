import { expect } from 'chai';
import sinon from 'sinon';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { rejectionOf } from '../../support/rejection.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const SILENT = { station: null, condition: { kind: 'silent', intervals: 3 }, target: null } as const;

describe('the alarms in memory', () => {
  let world: World;
  let book: AlarmCache;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    book = new AlarmCache(world.clock, world.stores.alarms);
  });
  afterEach(() => sinon.restore());
  const add = (name: string) => world.get(AddAlarm).execute({ ...SILENT, name }, CALLER);
  const names = ({ list }: Awaited<ReturnType<AlarmCache['current']>>) => list.map(({ name }) => name);

  it('are read again only when one has changed', async () => {
    const read = sinon.spy(world.stores.alarms, 'alarms');
    await add('a');
    read.resetHistory();
    expect(names(await book.current())).to.deep.equal(['a']);
    expect(await book.current()).to.equal(await book.current());
    expect(read.callCount).to.equal(1);
    await add('b');
    expect(names(await book.current())).to.deep.equal(['a', 'b']);
  });

  it('may be two seconds old for readers, who share one look at the store', async () => {
    const look = sinon.spy(world.stores.alarms, 'version');
    const known = await Promise.all([book.recent(), book.recent(), book.recent()]);
    expect(new Set(known).size).to.equal(1);
    expect(look.callCount).to.equal(1);
    await add('a');
    world.clock.up += 1999;
    expect(names(await book.recent())).to.deep.equal([]);
    expect(look.callCount).to.equal(1);
    world.clock.up += 1;
    expect(names(await book.recent())).to.deep.equal(['a']);
    expect(look.callCount).to.equal(2);
    world.clock.up += 1000;
    await book.current();
    world.clock.up += 1500;
    await book.recent();
    expect(look.callCount).to.equal(3);
  });

  it('are read again after a failure', async () => {
    const states = sinon.stub(world.stores.alarms, 'states').rejects(new Error('away'));
    expect(await rejectionOf(book.recent())).to.have.property('message', 'away');
    expect(await rejectionOf(book.current())).to.have.property('message', 'away');
    states.restore();
    expect(names(await book.recent())).to.deep.equal([]);
  });

  it('have the raised ones of each station by name, without damaged ones', async () => {
    const alarms = [await add('b'), await add('a'), await add('c')];
    const state = (index: number, station: number, status: 'raised' | 'quiet') =>
      ({ alarm: alarms[index]?.id, station, revision: 1, state: { status }, notice: null }) as never;
    sinon
      .stub(world.stores.alarms, 'states')
      .resolves([
        state(0, 1, 'raised'),
        state(1, 1, 'raised'),
        state(2, 1, 'quiet'),
        state(2, 2, 'raised'),
        { alarm: 'gone', station: 1, state: { status: 'raised' } } as never,
      ]);
    const { raised, byId, states } = await book.current();
    const shown = [...raised].map(([station, list]) => [station, list.map(({ alarm }) => alarm.name)]);
    expect(shown).to.deep.equal([
      [1, ['a', 'b']],
      [2, ['c']],
    ]);
    expect(byId.size).to.equal(3);
    expect(states).to.have.length(5);
    sinon.stub(world.stores.alarms, 'version').resolves('other');
    const damaged = alarms.map((alarm) => ({ ...alarm, condition: { kind: 'odd' } as never }));
    sinon.stub(world.stores.alarms, 'alarms').resolves([...damaged.slice(1), alarms[0] as never]);
    const sound = await book.current();
    expect(names(sound)).to.deep.equal(['b']);
    expect([...sound.raised.keys()]).to.deep.equal([1]);
  });
});
