import { expect } from 'chai';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import type { ForecastProvider, ProviderForecast } from '#application/ports/forecast-provider.js';
import type { Stores } from '#application/ports/stores.js';
import { SenderLease } from '#application/hooks/sender-lease.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { Garden, MINUTE, type Station, type StationKind, STATIONS } from '../../support/devices/garden.js';
import { Place, storeNames } from '../../support/place.js';
import { Life, SourcesInstance } from '../../support/sources-instance.js';
import { rowsOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const START = Date.UTC(2026, 5, 30, 22, 51, 7, 300);
const FORECAST_START = Date.UTC(2026, 5, 1, 12);
/** Milliseconds after which another instance takes over, and between two rounds of an instance. */
const [LEASE, ROUND] = [30_000, 10_000];

/** A database with a source that two instances may ask. Each instance has connections of its own. */
class Shared {
  readonly place: Place;
  readonly kind: StationKind;
  readonly garden: Garden;
  readonly station: Station;
  readonly #stores: Stores[] = [];

  private constructor(place: Place, kind: StationKind, garden: Garden, station: Station) {
    this.place = place;
    this.kind = kind;
    this.garden = garden;
    this.station = station;
  }

  static async make(title: string): Promise<Shared> {
    const kind = STATIONS.find((one) => one.title === title) as StationKind;
    const garden = new Garden(START, START + 600 * MINUTE);
    const station = await kind.start(garden);
    const shared = new Shared(await Place.ready('postgres'), kind, garden, station);
    const world = await World.make({}, await shared.#open());
    world.clock.time = START;
    world.sourceKinds.push(kind.kind());
    await addStation(world, { timeZone: 'UTC', reportingInterval: kind.interval / 1000 });
    const { settings, secrets, mappings = [] } = station;
    const source = { name: 'roof', kind: kind.kind().name, station: 'JFK', settings, secrets, mappings };
    await world.get(AddSource).execute({ ...source, every: null, allowAnyAddress: false }, CALLER);
    return shared;
  }

  async #open(): Promise<Stores> {
    const stores = await this.place.open();
    this.#stores.push(stores);
    return stores;
  }

  async instance(name: string, life = new Life()): Promise<SourcesInstance> {
    const stores = await this.#open();
    const lease = ({ clock }: World) => new SenderLease(clock, stores.leases, name, 'source-asker');
    return await SourcesInstance.start(stores, [this.kind.kind()], { life, lease });
  }

  /** Lets time pass, and runs a round of each instance. */
  async pass(milliseconds: number, instances: readonly SourcesInstance[]): Promise<void> {
    this.garden.now += milliseconds;
    for (const instance of instances) {
      instance.setTime(this.garden.now);
      await instance.round();
    }
  }

  async seen() {
    const world = await World.make({}, this.#stores[0]);
    const { failingSince, gaps, reason } = await world.get(ListSources).find('roof');
    return { rows: await rowsOf(world, 0), failingSince, gaps, reason };
  }

  async close(): Promise<void> {
    await this.station.close();
    for (const stores of this.#stores) await stores.close();
    await this.place.remove();
  }
}

/** A provider of forecasts for two days that counts its requests. */
class CountedProvider implements ForecastProvider {
  readonly name = 'open-meteo';
  readonly title = 'Provider';
  readonly model = 'model';
  readonly attribution = { text: 'Data by Provider', url: 'https://example.org/' };
  readonly reach = 'any';
  readonly shortestInterval = 60;
  asked = 0;

  async ask(): Promise<ProviderForecast> {
    this.asked += 1;
    const times = Float64Array.from({ length: 48 }, (_, hour) => FORECAST_START + hour * 60 * MINUTE);
    return { times, values: new Map([[F.temperature, times.map(() => 10 + this.asked)]]) };
  }
}

interface ForecastInstance {
  readonly world: World;
  readonly run: RunForecasts;
}

async function forecastInstance(
  stores: Stores,
  provider: ForecastProvider,
  name: string,
): Promise<ForecastInstance> {
  const world = await World.make({}, stores);
  world.clock.time = FORECAST_START;
  world.container.rebind(t.ForecastProviderList).toConstantValue([provider]);
  const run = new RunForecasts({
    clock: world.clock,
    orders: world.get(ForecastOrders),
    providers: world.get(ForecastProviders),
    records: world.get(ForecastRecords),
    issue: world.get(IssueForecast),
    score: world.get(ScoreForecasts),
    directory: world.get(StationDirectory),
    announcer: world.container.get(t.Announcer),
    lease: new SenderLease(world.clock, stores.leases, name, 'forecast-asker'),
    telemetry: new Registry(),
    settings: { every: 60 * MINUTE, retention: 30 * 1440 * MINUTE },
  });
  return { world, run };
}

if (storeNames.includes('postgres'))
  describe('Two instances on one PostgreSQL database', () => {
    let shared: Shared;
    afterEach(() => shared.close());

    it('ask a source once, and the second one goes on within 30 s when the first is killed', async () => {
      shared = await Shared.make('the WeatherLink cloud');
      const life = new Life();
      const [first, second] = [await shared.instance('first', life), await shared.instance('second')];
      for (let round = 0; round < 20; round += 1) await shared.pass(ROUND, [first, second]);
      expect([first.asked > 2, second.asked]).to.deep.equal([true, 0]);
      const before = (await shared.seen()).rows.length;
      life.kill();
      // A lease is extended when half of it is over.
      await shared.pass(ROUND, [second]);
      expect(second.asked).to.equal(0);
      for (let passed = ROUND; passed < LEASE; passed += ROUND) await shared.pass(ROUND, [second]);
      expect(second.asked).to.be.greaterThan(0);
      for (let round = 0; round < 12; round += 1) await shared.pass(ROUND, [second]);
      const { rows, gaps, failingSince } = await shared.seen();
      expect({ gaps, failingSince }).to.deep.equal({ gaps: [], failingSince: null });
      expect(rows.length).to.be.greaterThan(before);
      const times = rows.map(([seconds]) => seconds * 1000);
      expect(new Set(times).size).to.equal(times.length);
      const rain = rows
        .slice(1)
        .map(([, values]) => (values as Record<string, number>)['precipitation_amount'] ?? 0);
      expect(Number(rain.reduce((sum, amount) => sum + amount, 0).toFixed(6))).to.equal(
        shared.garden.rain(times[0] ?? 0, times.at(-1) ?? 0),
      );
    });

    it('keep the tokens of Netatmo, at whatever step of the exchange the first is killed', async () => {
      let steps = 1;
      for (let kill = 0; kill <= steps; kill += 1) {
        shared = await Shared.make('Netatmo');
        const life = new Life(kill === 0 ? Infinity : kill);
        const [first, second] = [await shared.instance('first', life), await shared.instance('second')];
        await shared.pass(ROUND, [first]);
        if (kill === 0) steps = life.steps;
        else expect(life.isOver, `step ${kill}`).to.equal(true);
        life.kill();
        await shared.pass(LEASE, [second]);
        expect(second.asked, `step ${kill}`).to.be.greaterThan(0);
        // The access token of the second instance has ended by then, so it needs its refresh token.
        await shared.pass(240 * MINUTE, [second]);
        const { failingSince, reason, rows } = await shared.seen();
        expect({ failingSince, reason }, `step ${kill}`).to.deep.equal({ failingSince: null, reason: null });
        expect(rows.length).to.be.greaterThan(0);
        if (kill < steps) await shared.close();
      }
    });
  });

if (storeNames.includes('postgres'))
  describe('Two instances with forecasts on one PostgreSQL database', () => {
    it('ask for a forecast once, show it both, and the second one goes on in time when the first is killed', async () => {
      const place = await Place.ready('postgres');
      const all = [await place.open(), await place.open()];
      try {
        const provider = new CountedProvider();
        const [first, second] = (await Promise.all(
          all.map((stores, index) => forecastInstance(stores, provider, `instance-${index}`)),
        )) as [ForecastInstance, ForecastInstance];
        await addStation(first.world, { id: 'garden' });
        await first.world.get(AddForecast).execute(['garden'], provider.name, CALLER);
        const pass = async (milliseconds: number, instances = [first, second]) => {
          for (const { world } of [first, second]) {
            world.clock.time += milliseconds;
            world.clock.up += milliseconds;
          }
          for (const { run } of instances) {
            await run.execute();
            await run.idle();
          }
        };
        for (let minute = 0; minute < 50; minute += 1) await pass(MINUTE);
        expect(provider.asked).to.equal(1);
        const issued = await Promise.all(
          [first, second].map(
            async ({ world }) => (await world.get(GetForecast).execute('garden', undefined)).forecast.issued,
          ),
        );
        expect(issued).to.deep.equal([issued[0], issued[0]]);
        // The second instance alone: the provider has answered 50 minutes ago, and is asked once an hour.
        for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE, [second]);
        expect(provider.asked).to.equal(1);
        for (let minute = 0; minute < 10; minute += 1) await pass(MINUTE, [second]);
        expect(provider.asked).to.equal(2);
      } finally {
        for (const one of all) await one.close();
        await place.remove();
      }
    });
  });
