import { expect } from 'chai';
import { toForecastFields } from '#adapters/http/external/forecast/forecast-reply.js';
import { FetchForecast } from '#application/forecast/manage/fetch-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { FORECAST_MAX_AGE, GetForecast } from '#application/forecast/read/get-forecast.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { Lease } from '#application/ports/lease.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import * as tokens from '#composition/graph/tokens.js';
import { MILLISECONDS } from '#domain/time.js';
import { openMeteoService } from '../../support/devices/open-meteo.js';
import { issueTemperatures } from '../../support/forecast-world.js';
import { HookBench, nextTurn } from '../../support/hook-bench.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const FAILS = { failed: 'closed' } as const;

describe('Hooks of forecasts', () => {
  let world: World;
  let bench: HookBench;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['A', 'B']) await addStation(world, { id, identifiers: {} });
    await order('A', 'B');
    bench = new HookBench(world);
  });
  afterEach(() => bench.stop());

  const order = (...ids: string[]) => world.get(AddForecast).execute(ids, 'open-meteo', CALLER);
  const numberOf = async (id: string) => (await world.stores.stations.find(id))?.number ?? 0;
  /** Stores a forecast without telling the sender, as another process does. @returns its time of issue */
  const store = async (id: string) => {
    world.clock.time += MILLISECONDS.hour;
    world.clock.up += MILLISECONDS.hour;
    await issueTemperatures(world, id, [1, 2, 3]);
    return new Date(world.clock.time).toISOString();
  };
  const announce = async (id: string) => {
    const announcement = { station: await numberOf(id), issued: world.clock.time };
    world.get(tokens.Announcer).announce({ kind: 'forecast', ...announcement });
  };
  const issue = async (id: string) => {
    const issued = await store(id);
    await announce(id);
    return issued;
  };
  const settle = async () => {
    for (let count = 0; count < 30; count += 1) await nextTurn();
  };
  /** Stations and times of issue of the received forecasts. */
  const got = () =>
    bench.received
      .filter(({ event }) => event === 'forecast')
      .map(({ station, issued }) => [station, issued]);

  it('have the fields of the reply about the forecast, beside rows', async () => {
    await bench.add('one', ['A'], true);
    await bench.start();
    await issue('B');
    const issued = await issue('A');
    await bench.write('A');
    await bench.until(2);
    const [first, second] = bench.received;
    const shown = await world.get(GetForecast).execute('A', Date.parse(issued));
    expect(first).to.deep.include({
      id: `one/${await numberOf('A')}/forecast/${Date.parse(issued)}`,
      event: 'forecast',
      hook: 'one',
      ...JSON.parse(JSON.stringify({ ...toForecastFields(shown, { units: 'metric' }), days: undefined })),
    });
    expect(second).to.include({ event: 'observation', station: 'A' });
    expect(bench.waiting).to.deep.equal({ one: 0 });
  });

  it('are sent by hooks that want them, if they are newer than the hook', async () => {
    const before = await issue('A');
    await bench.add('rows');
    await bench.add('one', null, true);
    await bench.start();
    await settle();
    expect(got(), before).to.deep.equal([]);
    const after = await issue('A');
    await bench.until(1);
    await settle();
    expect(bench.received.map(({ hook, issued }) => [hook, issued])).to.deep.equal([['one', after]]);
  });

  it('wait as one forecast of a station, the newest one, while the target is away for a day; rows all wait', async () => {
    await bench.add('one', null, true);
    await bench.start();
    bench.answer = () => FAILS;
    let newest: string[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      newest = [await issue('A'), await issue('B')];
      await bench.write('A');
    }
    await settle();
    expect(bench.waiting).to.deep.equal({ one: 3 });
    bench.answer = () => 'delivered';
    await bench.until(2 + 24);
    await settle();
    expect(got()).to.have.deep.members([
      ['A', newest[0]],
      ['B', newest[1]],
    ]);
    expect(bench.received).to.have.length(2 + 24);
  });

  it('are not sent again after a restart, and the newest of the meantime is sent', async () => {
    await bench.add('one', null, true);
    await bench.start();
    const first = await issue('A');
    await bench.until(1);
    await bench.stop();
    await bench.start();
    await settle();
    expect(got()).to.deep.equal([['A', first]]);
    await bench.stop();
    await store('A');
    const newest = await store('A');
    await bench.start();
    await bench.until(2);
    await settle();
    expect(got()).to.deep.equal([
      ['A', first],
      ['A', newest],
    ]);
  });

  it('keep their position beside that of the rows', async () => {
    await bench.add('one', ['A'], true);
    await bench.start();
    await issue('A');
    await bench.write('A', 3);
    await bench.until(4);
    await bench.stop();
    // The hook ends its forecasts and has them again: nothing of before is sent again.
    await bench.add('one', ['A']);
    await bench.start();
    await bench.write('A');
    await bench.until(5);
    await bench.stop();
    await bench.add('one', ['A'], true);
    await bench.start();
    await settle();
    expect(bench.received).to.have.length(5);
    const next = await issue('A');
    await bench.until(6);
    expect(got().at(-1)).to.deep.equal(['A', next]);
  });

  it('are found if nobody has told of them, and not sent again if somebody tells later', async () => {
    await bench.add('one', null, true);
    await bench.start();
    const issued = await store('A');
    for (let rounds = 0; rounds < 150; rounds += 1) await bench.round();
    await bench.until(1);
    await announce('A');
    await settle();
    expect(got()).to.deep.equal([['A', issued]]);
  });

  const gone: Readonly<Record<string, () => Promise<unknown>>> = {
    'the order was removed': () => world.get(RemoveForecast).execute('A', CALLER),
    'the station was removed': () => world.get(RemoveStation).execute('A', CALLER),
    'the forecast is too old to be shown': async () => (world.clock.time += FORECAST_MAX_AGE),
  };
  for (const [reason, end] of Object.entries(gone))
    it(`are not sent any more when ${reason} while they wait`, async () => {
      await bench.add('one', ['A', 'B'], true);
      await bench.start();
      bench.answer = () => FAILS;
      await issue('A');
      await settle();
      await end();
      bench.answer = () => 'delivered';
      const other = await issue('B');
      await bench.until(1);
      await settle();
      expect(got()).to.deep.equal([['B', other]]);
      expect(bench.waiting).to.deep.equal({ one: 0 });
    });

  it('are sent of hidden stations, and of demo stations by hooks that name them, as rows are', async () => {
    await addStation(world, { id: 'H', identifiers: {}, visibility: 'hidden' });
    await addStation(world, { id: 'D', identifiers: {}, demo: 'measured' });
    await order('H', 'D');
    await bench.add('all', null, true);
    await bench.add('named', ['D'], true);
    await bench.start();
    for (const id of ['H', 'D']) {
      await issue(id);
      await bench.write(id);
    }
    await bench.until(4);
    await settle();
    const sent = bench.received.map(({ hook, event, station }) => `${hook} ${event} ${station}`);
    expect(sent.toSorted()).to.deep.equal([
      'all forecast H',
      'all observation H',
      'named forecast D',
      'named observation D',
    ]);
  });

  it('are skipped if the target refuses them permanently', async () => {
    await bench.add('one', ['A'], true);
    await bench.start();
    bench.answer = ({ event }) =>
      event === 'forecast' ? { failed: 'status 422', permanent: true } : 'delivered';
    await issue('A');
    await bench.write('A');
    await bench.until(1);
    bench.answer = () => 'delivered';
    await bench.stop();
    await bench.start();
    await settle();
    expect(got()).to.deep.equal([]);
  });

  it('are sent by the one of two instances that holds the lease, and later by the other one from there on', async () => {
    const other = new HookBench(world);
    let holder: HookBench = bench;
    const leaseOf = (one: HookBench): Lease => ({
      get isHeld() {
        return holder === one;
      },
      acquire: async () => holder === one,
      release: async () => undefined,
    });
    await bench.add('one', null, true);
    await bench.start(leaseOf(bench));
    await other.start(leaseOf(other));
    const first = await issue('A');
    await bench.until(1);
    await bench.round();
    holder = other;
    await bench.round();
    await other.round();
    const second = await issue('A');
    await other.until(1);
    await settle();
    const issues = [bench, other].map(({ received }) => received.map(({ issued }) => issued));
    expect(issues).to.deep.equal([[first], [second]]);
    await other.stop();
  });

  it('rise for each station and end with the newest, whatever fails, restarts or is not told', async () => {
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    await bench.add('one', null, true);
    await bench.start();
    const newest = new Map<string, string>();
    let kills = 0;
    for (let step = 0; step < 120; step += 1) {
      const id = ['A', 'B'][random(2)] as string;
      const action = random(9);
      if (action < 3) newest.set(id, await issue(id));
      else if (action === 3) newest.set(id, await store(id));
      else if (action === 4) await bench.write(id);
      else if (action === 5) bench.answer = () => FAILS;
      else if (action === 6) bench.answer = () => 'delivered';
      else {
        if (action === 7) await bench.stop();
        else {
          await bench.kill();
          kills += 1;
        }
        await bench.start();
      }
      if (random(2) === 0) await settle();
    }
    bench.answer = () => 'delivered';
    await bench.stop();
    await bench.start();
    await settle();
    for (const id of ['A', 'B']) {
      const issues = got().flatMap(([station, issued]) => (station === id ? [issued as string] : []));
      expect(issues).to.deep.equal(issues.toSorted());
      expect(issues.at(-1)).to.equal(newest.get(id));
      expect(issues.length - new Set(issues).size, 'sent again').to.be.at.most(kills);
    }
  });
});

describe('FetchForecast', () => {
  it('announces a forecast that is new, and no other', async () => {
    const provider = await openMeteoService();
    const world = await World.make({ WEATHERD_FORECAST_OPEN_METEO_URL: provider.url });
    try {
      world.clock.time = Date.now();
      await addStation(world);
      await world.get(AddForecast).execute(['JFK'], 'open-meteo', CALLER);
      const announced: Announcement[] = [];
      world.get(tokens.Announcer).subscribe(['forecast'], (one) => announced.push(one));
      const fetched = await world.get(FetchForecast).execute('JFK', new AbortController().signal);
      await world.get(FetchForecast).execute('JFK', new AbortController().signal);
      await nextTurn();
      const number = (await world.stores.stations.find('JFK'))?.number;
      expect(announced).to.deep.equal([
        { kind: 'forecast', station: number, issued: fetched.forecast.issued },
      ]);
    } finally {
      await provider.close();
    }
  });
});
