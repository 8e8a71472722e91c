import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import type { Stores } from '#application/ports/stores.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { MILLISECONDS } from '#domain/time.js';
import { OwnLease } from '../application/fakes/fakes.js';
import { defaultTransport, runApi } from './api-server.js';
import { openMeteoService } from './devices/open-meteo.js';
import { addStation, record } from './weather-world.js';
import { CALLER, UPLOAD_REACH, World } from './world.js';

const { hour: HOUR, day: DAY } = MILLISECONDS;
/** Begin and end of the forecasts of `learnForecasts`: the end of a month, and the begin of the next one. */
const START = Date.UTC(2026, 4, 30, 12);
/** Time between two forecasts of `learnForecasts`, in milliseconds. */
export const EVERY = 12 * HOUR;
const DAYS = 5;
export const LEARNED_UNTIL = START + DAYS * DAY;
/** Number of the forecasts of `learnForecasts`. */
export const ISSUES = (DAYS * DAY) / EVERY;

const truth = (time: number) => Number((15 + 5 * Math.sin((2 * Math.PI * time) / DAY)).toFixed(1));

/** Orders forecasts, asks for them and learns from them for some days. */
export async function learnForecasts(stores: Stores): Promise<void> {
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
export async function forecastReplies(stores: Stores): Promise<readonly string[]> {
  const { url, close } = await forecastApi(stores);
  const found = await forecastRepliesAt(url);
  await close();
  return found;
}

/** Replies that are not compressed, because compressing them takes longer than making them. */
const PLAIN = { headers: { 'accept-encoding': 'identity' } };

/** All replies about the forecasts of a station. @param url of the station, from `forecastApi` */
export async function forecastRepliesAt(url: string): Promise<readonly string[]> {
  const found: string[] = [];
  const path = `${url}/forecast`;
  for (const query of ['/verification', '/verification?variable=frost&format=csv', '?format=csv'])
    found.push(await (await fetch(path + query, PLAIN)).text());
  for (let time = LEARNED_UNTIL; ;) {
    const reply = await fetch(`${path}?issued=${new Date(time).toISOString()}`, PLAIN);
    if (reply.status !== 200) return found;
    const text = await reply.text();
    found.push(text);
    time = Date.parse((JSON.parse(text) as { issued: string }).issued) - 1;
  }
}

/** The external API after the forecasts of `learnForecasts`. */
export async function forecastApi(stores: Stores) {
  const world = await World.make({}, stores);
  world.clock.time = LEARNED_UNTIL;
  const authorize = world.get(Authorize);
  const [[, load]] = defaultTransport as [(typeof defaultTransport)[number]];
  const { server, url } = await runApi(await load(), {
    endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
    authorize: (given, access) => authorize.execute({ token: given, ...access }),
  });
  /** `url` is the address of the station. */
  return { world, url: `${url}/v1/stations/garden`, close: () => server.close(1000) };
}
