import { expect } from 'chai';
import fc from 'fast-check';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { SendLimit } from '#application/alarms/send-limit.js';
import { pause } from '#application/pause.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Condition } from '#domain/alarms/condition.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { second, minute } = MILLISECONDS;
const PEOPLE: HookTarget = { kind: 'service', service: 'chat', account: 'me', allowPrivate: false };
const JSON_TARGET: HookTarget = { kind: 'post', url: 'https://example.org/alarms', allowPrivate: false };

/** The alarms of the station. The first two watch its silence. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  'silent-3': { kind: 'silent', intervals: 3 },
  'silent-6': { kind: 'silent', intervals: 6 },
  battery: { kind: 'battery' },
  frost: { kind: 'below', variable: V.temperature, threshold: 0, clear: 0, for: 0 },
};

type Step =
  | { readonly kind: 'report'; readonly temperature: number }
  | { readonly kind: 'advance'; readonly minutes: number }
  | { readonly kind: 'battery'; readonly percent: number }
  | { readonly kind: 'restart' | 'fail' | 'work' };

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array<Step>(
  fc.oneof(
    fc.record({ kind: fc.constant('report' as const), temperature: fc.constantFrom(-5, 5) }),
    fc.record({ kind: fc.constant('advance' as const), minutes: fc.constantFrom(1, 5, 11, 40, 70) }),
    fc.record({ kind: fc.constant('battery' as const), percent: fc.constantFrom(1, 100) }),
    fc.record({ kind: fc.constantFrom(...(['restart', 'fail', 'work'] as const)) }),
  ),
  { maxLength: 25 },
);

/** An event of a message or of a digest. */
interface NamedEvent {
  readonly event: string;
  readonly alarm: string;
  readonly station: string;
  readonly at: number;
  readonly isOfDigest: boolean;
}

class Model {
  readonly world: World;
  readonly told: NamedEvent[] = [];
  /** `Clock.uptime` of each message, a digest included. */
  readonly messages: { readonly at: number; readonly isDigest: boolean }[] = [];
  alarms: AlarmsInWorld;

  private constructor(world: World) {
    this.world = world;
    this.alarms = this.#start();
  }

  static async make(
    target: HookTarget,
    stations: readonly string[],
    conditions = CONDITIONS,
  ): Promise<Model> {
    const world = await World.make();
    world.targetKinds.push({
      name: 'chat',
      title: 'Chat',
      settings: { account: true },
      notify: async () => undefined,
    });
    const model = new Model(world);
    for (const id of stations) {
      await addStation(world, { id, identifiers: {}, reportingInterval: 600 });
      await model.report(id, 5);
      for (const [name, condition] of Object.entries(conditions))
        await world.get(AddAlarm).execute({ name: `${name}.${id}`, station: id, condition, target }, CALLER);
    }
    // The time after a start in which no silence is reported.
    await model.advance(5 * minute);
    for (const id of stations) await model.report(id, 5);
    await model.advance(11 * minute);
    return model;
  }

