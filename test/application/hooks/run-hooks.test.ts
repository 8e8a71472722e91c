import { expect } from 'chai';
import { HookRecords } from '#application/hooks/hook-records.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { NewestOutbox } from '#application/hooks/observations/newest-outbox.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import { ReadSums } from '#application/observations/read/current/read-sums.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import type { Lease } from '#application/ports/lease.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as tokens from '#composition/graph/tokens.js';
import type { ServiceTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { HookBench, nextTurn } from '../../support/hook-bench.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const POST = { kind: 'post', url: 'https://example.org/hook', allowPrivate: false } as const;

describe('Hooks of observations', () => {
  let world: World;
  let bench: HookBench;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['A', 'B']) await addStation(world, { id, identifiers: {} });
    bench = new HookBench(world);
  });
  afterEach(() => bench.stop());

  it('say the station, the time, the values and the verdicts of a row', async () => {
    await bench.add('one', ['A']);
    await bench.start();
    await bench.write('B');
    await bench.write('A', 1, [70]);
    await bench.until(1);
    const time = new Date(world.clock.time).toISOString();
    const number = (await world.get(StationDirectory).current()).byId.get('A')?.number;
    expect(bench.received).to.deep.equal([
      {
        id: `one/${number}/${world.clock.time}`,
        event: 'observation',
        hook: 'one',
        station: 'A',
        time,
        late: false,
        values: { air_temperature: 70 },
        verdicts: { air_temperature: 'fail' },
      },
    ]);
  });

  it('of all stations send no rows of the demo, and hooks that name a station of the demo send its rows', async () => {
    for (const demo of ['live', 'measured'] as const)
      await addStation(world, { id: demo, identifiers: {}, demo });
    await bench.add('all');
    await bench.add('named', ['live']);
    await bench.start();
    for (const id of ['live', 'measured', 'A']) await bench.write(id);
    await bench.until(2);
    for (let count = 0; count < 20; count += 1) await nextTurn();
    const sent = bench.received.map(({ hook, station }) => `${hook} ${station}`);
    expect(sent.toSorted()).to.deep.equal(['all A', 'named live']);
    expect(bench.waiting).to.deep.equal({ all: 0, named: 0 });
  });

  describe('with a lease', () => {
    class FakeLease implements Lease {
      mayHold = true;
      isHeld = false;
      isAway = false;
      asked = 0;
      released = 0;
      acquire = async () => {
        this.asked += 1;
        if (this.isAway) throw new Error('the store is away');
        return (this.isHeld = this.mayHold);
      };
      release = async () => {
        this.isHeld = false;
        this.released += 1;
      };
    }
    let lease: FakeLease;
    beforeEach(() => (lease = new FakeLease()));
    const settle = async () => {
      for (let count = 0; count < 20; count += 1) await nextTurn();
    };

    it('are sent by its holder alone, and by the next one from where the first has ended', async () => {
      await bench.add('one');
      lease.mayHold = false;
      await bench.start(lease);
      await bench.write('A');
      await bench.round();
      await settle();
      expect([bench.received.length, lease.asked]).to.deep.equal([0, 2]);
      lease.mayHold = true;
      await bench.round();
      await bench.until(1);
      lease.mayHold = false;
      await bench.round();
      await bench.write('A');
      await settle();
      expect(bench.received).to.have.length(1);
      lease.mayHold = true;
      await bench.round();
      await bench.until(2);
      await settle();
      expect(bench.received).to.have.length(2);
      await bench.stop();
      expect(lease.released).to.equal(1);
    });

    it('are not asked for where there is no hook that is not paused', async () => {
      await bench.start(lease);
      expect(lease.asked).to.equal(0);
      await bench.add('one');
      await world.get(PauseHook).execute('one', true, CALLER);
      await bench.round();
      expect(lease.asked).to.equal(0);
    });

    it('go on while a lease is held that cannot be renewed, and stop with its end', async () => {
      await bench.add('one');
      await bench.start(lease);
      lease.isAway = true;
      const failed = () =>
        bench.round().then(
          () => 'done',
          (error: unknown) => (error as Error).message,
        );
      expect(await failed()).to.equal('the store is away');
      await bench.write('A');
      await bench.until(1);
      lease.isHeld = false;
      expect(await failed()).to.equal('the store is away');
      await bench.write('A');
      await settle();
      expect(bench.received).to.have.length(1);
      lease.isAway = false;
      await bench.round();
      await bench.until(2);
    });
  });

  it('send no row that is older than the hook, also if it comes later', async () => {
    await bench.write('A', 2);
    await bench.add('one');
    await bench.start();
    const before = new Date(world.clock.time - MILLISECONDS.second).toISOString();
    await record(world, before, { air_temperature: [1] }, 'A');
    await bench.write('A');
    await bench.until(1);
    await bench.round();
    await nextTurn();
    expect(bench.times).to.deep.equal([new Date(world.clock.time).toISOString().slice(11, 16)]);
  });

  it('send more rows than are read at once, after a long outage', async () => {
    await bench.add('one');
    bench.answer = () => ({ failed: 'closed' });
    await bench.start();
    await bench.write('A', 120);
    bench.answer = () => 'delivered';
    await bench.until(120);
    expect(new Set(bench.times).size).to.equal(120);
    expect(bench.received.map(({ time }) => time)).to.deep.equal(
      bench.received.map(({ time }) => time).toSorted(),
    );
  });

  it('send a row again that has changed, and one that comes late, but none older than a day', async () => {
    await bench.add('one');
    await bench.start();
    for (let count = 1; count <= 3; count += 1) {
      await bench.write('A');
      await bench.until(count);
    }
    const at = (minutes: number) => new Date(world.clock.time - minutes * MILLISECONDS.minute).toISOString();
    await record(world, at(1), { air_temperature: [11] }, 'A');
    await bench.until(4);
    await record(world, at(1.5), { air_temperature: [12] }, 'A');
    await bench.until(5);
    world.clock.time += MILLISECONDS.day;
    await record(world, at(24 * 60 + 2), { air_temperature: [13] }, 'A');
    await bench.write('A');
    await bench.until(6);
    const seen = bench.received.slice(3).map(({ late, values }) => [late, values['air_temperature']]);
    expect(seen).to.deep.equal([
      [true, 11],
      [true, 12],
      [false, 10],
    ]);
    expect(new Set(bench.received.map(({ id }) => id)).size).to.equal(6);
  });

  it('find rows that nobody has announced', async () => {
    await bench.add('one');
    await bench.start();
    world.clock.time += MILLISECONDS.minute;
    await bench.writeUnannounced('A', world.clock.time, 5);
    for (let round = 0; round < 151 && bench.received.length === 0; round += 1) {
      await bench.round();
      for (let pause = 0; pause < 5; pause += 1) await nextTurn();
    }
    expect(bench.received.map(({ values }) => values)).to.deep.equal([{ air_temperature: 5 }]);
  });

  it('send what is stored at the time of an attempt, also if nobody has announced it', async () => {
    await bench.add('one');
    await bench.write('A', 3);
    await bench.write('B', 3);
    const { time } = world.clock;
    const attempts: string[] = [];
    bench.answer = ({ id }) => {
      attempts.push(id);
      return { failed: 'closed' };
    };
    await bench.start();
    while (attempts.length < 2) await nextTurn();
    await bench.writeUnannounced('A', time - 4 * MILLISECONDS.minute, 5);
    await world.get(RemoveStation).execute('B', CALLER);
    const before = attempts.length;
    while (attempts.length < before + 2) await nextTurn();
    bench.answer = () => 'delivered';
    await bench.until(3);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    expect(bench.received.map(({ station, values }) => [station, values['air_temperature']])).to.deep.equal([
      ['A', 10],
      ['A', 5],
      ['A', 10],
    ]);
  });

  it('send rows anew that change while they are sent, also if they came late', async () => {
    await bench.add('one');
    await bench.write('A', 3);
    const change = async (row: number, value: number) => {
      const time = new Date(world.clock.time - (3 - row) * MILLISECONDS.minute).toISOString();
      await record(world, time, { air_temperature: [value] }, 'A');
      for (let pause = 0; pause < 5; pause += 1) await nextTurn();
    };
    // While the first row is sent, and again while its change is sent.
    let attempts = 0;
    bench.answer = async () => {
      attempts += 1;
      if (attempts <= 2) await change(1, 10 + attempts);
      if (attempts <= 2) await change(2, 20 + attempts);
      return 'delivered' as const;
    };
    await bench.start();
    await bench.until(5);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    const sent = bench.received.map(({ time, late, values }) => [time, late, values['air_temperature']]);
    const [first, second, third] = [2, 1, 0].map((age) =>
      new Date(world.clock.time - age * MILLISECONDS.minute).toISOString(),
    );
    expect(sent).to.deep.equal([
      [first, false, 10],
      [first, true, 11],
      [first, true, 12],
      [second, false, 22],
      [third, false, 10],
    ]);
  });

  it('send no further row of a station that is removed while one is sent', async () => {
    await bench.add('one');
    await bench.write('A', 3);
    bench.answer = async () => {
      if (bench.received.length === 0) await world.get(RemoveStation).execute('A', CALLER);
      return 'delivered' as const;
    };
    await bench.start();
    await bench.until(1);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    expect(bench.received).to.have.length(1);
  });

  it('do not hold up a station whose target takes its rows, while another target does not', async () => {
    await bench.add('broken');
    await bench.add('one');
    bench.answer = ({ hook }) => (hook === 'one' ? 'delivered' : { failed: 'closed' });
    await bench.start();
    await bench.write('A', 2);
    await bench.until(2);
    expect(bench.received.map(({ hook }) => hook)).to.deep.equal(['one', 'one']);
  });

  it('tell which targets fail and how many stations wait, while they are sent', async () => {
    await bench.add('broken');
    await bench.add('one');
    bench.answer = ({ hook }) => (hook === 'one' ? 'delivered' : { failed: 'closed' });
    await bench.start();
    expect([bench.failing, bench.waiting]).to.deep.equal([[], { broken: 0, one: 0 }]);
    await bench.write('A');
    await bench.until(1);
    while (bench.failing.length === 0) await nextTurn();
    const since = world.clock.time;
    await bench.write('A', 2);
    await bench.write('B', 2);
    await bench.until(5);
    await nextTurn();
    expect([bench.failing, bench.waiting]).to.deep.equal([
      [{ name: 'broken', since }],
      { broken: 2, one: 0 },
    ]);
    bench.answer = () => 'delivered';
    await bench.until(10);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    expect([bench.failing, bench.waiting]).to.deep.equal([[], { broken: 0, one: 0 }]);
  });

  it('tell since when a target fails after a restart too, until it takes a row', async () => {
    await bench.add('one');
    const listed = async () => (await world.get(ListHooks).execute())[0]?.failingSince;
    const failed = async () => {
      while (bench.failing.length === 0) await nextTurn();
      await bench.round();
      return [bench.failing[0]?.since, await listed()];
    };
    bench.answer = () => ({ failed: 'closed' });
    await bench.start();
    await bench.write('A');
    const since = world.clock.time;
    expect(await failed()).to.deep.equal([since, since]);
    await bench.stop();
    await bench.write('A');
    await bench.start();
    expect(await failed()).to.deep.equal([since, since]);
    bench.answer = () => 'delivered';
    await bench.until(2);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    bench.answer = () => ({ failed: 'closed' });
    await bench.write('A');
    expect(await failed()).to.deep.equal([world.clock.time, world.clock.time]);
  });

  it('say why a row was refused for ever, and that the target does not fail', async () => {
    await bench.add('one');
    bench.answer = () => ({ failed: 'Status 400.', permanent: true });
    await bench.start();
    await bench.write('A');
    while (bench.notices.length === 0) await nextTurn();
    await bench.round();
    const [hook] = await world.get(ListHooks).execute();
    expect(hook).to.deep.include({ deliveredAt: null, failingSince: null, reason: 'Status 400.' });
    expect([bench.failing, bench.notices.map(({ kind }) => kind)]).to.deep.equal([[], ['givenUp']]);
  });

  it('send the rows of a pause afterwards', async () => {
    await bench.add('one');
    await bench.start();
    await world.get(PauseHook).execute('one', true, CALLER);
    await bench.round();
    await bench.write('A', 2);
    for (let pause = 0; pause < 20; pause += 1) await nextTurn();
    expect(bench.received).to.deep.equal([]);
    await world.get(PauseHook).execute('one', false, CALLER);
    await bench.round();
    await bench.until(2);
  });

  it('begin anew when they are made again, and end when they are removed', async () => {
    await bench.add('one');
    await bench.start();
    await bench.write('A');
    await bench.until(1);
    await world.get(RemoveHook).execute('one', CALLER);
    // Its position is not stored any more.
    await bench.round();
    await bench.round();
    await bench.write('A');
    await bench.add('one');
    await bench.round();
    await bench.write('A');
    await bench.until(2);
    const positions = async () =>
      (await world.stores.hooks.positions(await world.get(HookRecords).get('one'))).length;
    expect(await positions()).to.equal(0);
    await bench.round();
    expect(await positions()).to.equal(1);
    expect(bench.received.at(-1)?.time).to.equal(new Date(world.clock.time).toISOString());
    const removed = await world.get(HookRecords).get('one');
    await world.get(RemoveHook).execute('one', CALLER);
    const { hooks } = world.stores;
    expect((await hooks.hooks()).hooks).to.deep.equal([]);
    expect([await hooks.state('one'), await hooks.positions(removed)]).to.deep.equal([undefined, []]);
  });

  it('go on where they were when they are replaced, unless they have other stations', async () => {
    const replace = (stations: readonly string[] | null) =>
      world
        .get(AddHook)
        .execute({ name: 'one', target: { ...POST, url: 'https://b.test/' }, stations }, CALLER, true);
    bench.answer = () => ({ failed: 'closed' });
    await bench.add('one');
    await bench.start();
    await bench.write('A', 2);
    await bench.write('B');
    await replace(null);
    bench.answer = () => 'delivered';
    await bench.round();
    await bench.until(3);
    bench.answer = () => ({ failed: 'closed' });
    await bench.write('A', 2);
    await replace(['A']);
    await bench.round();
    bench.answer = () => 'delivered';
    await bench.write('B');
    await bench.write('A');
    await bench.until(4);
    expect(bench.received.map(({ station }) => station).toSorted()).to.deep.equal(['A', 'A', 'A', 'B']);
    expect(bench.received.at(-1)?.time).to.equal(new Date(world.clock.time).toISOString());
  });

  it('are changed by several at the same time without a loss', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => bench.add(name)));
    expect((await world.get(ListHooks).execute()).map(({ name }) => name)).to.deep.equal(names);
  });

  it('are refused where they make no sense, and recorded in the audit trail', async () => {
    const add = (changes: object) =>
      world.get(AddHook).execute({ name: 'one', target: POST, stations: null, ...changes }, CALLER);
    const refusal = async (changes: object) =>
      ((await add(changes).catch((error: unknown) => error)) as Error).message;
    const upload = {
      kind: 'service',
      service: 'wunderground',
      account: 'a',
      secret: 'b',
      allowPrivate: false,
    };
    expect(await refusal({ name: 'One' })).to.contain('"One" cannot be the name of a hook.');
    expect(await refusal({ stations: ['C'] })).to.equal('There is no station "C".');
    expect(await refusal({ stations: [] })).to.equal('A hook needs at least one station, or all stations.');
    expect(await refusal({ target: upload })).to.contain('needs exactly one station');
    expect(await refusal({ stations: Array<string>(101).fill('A') })).to.contain('at most 100 stations');
    await add({});
    expect(await refusal({})).to.equal('There is already a hook "one". Remove it first.');
    for (let count = 1; count < 50; count += 1) await add({ name: `h${count}` });
    expect(await refusal({ name: 'more' })).to.contain('There are 50 hooks');
    expect((await world.get(ListHooks).execute()).length).to.equal(50);
    for (const name of ['h1', 'h2']) await world.get(RemoveHook).execute(name, CALLER);
    await world.get(PauseHook).execute('h3', true, CALLER);
    await world.get(PauseHook).execute('h3', true, CALLER);
    expect((await world.auditTrail()).slice(-3)).to.deep.equal([
      'hook-remove done h1',
      'hook-remove done h2',
      'hook-change done h3',
    ]);
    expect(
      (await world.stores.audit.list(100)).find(({ subject }) => subject === 'one')?.detail,
    ).to.deep.equal({
      target: 'https://example.org/…',
      stations: '*',
    });
    const unknown = await world
      .get(HookRecords)
      .get('none')
      .catch((error: unknown) => error);
    expect(unknown).to.have.property('code', 'HOOK_UNKNOWN');
  });
});

