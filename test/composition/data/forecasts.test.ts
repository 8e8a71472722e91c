import { join } from 'node:path';
import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { MILLISECONDS } from '#domain/time.js';
import { OwnLease } from '../../application/fakes/fakes.js';
import { defaultTransport, runApi } from '../../support/api-server.js';
import { openMeteoService } from '../../support/devices/open-meteo.js';
import { withoutProgress } from '../../support/filled-stores.js';
import { Place, storeNames } from '../../support/place.js';
import { Workplace } from '../../support/process.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

const { hour: HOUR, day: DAY } = MILLISECONDS;
const START = Date.UTC(2026, 4, 30, 12);
const EVERY = 6 * HOUR;
const DAYS = 5;

const truth = (time: number) => Number((15 + 5 * Math.sin((2 * Math.PI * time) / DAY)).toFixed(1));

/** Orders forecasts, asks for them and learns from them for some days. */
async function learn(stores: Stores): Promise<void> {
  const provider = await openMeteoService({
    now: () => world.clock.now(),
    value: (name, seconds) => (name === 'temperature_2m' ? truth(seconds * MILLISECONDS.second) + 2 : null),
  });
  const world = await World.make({ WEATHERD_FORECAST_OPEN_METEO_URL: provider.url }, stores);
  world.clock.time = START;
  await addStation(world, { id: 'garden' });
  await world.get(AddForecast).execute(['garden'], 'open-meteo', CALLER);
  const run = new RunForecasts({
    clock: world.clock,
    orders: world.get(ForecastOrders),
    providers: world.get(ForecastProviders),
    records: world.get(ForecastRecords),
    issue: world.get(IssueForecast),
    score: world.get(ScoreForecasts),
    directory: world.get(StationDirectory),
    announcer: world.container.get(t.Announcer),
    lease: new OwnLease(),
    telemetry: new Registry(),
    settings: { every: EVERY, retention: 1000 * DAY },
  });
  for (let time = START; time < START + DAYS * DAY; time += EVERY) {
    const values = Array.from({ length: EVERY / HOUR }, (_, hour) => truth(time + hour * HOUR));
    await record(world, new Date(time).toISOString(), { air_temperature: values }, 'garden');
    world.clock.time = time + EVERY;
    world.clock.up += 2 * EVERY;
    await run.execute();
    await run.idle();
  }
  await run.close();
  await provider.close();
}

/** All replies about the forecasts of the station. */
async function replies(stores: Stores): Promise<readonly string[]> {
  const world = await World.make({}, stores);
  world.clock.time = START + DAYS * DAY;
  const authorize = world.get(Authorize);
  const [[, load]] = defaultTransport as [(typeof defaultTransport)[number]];
  const { server, url } = await runApi(await load(), {
    endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
    authorize: (given, access) => authorize.execute({ token: given, ...access }),
  });
  const found: string[] = [];
  const path = `${url}/v1/stations/garden/forecast`;
  for (const query of ['/verification', '/verification?variable=frost&format=csv', '?format=csv'])
    found.push(await (await fetch(path + query)).text());
  for (let time = world.clock.time; ; ) {
    const reply = await fetch(`${path}?issued=${new Date(time).toISOString()}`);
    if (reply.status !== 200) break;
    const text = await reply.text();
    found.push(text);
    time = Date.parse((JSON.parse(text) as { issued: string }).issued) - 1;
  }
  await server.close(1000);
  return found;
}

for (const store of storeNames)
  describe(`forecasts in ${store}`, function () {
    this.timeout(300_000);
    const places: Place[] = [];
    const opened: Stores[] = [];

    const make = async (name: string): Promise<Place> => {
      const place = await Place.make(name);
      places.push(place);
      return place;
    };
    const open = async (place: Place): Promise<Stores> => {
      const stores = await place.open();
      opened.push(stores);
      return stores;
    };
    const close = async () => {
      for (const stores of opened.splice(0)) await stores.close();
    };
    afterEach(async () => {
      await close();
      for (const place of places.splice(0)) await place.remove();
    });

    it('are the same after a copy to each store', async () => {
      const source = await open(await make(store));
      await learn(source);
      const before = await replies(source);
      expect(before).to.have.lengthOf(3 + (DAYS * DAY) / EVERY);
      expect(before[0]).to.match(/"lead":"24-47","raw":\{"count":\d\d/);
      for (const other of storeNames) {
        const target = await open(await make(other));
        await new CopyData(source, target).execute(withoutProgress());
        expect(await replies(target), other).to.deep.equal(before);
      }
    });

    if (store === 'sqlite')
      it('are the same after backup and restore, a check, and compaction', async () => {
        const place = await make(store);
        const stores = await open(place);
        await learn(stores);
        const before = await replies(stores);
        await close();
        const shell = await Workplace.make();
        const restored = await make(store);
        const run = async (folder: string, ...command: string[]) => {
          const { status, stderr } = await shell.run(command, '', { WEATHERD_DATA_DIR: folder });
          expect(status, `${command.join(' ')}: ${stderr}`).to.equal(0);
        };
        const file = join(shell.folder, 'backup.db');
        await run(place.folder, 'backup', file);
        await run(restored.folder, 'restore', file);
        await run(restored.folder, 'check');
        await run(restored.folder, 'compact');
        expect(await replies(await open(restored))).to.deep.equal(before);
        await shell.remove();
      });
  });