  #start(): AlarmsInWorld {
    const alarms = alarmsIn(this.world);
    const send = alarms.delivery.send.bind(alarms.delivery);
    alarms.delivery.send = async (target, message) => {
      const outcome = await send(target, message);
      if (outcome === 'delivered') this.#note(message.body);
      return outcome;
    };
    return alarms;
  }

  #note(body: string): void {
    const { event, alarm, station, alarms } = JSON.parse(body) as {
      event: string;
      alarm?: string;
      station?: { id: string };
      alarms?: { event: string; alarm: string; station: string }[];
    };
    const at = this.world.clock.up;
    const isDigest = event === 'alarm.digest';
    this.messages.push({ at, isDigest });
    const all = alarms ?? [{ event, alarm: alarm ?? '', station: station?.id ?? '' }];
    for (const one of all) this.told.push({ ...one, event: one.event.slice(6), at, isOfDigest: isDigest });
  }

  async report(station: string, temperature: number): Promise<void> {
    const time = new Date(this.world.clock.time).toISOString();
    await record(this.world, time, { air_temperature: [temperature] }, station);
    await this.round();
  }

  async battery(station: string, batteryPercent: number): Promise<void> {
    const { byId } = await this.world.get(StationDirectory).current();
    const number = byId.get(station)?.number as number;
    const { clock } = this.world;
    this.world
      .get(NoteSensors)
      .note(number, { source: 's' }, [{ sensor: 'iss', batteryPercent }], clock.time);
    await this.advance(2 * minute);
  }

  /** Lets time pass, the longer part of a long time in one step, so that both alarms for silence are raised at once. */
  async advance(time: number): Promise<void> {
    const { clock } = this.world;
    for (let left = time; left > 0;) {
      const passed = Math.min(left, left > 60 * minute ? left - 4 * minute : 2 * minute);
      left -= passed;
      clock.time += passed;
      clock.up += passed;
      await this.round();
    }
  }

  async round(): Promise<void> {
    const { clock } = this.world;
    for (let count = 0; count < 2; count += 1) {
      for (let turn = 0; turn < 8; turn += 1) await pause();
      clock.time += second;
      clock.up += second;
      await this.alarms.evaluate.execute();
      for (let turn = 0; turn < 8; turn += 1) await pause();
    }
  }

  async restart(): Promise<void> {
    const { outcome } = this.alarms.delivery;
    await this.alarms.evaluate.close();
    this.alarms = this.#start();
    this.alarms.delivery.outcome = outcome;
  }

  /** For each alarm whether it is raised, and whether the messages say so. */
  async known(): Promise<readonly (readonly [alarm: string, isRaised: boolean, isTold: boolean])[]> {
    const [list, states] = await Promise.all([
      this.world.stores.alarms.alarms(),
      this.world.stores.alarms.states(),
    ]);
    return list.map(({ id, name }) => {
      const isRaised = states.some((one) => one.alarm === id && one.state.status === 'raised');
      return [name, isRaised, this.told.findLast(({ alarm }) => alarm === name)?.event === 'raised'] as const;
    });
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'report') await this.report('A', step.temperature);
    else if (step.kind === 'advance') await this.advance(step.minutes * minute);
    else if (step.kind === 'battery') await this.battery('A', step.percent);
    else if (step.kind === 'restart') await this.restart();
    else this.alarms.delivery.outcome = step.kind === 'fail' ? { failed: 'away' } : 'delivered';
  }
}

const isSilence = ({ alarm }: NamedEvent) => alarm.startsWith('silent');

