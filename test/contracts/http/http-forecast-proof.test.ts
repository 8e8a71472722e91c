import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { MILLISECONDS } from '#domain/time.js';
import { OwnLease } from '../../application/fakes/fakes.js';
import { defaultTransport, type RunningApi, runApi } from '../../support/api-server.js';
import type { HttpDevice } from '../../support/devices/http-device.js';
import { openMeteoService } from '../../support/devices/open-meteo.js';
import { computedProof, type ReadJson } from '../../support/forecast-proof.js';
import { addStation, sentColumns } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

const { hour: HOUR, day: DAY } = MILLISECONDS;
const START = Date.UTC(2026, 1, 18, 5, 7, 11, 123);
/** Milliseconds between two reports, and between two forecasts. */
const [INTERVAL, EVERY] = [HOUR / 2, 6 * HOUR];
const DAYS = 16;

/** The weather, whose hours of a day differ, and whose days differ. Rain falls some hours of each second day. */
const truth: Readonly<Record<string, (time: number) => number>> = {
  air_temperature: (time) => round(1 + 4 * wave(time, DAY) + 3 * wave(time, 5.3 * DAY)),
  dew_point_temperature: (time) => round(-2 + wave(time, DAY) + 3 * wave(time, 5.3 * DAY)),
  relative_humidity: (time) => Math.round(70 - 15 * wave(time, DAY) + 9 * wave(time, 5.3 * DAY)),
  air_pressure_at_mean_sea_level: (time) => round(1010 + 9 * wave(time, 4.1 * DAY)),
  wind_speed: (time) => round(3 + 2 * wave(time, 1.7 * DAY)),
  wind_speed_of_gust: (time) => round(6 + 4 * wave(time, 1.7 * DAY)),
  precipitation_amount: (time) => (wave(time, 1.9 * DAY) > 0.7 ? 0.4 : 0),
  surface_downwelling_shortwave_flux_in_air: (time) => Math.max(0, Math.round(400 * wave(time, DAY))),
};
/** How wrong a model is. It changes in the middle. */
const MODELS: readonly ((name: string, value: number, time: number) => number)[] = [
  (name, value, time) =>
    /temperature|dew/.test(name)
      ? value + 2 + wave(time, 0.37 * DAY)
      : value * 1.3 + wave(time, 0.37 * DAY) / 3,
  (name, value, time) =>
    /temperature|dew|pressure/.test(name) ? value - 3 + wave(time, 0.41 * DAY) : value * 0.8,
];
const NAMES: Readonly<Record<string, string>> = {
  temperature_2m: 'air_temperature',
  dew_point_2m: 'dew_point_temperature',
  relative_humidity_2m: 'relative_humidity',
  pressure_msl: 'air_pressure_at_mean_sea_level',
  wind_speed_10m: 'wind_speed',
  wind_gusts_10m: 'wind_speed_of_gust',
  precipitation: 'precipitation_amount',
  shortwave_radiation: 'surface_downwelling_shortwave_flux_in_air',
};

function wave(time: number, period: number): number {
  return Math.sin((2 * Math.PI * time) / period);
}
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