const sourceOf = (world: World) => ({
  clock: world.clock,
  directory: world.get(StationDirectory),
  observations: world.get(tokens.ObservationStore),
  sums: world.get(ReadSums),
  kinds: world.get(TargetKinds),
});

describe('Uploads to weather services', () => {
  it('send the newest row at most once a minute, without failed values, and none that is old', async () => {
    const world = await World.make();
    await addStation(world, { id: 'A', identifiers: {} });
    const target: ServiceTarget = {
      kind: 'service',
      service: 'wunderground',
      account: 'a',
      secret: 'b',
      allowPrivate: false,
    };
    const directory = world.get(StationDirectory);
    const number = (await directory.current()).byId.get('A')?.number ?? 0;
    const hook = { name: 'wu', target, stations: [number], paused: false, since: 0 };
    const source = sourceOf(world);
    const outbox = new NewestOutbox(hook, target, number, source);
    const sent = async () => {
      const message = await outbox.next();
      if (message === undefined) return undefined;
      return message.weather?.values;
    };
    const pass = (minutes: number) => {
      world.clock.time += minutes * MILLISECONDS.minute;
      world.clock.up += minutes * MILLISECONDS.minute;
    };
    const write = async (air: number, humidity: number) => {
      const values = { air_temperature: [air], relative_humidity: [humidity] };
      await record(world, new Date(world.clock.time).toISOString(), values, 'A');
      outbox.note({ station: number });
    };
    expect(await sent()).to.equal(undefined);
    await write(10, 50);
    await write(11, 50);
    expect(await sent()).to.deep.equal({ air_temperature: 11, relative_humidity: 50 });
    // An attempt that has failed is made with what is newest then.
    pass(0.1);
    await write(70, 51);
    expect(await sent()).to.deep.equal({ relative_humidity: 51 });
    await outbox.done();
    pass(0.5);
    await write(12, 52);
    expect(await sent()).to.equal(undefined);
    pass(0.5);
    expect(await sent()).to.deep.equal({ air_temperature: 12, relative_humidity: 52 });
    await outbox.done();
    pass(1);
    outbox.note({ station: number });
    expect(await sent()).to.equal(undefined);
    await write(13, 53);
    pass(31);
    expect(await sent()).to.equal(undefined);
  });

  for (const [what, age, expected] of [
    ['the rest of their interval', 20, 40],
    ['no more than their interval, if the clock was set back', -MILLISECONDS.day / MILLISECONDS.second, 60],
    ['not at all, if their interval is over', 61, 0],
  ] as const)
    it(`wait after a restart ${what}`, async () => {
      const world = await World.make();
      await addStation(world, { id: 'A', identifiers: {} });
      await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [10] }, 'A');
      const target = { kind: 'service', service: 'wunderground', account: 'a', allowPrivate: false } as const;
      const source = sourceOf(world);
      const number = (await source.directory.current()).byId.get('A')?.number ?? 0;
      const deliveredAt = world.clock.time - age * MILLISECONDS.second;
      const outbox = new NewestOutbox({ name: 'wu', since: 0 }, target, number, source, deliveredAt);
      let waited = 0;
      while ((await outbox.next()) === undefined) {
        world.clock.time += MILLISECONDS.second;
        world.clock.up += MILLISECONDS.second;
        waited += 1;
      }
      expect(waited).to.equal(expected);
    });

  it('have the rain of the last hour, since local midnight and of 24 hours, and the sunshine of the day', async () => {
    const world = await World.make();
    await addStation(world, { id: 'A', identifiers: {}, timeZone: 'Asia/Kolkata' });
    // Midnight in Kolkata was at 18:30 UTC.
    world.clock.time = Date.UTC(2026, 0, 31, 21);
    const rows = { precipitation_amount: [8, 4, 2, 1, 0.5], duration_of_sunshine: [60, 50, 40, 30, 20] };
    await record(world, '2026-01-31T17:00:00Z', rows, 'A');
    const target = {
      kind: 'service',
      service: 'wow-be',
      account: 'a',
      secret: 'b',
      allowPrivate: false,
    } as const;
    const source = sourceOf(world);
    const number = (await source.directory.current()).byId.get('A')?.number ?? 0;
    const hook = { name: 'wow', target, stations: [number], paused: false, since: 0 };
    const message = await new NewestOutbox(hook, target, number, source).next();
    expect(message?.weather?.rain).to.deep.equal({ hour: 0.5, day: 3.5, twentyFourHours: 15.5 });
    expect(message?.weather?.sunshine).to.equal(90);
  });

  describe('at a second of their own', () => {
    const target = { kind: 'service', service: 'lines', account: 'DW1234', allowPrivate: false } as const;
    const [interval, second] = [10 * MILLISECONDS.minute, MILLISECONDS.second];
    let world: World;
    let number: number;
    beforeEach(async () => {
      world = await World.make();
      world.targetKinds.push({
        name: 'lines',
        title: 'Lines',
        settings: { account: true },
        weather: { interval: interval / second, atOwnSecond: true, send: async () => undefined },
      });
      await addStation(world, { id: 'A', identifiers: {} });
      number = (await world.get(StationDirectory).current()).byId.get('A')?.number ?? 0;
    });
    const outboxOf = (since: number, deliveredAt: number | null) =>
      new NewestOutbox({ name: 'cwop', since }, target, number, sourceOf(world), deliveredAt);
    const pass = (milliseconds: number) => {
      world.clock.time += milliseconds;
      world.clock.up += milliseconds;
    };
    const write = (time = world.clock.time) =>
      record(world, new Date(time).toISOString(), { air_temperature: [10] }, 'A');
    /** Runs for some time with a row each minute. @returns the times at which a row was sent */
    const run = async (outbox: NewestOutbox, time: number) => {
      const sent: number[] = [];
      for (let passed = 0; passed < time; passed += second) {
        if (passed % MILLISECONDS.minute === 0) {
          await write();
          outbox.note({ station: number });
        }
        if ((await outbox.next()) !== undefined) {
          sent.push(world.clock.time);
          await outbox.done();
        }
        pass(second);
      }
      return sent;
    };

    it('send the first row after the hook was made at once, and then every ten minutes', async () => {
      await write(world.clock.time - second);
      const since = world.clock.time;
      const outbox = outboxOf(since, null);
      expect(await outbox.next()).to.equal(undefined);
      pass(30 * second);
      const sent = await run(outbox, 4 * interval);
      const [first = 0, next = 0, ...others] = sent;
      expect(first).to.equal(since + 30 * second);
      expect(next - first).to.be.within(interval / 2, 1.5 * interval);
      expect(others).not.to.deep.equal([]);
      for (const [at, time] of others.entries()) expect(time).to.equal(next + (at + 1) * interval);
    });

    it('keep their second after a restart', async () => {
      const sent = await run(outboxOf(0, null), 3 * interval);
      pass(100 * second);
      const again = await run(outboxOf(0, sent.at(-1) ?? 0), 2 * interval);
      expect(again).to.have.length(2);
      expect(((again[0] ?? 0) - (sent.at(-1) ?? 0)) % interval).to.equal(0);
    });

    it('send a row that was noted although its time is before the hook', async () => {
      const outbox = outboxOf(world.clock.time, null);
      await write(world.clock.time - second);
      expect(await outbox.next()).to.equal(undefined);
      outbox.note({ station: number });
      expect(await outbox.next()).not.to.equal(undefined);
    });

    it('wait for their second where the next row comes later, and try again after a failure', async () => {
      const outbox = outboxOf(0, null);
      const [first = 0] = await run(outbox, second);
      pass(2 * interval);
      expect(await outbox.next()).to.equal(undefined);
      await write();
      outbox.note({ station: number });
      expect(await outbox.next()).to.equal(undefined);
      let waited = 0;
      while ((await outbox.next()) === undefined) {
        pass(second);
        waited += second;
      }
      expect(waited).to.be.within(second, interval);
      pass(second);
      expect(await outbox.next()).not.to.equal(undefined);
      expect(world.clock.time).to.be.greaterThan(first + 2 * interval);
    });
  });
});