describe('Messages of alarms to people', () => {
  it('are one when a station falls silent and one when it is back, and none between', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const model = await Model.make(PEOPLE, ['A']);
        for (const step of steps) await model.take(step);
        const hasFailed = steps.some(({ kind }) => kind === 'fail');
        if (!hasFailed) {
          let isSilent = false;
          for (const told of model.told) {
            const name = JSON.stringify([told, model.told]);
            // A digest names the present states, so it may have the end of a silence and what has waited for it.
            if (told.isOfDigest) {
              if (isSilence(told)) isSilent = told.event === 'raised';
              continue;
            }
            if (isSilent)
              expect(isSilence(told) && told.event === 'cleared', `while it is silent: ${name}`).to.equal(
                true,
              );
            if (isSilence(told)) isSilent = told.event === 'raised';
          }
          const hasDigest = model.told.some(({ isOfDigest }) => isOfDigest);
          const events = new Map<string, string>();
          for (const { alarm, event } of hasDigest ? [] : model.told) {
            expect(events.get(alarm) ?? 'cleared', `${alarm}: ${JSON.stringify(model.told)}`).to.not.equal(
              event,
            );
            events.set(alarm, event);
          }
        }
        model.alarms.delivery.outcome = 'delivered';
        // A start ends the pause between two attempts.
        await model.restart();
        // After the silence, after the pauses between attempts and after the ten minutes of a digest, all is said.
        for (let count = 0; count < 4; count += 1) {
          await model.report('A', 5);
          await model.advance(8 * minute);
        }
        for (const [name, isRaised, isTold] of await model.known())
          expect(isTold, `${name} ${JSON.stringify(model.told)}`).to.equal(isRaised);
        await model.alarms.evaluate.close();
      }),
      {
        numRuns: 25,
        examples: [
          [
            [
              { kind: 'advance', minutes: 40 },
              { kind: 'battery', percent: 1 },
              { kind: 'restart' },
              { kind: 'battery', percent: 100 },
              { kind: 'advance', minutes: 40 },
              { kind: 'battery', percent: 1 },
              { kind: 'report', temperature: -5 },
            ],
          ],
        ],
      },
    );
  });

  it('are one for a silence that two alarms have seen while the target failed', async () => {
    const model = await Model.make(PEOPLE, ['A']);
    model.alarms.delivery.outcome = { failed: 'away' };
    await model.advance(70 * minute);
    await model.report('A', 5);
    model.alarms.delivery.outcome = 'delivered';
    await model.restart();
    await model.advance(4 * minute);
    expect(model.told.map(({ alarm, event }) => [alarm, event])).to.deep.equal([['silent-3.A', 'cleared']]);
    await model.alarms.evaluate.close();
  });

  const FROST = { frost: CONDITIONS['frost'] as Condition };
  const stations = Array.from({ length: 12 }, (_, number) => `s${number}`);

  it('become a digest above five in ten minutes, which names every alarm', async () => {
    const model = await Model.make(PEOPLE, stations, FROST);
    for (const id of stations) await model.report(id, -5);
    expect(model.messages.map(({ isDigest }) => isDigest)).to.deep.equal(Array(5).fill(false));
    const [first] = model.messages;
    await model.report('s0', 5);
    await model.advance(12 * minute);
    expect(model.messages.map(({ isDigest }) => isDigest)).to.deep.equal([...Array(5).fill(false), true]);
    const digest = model.messages.at(-1) as (typeof model.messages)[0];
    expect(digest.at - (first?.at ?? 0)).to.be.within(10 * minute, 13 * minute);
    for (const [, isRaised, isTold] of await model.known()) expect(isTold).to.equal(isRaised);
    expect(model.told.filter(({ isOfDigest }) => isOfDigest)).to.have.length(8);
    expect((await model.world.stores.alarms.states()).every(({ notice }) => notice === null)).to.equal(true);
    await model.alarms.evaluate.close();
  });

  it('stay single where a URL gets them as JSON, also while the station is silent', async () => {
    const model = await Model.make(JSON_TARGET, stations, FROST);
    for (const id of stations) await model.report(id, -5);
    expect(model.messages.map(({ isDigest }) => isDigest)).to.deep.equal(Array(12).fill(false));
    await model.alarms.evaluate.close();
    const silent = await Model.make(JSON_TARGET, ['A']);
    await silent.advance(80 * minute);
    await silent.battery('A', 1);
    expect(silent.told.map(({ alarm }) => alarm)).to.deep.equal(['silent-3.A', 'silent-6.A', 'battery.A']);
    await silent.alarms.evaluate.close();
  });

  it('are limited in any ten minutes, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4 * minute), { maxLength: 100 }), (gaps) => {
        const limit = new SendLimit();
        const sent: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const mode = limit.next(now);
          if (mode === 'none') expect(sent.at(-5) ?? -Infinity).to.be.above(now - 10 * minute);
          else {
            sent.push(now);
            limit.note(now);
          }
          expect(sent.filter((time) => time > now - 10 * minute).length).to.be.at.most(5);
          if (limit.isUnused(now)) expect(limit.next(now)).to.equal('one');
        }
      }),
    );
  });
});