for (const [, load] of defaultTransport)
  describe('the proof of forecasts over HTTP', function () {
    this.timeout(300_000);
    let world: World;
    let running: RunningApi;
    let provider: HttpDevice;
    let run: RunForecasts;
    let model: (typeof MODELS)[number];
    /** The replies since the last change, because every variable needs the same forecasts. */
    const replies = new Map<string, unknown>();

    before(async () => {
      model = MODELS[0] as typeof model;
      provider = await openMeteoService({ now: () => world.clock.now(), value: forecastValue });
      world = await World.make({ WEATHERD_FORECAST_OPEN_METEO_URL: provider.url });
      world.clock.time = START;
      await addStation(world, { id: 'garden', reportingInterval: INTERVAL / MILLISECONDS.second });
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      run = new RunForecasts({
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
      await world.get(AddForecast).execute(['garden'], 'open-meteo', CALLER);
      await observe(START - 12 * DAY, START);
      for (let step = 0; step < (DAYS * DAY) / EVERY; step += 1) {
        if (step === (DAYS * DAY) / EVERY / 2) model = MODELS[1] as typeof model;
        // oxlint-disable-next-line no-await-in-loop -- one step after the other
        await pass(EVERY + 13 * MILLISECONDS.minute, step);
      }
    });
    after(async () => {
      await run.close();
      await running.server.close(1000);
      await provider.close();
    });

    function forecastValue(name: string, seconds: number): number | null {
      const time = seconds * MILLISECONDS.second;
      if (name === 'precipitation_probability') return Math.round(50 + 45 * wave(time + 5 * HOUR, 1.9 * DAY));
      const value = truth[NAMES[name] ?? '']?.(time);
      // A provider without a value has null, as some do for late hours.
      if (value === undefined || seconds % 97 === 0) return null;
      const own = model(name, value, time);
      return /temperature|dew/.test(name) ? own : Math.max(0, own);
    }

    /** Records the reports in `(from, to]`, without those of which `isLost` is true. */
    async function observe(from: number, to: number, isLost: (time: number) => boolean = () => false) {
      const first = Math.floor(from / INTERVAL) + 1;
      const times = Float64Array.from(
        { length: Math.max(0, Math.floor(to / INTERVAL) - first + 1) },
        (_, index) => (first + index) * INTERVAL,
      ).filter((time) => !isLost(time));
      if (times.length === 0) return;
      const columns = sentColumns(
        Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, Array.from(times, value)])),
      );
      await world.get(RecordObservations).execute({ stations: 'garden', times, columns }, CALLER);
    }

    /** Some reports come a day late, and one temperature is impossible. */
    const isLate = (time: number) => time >= START + 4 * DAY && time < START + 4 * DAY + 9 * HOUR;

    async function pass(duration: number, step: number): Promise<void> {
      replies.clear();
      const from = world.clock.time;
      world.clock.time += duration;
      world.clock.up += duration;
      await observe(from, world.clock.time, isLate);
      if (step === 22) await observe(START + 4 * DAY - 1, START + 4 * DAY + 9 * HOUR);
      if (step === 30) {
        const wrong = Math.ceil((START + 6 * DAY) / HOUR) * HOUR;
        const columns = sentColumns({ air_temperature: [55] });
        await world
          .get(RecordObservations)
          .execute({ stations: 'garden', times: Float64Array.of(wrong), columns }, CALLER);
      }
      await run.execute();
      await run.idle();
    }

    const read: ReadJson = async (path) => {
      if (replies.has(path)) return replies.get(path);
      const reply = await fetch(running.url + path);
      if (reply.status !== 404) expect(reply.status, path).to.equal(200);
      const content: unknown = reply.status === 404 ? undefined : await reply.json();
      replies.set(path, content);
      return content;
    };

    async function assertProof(variable: string, range = '') {
      const path = `/v1/stations/garden/forecast/verification?variable=${variable}${range}`;
      const { verification, scored_until: until, since } = (await read(path)) as Record<string, unknown>;
      const again = await computedProof(read, {
        station: 'garden',
        variable,
        until: Date.parse(until as string),
        from: Date.parse(`${since as string}-01T00:00:00Z`),
        interval: INTERVAL,
      });
      const [replied, computed] = [paths(verification), paths(again)];
      expect(Object.keys(replied)).to.deep.equal(Object.keys(computed));
      const different = Object.entries(replied).filter(([name, value]) => !isSame(value, computed[name]));
      expect(different.map(([name, value]) => [name, value, computed[name]])).to.deep.equal([]);
      return verification as {
        lead: string;
        raw: Record<string, number>;
        corrected: Record<string, number>;
      }[];
    }

    /** Each number with its path. */
    function paths(value: unknown, path = ''): Record<string, unknown> {
      if (typeof value !== 'object' || value === null) return { [path]: value };
      return Object.assign({}, ...Object.entries(value).map(([key, one]) => paths(one, `${path}/${key}`)));
    }

    /** Replies have six decimals. */
    function isSame(replied: unknown, computed: unknown): boolean {
      return typeof replied === 'number' && typeof computed === 'number'
        ? Math.abs(replied - computed) < 2e-6
        : replied === computed;
    }

    for (const variable of [...Object.keys(truth), 'frost'])
      it(`can be computed again from the replies about forecasts and observations: ${variable}`, async () => {
        const verification = await assertProof(variable);
        const counted = verification.map(({ raw }) =>
          variable === 'frost' ? (raw['chance'] as unknown as { count: number } | null)?.count : raw['count'],
        );
        expect(counted[0]).to.be.above(20);
        expect(counted[6]).to.be.above(20);
      });

    it('can be computed again for one month', async () => {
      await assertProof('air_temperature', '&since=2026-03&until=2026-03');
      await assertProof('precipitation_amount', '&since=2026-02&until=2026-02');
    });

    it('follows a verdict that is changed later, and observations that are sent again', async () => {
      const before = await assertProof('air_temperature');
      const request = {
        variable: 'air_temperature',
        from: START + 9 * DAY,
        to: START + 9 * DAY + 10 * HOUR,
        verdict: 'bad' as const,
        reason: 'The sensor lay in the sun.',
      };
      await world.get(AddOverride).execute('garden', request, CALLER);
      await pass(25 * HOUR, -1);
      const after = await assertProof('air_temperature');
      expect(after[3]?.raw['count']).to.be.below((before[3]?.raw['count'] as number) + 24 * 4);
    });
  });
