import { expect } from 'chai';
import sinon from 'sinon';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { pauseFor } from '#application/pause.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { HookBench, nextTurn } from '../../support/hook-bench.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { second, minute, hour, day } = MILLISECONDS;
const AWAY = { failed: 'The connection was refused.' };
/** Attempts of a day with a restart: each process makes at most 12 with shorter delays, and then waits at least 7.5 minutes. */
const MAX_ATTEMPTS = 2 * 12 + day / (7.5 * minute);

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

describe('A target that is away for a day', () => {
  let world: World;
  let timers: sinon.SinonFakeTimers;
  beforeEach(async () => {
    world = await World.make();
    timers = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => timers.restore());

  /** Lets time pass on the clock of the world and for timers. @param step called every 30 s with the time that has passed */
  const pass = async (time: number, step: (passed: number) => Promise<void>) => {
    for (let passed = 0; passed < time;) {
      passed += 30 * second;
      world.clock.time += 30 * second;
      world.clock.up += 30 * second;
      await step(passed);
      timers.tick(30 * second);
      await turns(12);
    }
  };
  const listed = async (hook: string) =>
    (await world.get(ListHooks).execute()).find(({ name }) => name === hook);

  describe('of a hook', () => {
    const interval = 10 * minute;
    let bench: HookBench;
    let isAway: boolean;
    /** Times of the rows that were written, and of the attempts of the hook. */
    let written: string[];
    let attempts: { readonly at: number; readonly time: string; readonly isDelivered: boolean }[];
    beforeEach(async () => {
      world.targetKinds.push({
        name: 'lines',
        title: 'Lines',
        settings: { account: true },
        weather: { interval: interval / second, send: async () => undefined },
      });
      await addStation(world, { id: 'A', identifiers: {}, reportingInterval: 300 });
      [isAway, written, attempts] = [false, [], []];
      bench = new HookBench(world);
      bench.wait = pauseFor;
      bench.answer = ({ time }) => {
        attempts.push({ at: world.clock.time, time, isDelivered: !isAway });
        return isAway ? AWAY : 'delivered';
      };
    });
    afterEach(() => bench.stop());

    const run = (time: number) =>
      pass(time, async (passed) => {
        if (passed % (5 * minute) === 0) {
          const at = new Date(world.clock.time).toISOString();
          written.push(at);
          await record(world, at, { air_temperature: [10] }, 'A');
        }
        await bench.round();
      });
    /** An hour with the target, a day without it and with a restart in the middle, and an hour with it again. */
    const runAll = async (target: HookTarget) => {
      await world.get(AddHook).execute({ name: 'one', target, stations: ['A'] }, CALLER);
      await bench.start();
      await run(hour);
      isAway = true;
      const from = attempts.length;
      await run(day / 2);
      await assertFailing(from);
      await bench.stop();
      await bench.start();
      await run(day / 2);
      await assertFailing(from);
      expect(attempts.length - from).to.be.within(day / (16 * minute), MAX_ATTEMPTS);
      isAway = false;
      const before = attempts.length;
      await run(hour);
      await turns(5000);
      await bench.round();
      expect(await listed('one')).to.deep.include({ failingSince: null, reason: null });
      expect(bench.failing).to.deep.equal([]);
      // Each process says once that the target fails, and the last one that it is back.
      expect(bench.notices.map(({ kind }) => kind)).to.deep.equal(['failing', 'failing', 'recovered']);
      return attempts.slice(before);
    };
    const assertFailing = async (from: number) => {
      const since = attempts[from]?.at as number;
      expect(await listed('one')).to.deep.include({ failingSince: since, reason: AWAY.failed });
      expect(bench.failing).to.deep.equal([{ name: 'one', since }]);
    };

    it('gets every row of the day afterwards as JSON, in order and once', async function () {
      this.timeout(120_000);
      await runAll({ kind: 'post', url: 'https://a.test/', allowPrivate: false });
      expect(written).to.have.length((26 * hour) / (5 * minute));
      expect(bench.received.map(({ time }) => time)).to.deep.equal(written);
    });

    it('gets only the newest row as a weather service, and one in each interval', async function () {
      this.timeout(120_000);
      const target = { kind: 'service', service: 'lines', account: 'me', allowPrivate: false } as const;
      const [first, ...others] = await runAll(target);
      const age = (first?.at ?? 0) - Date.parse(first?.time ?? '');
      expect(age).to.be.within(0, 5 * minute);
      expect(others.length).to.be.within(3, 6);
      // A restart does not shorten the interval.
      for (let restart = 0; restart < 6; restart += 1) {
        await run(7 * minute);
        await bench.stop();
        await bench.start();
      }
      const uploads = attempts.filter(({ isDelivered }) => isDelivered);
      expect(uploads.length).to.be.within(2 * 4 + 3, 2 * 6 + 5);
      for (const [index, { at, time }] of uploads.slice(1).entries()) {
        expect(at - (uploads[index]?.at ?? 0)).to.be.at.least(interval);
        expect(Date.parse(time)).to.be.above(Date.parse(uploads[index]?.time ?? ''));
      }
    });
  });

  describe('of alarms for people', () => {
    const target: HookTarget = { kind: 'service', service: 'chat', account: 'me', allowPrivate: false };
    const stations = Array.from({ length: 12 }, (_, number) => `s${number}`);
    let alarms: AlarmsInWorld;
    /** For each message that has arrived, its time and the event of each alarm that it names. */
    let messages: { readonly at: number; readonly events: (readonly [alarm: string, event: string])[] }[];
    let isAway: boolean;
    /** Attempts of the present outage. */
    let attempts: number;
    beforeEach(async () => {
      [messages, isAway, attempts] = [[], false, 0];
      world.targetKinds.push({
        name: 'chat',
        title: 'Chat',
        settings: { account: true },
        notify: async () => undefined,
      });
      start();
      const condition = { kind: 'below', variable: V.temperature, threshold: 0, clear: 0, for: 0 } as const;
      for (const id of stations) {
        await addStation(world, { id, identifiers: {}, reportingInterval: 600 });
        await world.get(AddAlarm).execute({ name: `frost.${id}`, station: id, condition, target }, CALLER);
      }
      await report(stations, 5);
    });
    afterEach(() => alarms.evaluate.close());

    const start = () => {
      alarms = alarmsIn(world);
      alarms.delivery.send = async (_target, { body }) => {
        if (isAway) {
          attempts += 1;
          return AWAY;
        }
        const message = JSON.parse(body) as { event: string; alarm: string; alarms?: (typeof message)[] };
        const events = (message.alarms ?? [message]).map(
          ({ alarm, event }) => [alarm, event.replace('alarm.', '')] as const,
        );
        messages.push({ at: world.clock.up, events });
        return 'delivered';
      };
    };
    const run = (time: number) => pass(time, () => alarms.evaluate.execute());
    const report = async (ids: readonly string[], temperature: number) => {
      const time = new Date(world.clock.time).toISOString();
      for (const id of ids) await record(world, time, { air_temperature: [temperature] }, id);
      await run(2 * minute);
    };
    const restart = async () => {
      await alarms.evaluate.close();
      start();
    };
    const waiting = async () =>
      (await world.stores.alarms.states()).filter(({ notice }) => notice !== null).length;

    it('tells the present states afterwards, in five messages and a digest', async function () {
      this.timeout(120_000);
      isAway = true;
      const since = world.clock.time;
      await report(stations, -5);
      await run(11 * hour);
      expect(alarms.messages.failing.map(({ name }) => name)).to.have.length(1);
      const [failing] = alarms.messages.failing;
      expect(failing?.since).to.be.within(since, since + minute);
      expect(alarms.logged).to.have.length(1);
      await restart();
      await report(stations.slice(0, 4), 5);
      await report(stations.slice(3, 4), -5);
      await run(11 * hour);
      expect(alarms.messages.failing.map((one) => one.since)).to.deep.equal([failing?.since]);
      expect([alarms.logged.length, messages, await waiting()]).to.deep.equal([1, [], 12]);
      expect(attempts).to.be.at.most(MAX_ATTEMPTS);
      isAway = false;
      await run(hour);
      expect(messages.map(({ events }) => events.length)).to.deep.equal([1, 1, 1, 1, 1, 7]);
      expect((messages[5]?.at ?? 0) - (messages[0]?.at ?? 0)).to.be.within(10 * minute, 11 * minute);
      expect(Object.fromEntries(messages.flatMap(({ events }) => events))).to.deep.equal(
        Object.fromEntries(
          stations.map((id, index) => [`frost.${id}`, index < 3 ? 'cleared' : 'raised'] as const),
        ),
      );
      expect([alarms.messages.failing, await waiting()]).to.deep.equal([[], 0]);
    });

    it('says which message was given up after a day, and tells the next state', async function () {
      this.timeout(120_000);
      isAway = true;
      await report(['s0'], -5);
      await run(12 * hour);
      await restart();
      await run(day - 10 * minute);
      expect([await waiting(), alarms.logged.length]).to.deep.equal([1, 1]);
      await run(30 * minute);
      expect([await waiting(), alarms.logged.slice(1)]).to.deep.equal([
        0,
        ['messages of a hook or an alarm were given up'],
      ]);
      expect(alarms.messages.failing.map(({ name }) => name)).to.have.length(1);
      isAway = false;
      await report(['s0'], 5);
      await run(20 * minute);
      expect(messages.map(({ events }) => events)).to.deep.equal([[['frost.s0', 'cleared']]]);
      expect(alarms.messages.failing).to.deep.equal([]);
    });
  });
});
