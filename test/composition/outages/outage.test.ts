import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { Garden, MINUTE, type Station, type StationKind, STATIONS } from '../../support/devices/garden.js';
import { openLocalStores } from '../../support/local-stores.js';
import { Life, SourcesInstance } from '../../support/sources-instance.js';
import { rowsOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

/** The outage goes over the end of a month, when the counters of the day and of the month begin again. */
const START = Date.UTC(2026, 5, 30, 22, 51, 7, 300);
const END = Date.UTC(2026, 6, 1, 6);
const OUTAGE = 60 * MINUTE;
/** Number of steps of a filling at which the service is killed, for most kinds. They are spread over the filling. */
const KILLS = 2;
/** Rounds before the outage, and the most rounds after it. */
const [BEFORE, AFTER] = [5, 60];

/** A service with one source, whose processes come and go. */
class Service {
  readonly kind: StationKind;
  readonly garden: Garden;
  readonly station: Station;
  readonly #stores: Stores;
  /** What a command or a reader sees. */
  readonly #world: World;
  instance: SourcesInstance | undefined;

  private constructor(kind: StationKind, garden: Garden, station: Station, stores: Stores, world: World) {
    this.kind = kind;
    this.garden = garden;
    this.station = station;
    this.#stores = stores;
    this.#world = world;
  }

  static async start(kind: StationKind): Promise<Service> {
    const garden = new Garden(START, END);
    const station = await kind.start(garden);
    const stores = openLocalStores();
    const world = await World.make({}, stores);
    world.clock.time = START;
    world.sourceKinds.push(kind.kind());
    await addStation(world, { timeZone: 'UTC', reportingInterval: kind.interval / 1000 });
    const { settings, secrets, mappings = [] } = station;
    const source = {
      name: 'roof',
      kind: kind.kind().name,
      station: 'JFK',
      settings,
      every: null,
      mappings,
      secrets,
      allowAnyAddress: false,
    };
    await world.get(AddSource).execute(source, CALLER);
    return new Service(kind, garden, station, stores, world);
  }

  async begin(life = new Life()): Promise<void> {
    this.instance = await SourcesInstance.start(this.#stores, [this.kind.kind()], { life });
  }

  /** Lets time pass, and runs a round if a process runs. */
  async pass(milliseconds: number): Promise<void> {
    this.garden.now += milliseconds;
    const { instance } = this;
    const heard = instance?.datagrams ?? 0;
    instance?.setTime(this.garden.now);
    const sent = (await this.station.send?.()) ?? 0;
    if (instance === undefined) return;
    // A process listens from its first round on.
    while (instance.rounds > 0 && !instance.life.isOver && instance.datagrams < heard + sent)
      await new Promise((resolve) => setImmediate(resolve));
    await instance.round();
  }

  /** Runs rounds that are as far apart as two requests may be. */
  async rounds(count: number): Promise<void> {
    for (let round = 0; round < count; round += 1) await this.pass(this.kind.interval * 1.1 + 100);
  }

  async state() {
    return await this.#world.get(ListSources).find('roof');
  }

  /** Runs rounds until the source reports and no gap is left. */
  async recover(): Promise<void> {
    const isOpen = async () => {
      const { gaps, failingSince } = await this.state();
      return failingSince !== null || gaps.some(({ reason }) => reason === null);
    };
    await this.rounds(2);
    for (let round = 0; round < AFTER && (await isOpen()); round += 1) await this.rounds(1);
    await this.rounds(1);
  }

  async rows() {
    return (await rowsOf(this.#world, 0)).map(([seconds, values]) => ({
      time: seconds * 1000,
      values: values as Readonly<Record<string, number>>,
    }));
  }
}

/** What a service must have after an outage, whatever has happened. */
async function expectNoHole(service: Service): Promise<void> {
  const { kind, garden } = service;
  expect((await service.state()).gaps).to.deep.equal([]);
  const rows = await service.rows();
  const longest = Math.max(kind.step ?? 0, 2 * kind.interval) + MINUTE;
  for (const [index, { time }] of rows.slice(1).entries())
    expect(time - (rows[index]?.time ?? 0), new Date(time).toISOString()).to.be.at.most(longest);
  const temperatures = rows.filter(({ values }) => values['air_temperature'] !== undefined);
  expect(temperatures.length).to.be.greaterThan(rows.length / 3);
  expectRain(service, rows, garden);
}

function expectRain({ kind }: Service, rows: Awaited<ReturnType<Service['rows']>>, garden: Garden): void {
  if (kind.rain === 'none') return;
  const stored = rows.slice(1).reduce((sum, { values }) => sum + (values['precipitation_amount'] ?? 0), 0);
  const { countedAt = (now: number) => now } = kind;
  const counted = garden.rain(countedAt(rows[0]?.time ?? 0), countedAt(rows.at(-1)?.time ?? 0));
  expect(counted).to.be.greaterThan(1);
  expect(Number(stored.toFixed(6))).to.equal(counted);
}

describe('The plug is pulled for an hour', () => {
  let service: Service;

  const end = async () => {
    await service.instance?.close();
    await service.station.close();
  };
  afterEach(end);

  for (const kind of STATIONS.filter(({ step }) => step !== undefined))
    describe(`of ${kind.title}`, () => {
      it('while the device is off the network', async () => {
        service = await Service.start(kind);
        await service.begin();
        await service.rounds(BEFORE);
        service.station.setAway(true);
        await service.rounds(Math.round(OUTAGE / kind.interval));
        service.station.setAway(false);
        await service.recover();
        await expectNoHole(service);
      });

      it('while the service does not run, also if it is killed when it fills the gap', async () => {
        let [steps, kills] = [0, 1];
        for (let kill = 0; kill <= kills; kill += 1) {
          service = await Service.start(kind);
          await service.begin();
          await service.rounds(BEFORE);
          await service.instance?.close();
          service.instance = undefined;
          await service.pass(OUTAGE);
          // The first life is not ended. It tells the number of steps.
          const life = new Life(kill === 0 ? Infinity : Math.ceil((steps * kill) / (kills + 1)));
          await service.begin(life);
          await service.rounds(kind.isKilledAtEachStep ? 1 : 3);
          if (kill === 0) [steps, kills] = [life.steps, kind.isKilledAtEachStep ? life.steps - 1 : KILLS];
          expect(life.isOver).to.equal(kill > 0);
          await service.begin();
          await service.recover();
          await expectNoHole(service);
          if (kill < kills) await end();
        }
      });
    });

  for (const kind of STATIONS.filter(({ step }) => step === undefined))
    describe(`of ${kind.title}`, () => {
      for (const isAway of [false, true])
        it(`while ${isAway ? 'the device is off the network' : 'the service does not run'}: the gap is listed, and no rain of it is lost`, async () => {
          service = await Service.start(kind);
          await service.begin();
          await service.rounds(BEFORE);
          const before = (await service.rows()).at(-1)?.time ?? 0;
          service.station.setAway(true);
          if (isAway) await service.rounds(Math.round(OUTAGE / kind.interval));
          else {
            await service.instance?.close();
            service.instance = undefined;
            await service.pass(OUTAGE);
          }
          service.station.setAway(false);
          if (!isAway) await service.begin();
          await service.recover();
          const rows = await service.rows();
          const after = rows.find(({ time }) => time > before)?.time ?? 0;
          expect(after - before).to.be.at.least(OUTAGE);
          const { gaps } = await service.state();
          expect(gaps.map(({ from, to, reason }) => ({ from, to, reason }))).to.deep.equal([
            { from: before, to: after, reason: kind.reason },
          ]);
          if (kind.rain === 'counter') expectRain(service, rows, service.garden);
        });
    });
});
