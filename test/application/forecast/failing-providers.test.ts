import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import sinon from 'sinon';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { describeFailing } from '#composition/sources/forecasts.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { OwnLease } from '../fakes/fakes.js';
import { type DeviceReply, type HttpDevice, httpDevice } from '../../support/devices/http-device.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { hour: HOUR, minute: MINUTE, day: DAY } = MILLISECONDS;
const START = Date.UTC(2026, 5, 1, 12);
const PROVIDERS = ['open-meteo', 'met-norway'] as const;
type Provider = (typeof PROVIDERS)[number];

/** A reply of Open-Meteo whose column of temperatures, or whose hours, a test may replace. */
function openMeteo(now: number, { time, hourly = {} }: { time?: unknown; hourly?: object } = {}) {
  const first = Math.floor(now / HOUR) * 3600;
  const times = Array.from({ length: 48 }, (_, hour) => first + 3600 * hour);
  return { hourly: { time: time ?? times, temperature_2m: times.map((one) => 10 + (one % 7)), ...hourly } };
}

/** A reply of MET Norway. */
function metNorway(now: number, { time, details }: { time?: unknown; details?: unknown } = {}) {
  const first = Math.floor(now / HOUR) * HOUR;
  const timeseries = Array.from({ length: 48 }, (_, hour) => ({
    time: time ?? new Date(first + hour * HOUR).toISOString(),
    data: { instant: { details: details === undefined ? { air_temperature: 10 + (hour % 7) } : details } },
  }));
  return { properties: { timeseries } };
}

const good = (provider: Provider, now: number) =>
  provider === 'open-meteo' ? openMeteo(now) : metNorway(now);

describe('a provider of forecasts that fails', () => {
  let world: World;
  let device: HttpDevice;
  let run: RunForecasts;
  let reply: (now: number) => DeviceReply;

  beforeEach(async () => {
    device = await httpDevice(() => reply(world.clock.now()));
  });
  afterEach(async () => {
    await run.close();
    await device.close();
  });

  async function start(provider: Provider, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    world = await World.make({
      WEATHERD_FORECAST_OPEN_METEO_URL: device.url,
      WEATHERD_FORECAST_MET_NORWAY_URL: device.url,
      WEATHERD_FORECAST_CONTACT: 'operator@example.org',
      ...settings,
    });
    world.clock.time = START;
    reply = (now) => ({ body: good(provider, now) });
    await addStation(world, { id: 'garden' });
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
      settings: { every: HOUR, retention: 1000 * DAY },
    });
    await world.get(AddForecast).execute(['garden'], provider, CALLER);
    await round();
  }

  async function round(): Promise<void> {
    await run.execute();
    await run.idle();
  }

  async function pass(duration: number): Promise<void> {
    world.clock.time += duration;
    world.clock.up += duration;
    await round();
  }

  const listed = async () => (await world.get(ListForecasts).execute())[0];
  const shown = async () => (await world.get(GetForecast).execute('garden', undefined)).forecast;
  const refusal = async () =>
    await shown().then(
      () => undefined,
      (error: { code: string }) => error.code,
    );

  const notForecast = /^The reply of (?:Open-Meteo|MET Norway) is not a forecast\.$/;
  const noTemperatures = /^The reply of (?:Open-Meteo|MET Norway) has no temperatures\.$/;
  const noHours = /^The reply of (?:Open-Meteo|MET Norway) has no list of hours\.$/;
  const nothingToCome = /^The reply of (?:Open-Meteo|MET Norway) has no hours that are to come\.$/;
  const notJson = /^The reply of the source is not JSON/;
  const of48 = (value: unknown) => Array.from({ length: 48 }, () => value);
  const faults: readonly (readonly [what: string, Provider, (now: number) => DeviceReply, reason: RegExp])[] =
    [
      ...PROVIDERS.flatMap((provider) =>
        (
          [
            ['no connection', () => 'dead', /^The source closed the connection/],
            ['status 500', () => ({ status: 500, body: 'oops' }), /status 500\.$/],
            [
              'a redirect',
              () => ({ status: 302, headers: { location: '/' }, body: '' }),
              /Redirects are not followed/,
            ],
            [
              'a page with status 200',
              () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in</p>' }),
              notJson,
            ],
            ['no body', () => ({ body: '' }), notJson],
            ['a cut JSON', (now) => ({ body: JSON.stringify(good(provider, now)).slice(0, 200) }), notJson],
            [
              'a cut connection',
              (now) => ({ body: good(provider, now), dieAfter: 100 }),
              /in the middle of its reply/,
            ],
            [
              'NaN, which JSON has not',
              (now) => ({
                body: JSON.stringify(good(provider, now)).replace(/(temperature[^:]*:\[?)1\d/, '$1NaN'),
              }),
              notJson,
            ],
            [
              'compressed bytes that nobody asked for',
              (now) => ({
                headers: { 'content-encoding': 'gzip' },
                body: gzipSync(JSON.stringify(good(provider, now))),
              }),
              notJson,
            ],
            ['17 MB', () => ({ body: Buffer.alloc(17 * 1024 * 1024, ' ') }), /too large/],
            ['null', () => ({ body: 'null' }), notForecast],
            ['a list', () => ({ body: [] }), notForecast],
            ['no field', () => ({ body: {} }), notForecast],
            ['the hours of last year', (now) => ({ body: good(provider, now - 365 * DAY) }), nothingToCome],
            ['the hours of next year', (now) => ({ body: good(provider, now + 365 * DAY) }), nothingToCome],
          ] as const satisfies readonly (readonly [string, (now: number) => DeviceReply, RegExp])[]
        ).map(([what, make, reason]) => [what, provider, make, reason] as const),
      ),
      ...(
        [
          ['no hours', { time: [] }, noHours],
          ['hours as text', { time: of48('2026-06-01T12:00') }, notForecast],
          ['hours that are null', { time: of48(null) }, notForecast],
          ['one hour again and again', { time: of48(START / 1000) }, noHours],
          [
            'hours before 1970',
            { time: Array.from({ length: 48 }, (_, hour) => -3600 * (48 - hour)) },
            nothingToCome,
          ],
          [
            'hours of a fraction',
            { time: Array.from({ length: 48 }, (_, hour) => START / 1000 + hour * 3600 + 0.5) },
            noHours,
          ],
          [
            '10,000 hours',
            { time: Array.from({ length: 10_000 }, (_, hour) => START / 1000 + hour * 3600) },
            noHours,
          ],
          ['no temperatures', { hourly: { temperature_2m: undefined } }, noTemperatures],
          ['temperatures that are null', { hourly: { temperature_2m: of48(null) } }, noTemperatures],
          ['temperatures as text', { hourly: { temperature_2m: of48('10') } }, noTemperatures],
          ['temperatures that no weather has', { hourly: { temperature_2m: of48(1e300) } }, noTemperatures],
          ['one temperature too few', { hourly: { temperature_2m: of48(10).slice(1) } }, noTemperatures],
          ['an object of temperatures', { hourly: { temperature_2m: { 0: 10 } } }, noTemperatures],
        ] as const
      ).map(
        ([what, change, reason]) =>
          [what, 'open-meteo' as const, (now: number) => ({ body: openMeteo(now, change) }), reason] as const,
      ),
      ...(
        [
          ['hours that are no times', { time: 'soon' }, noHours],
          ['hours as numbers', { time: 5 }, notForecast],
          ['one hour again and again', { time: '2026-06-01T13:00:00Z' }, noHours],
          ['no details', { details: null }, notForecast],
          ['details without values', { details: {} }, noTemperatures],
          ['temperatures as text', { details: { air_temperature: '10' } }, noTemperatures],
          ['temperatures that no weather has', { details: { air_temperature: -1e9 } }, noTemperatures],
        ] as const
      ).map(
        ([what, change, reason]) =>
          [what, 'met-norway' as const, (now: number) => ({ body: metNorway(now, change) }), reason] as const,
      ),
    ];
  for (const [what, provider, make, reason] of faults)
    it(`keeps the last forecast and says why, after ${what} (${provider})`, async () => {
      await start(provider);
      expect((await shown()).issued).to.equal(START);
      reply = make;
      await pass(2 * HOUR);
      expect(device.requests).to.have.lengthOf(2);
      const { reason: said, failingSince, issuedAt } = (await listed()) ?? {};
      expect(said).to.match(reason);
      expect(said).to.not.contain('operator@example.org');
      expect([failingSince, issuedAt]).to.deep.equal([START + 2 * HOUR, START]);
      expect(run.failing).to.have.lengthOf(1);
      expect((await shown()).issued).to.equal(START);
      reply = (now) => ({ body: good(provider, now) });
      await pass(2 * HOUR);
      expect(await listed()).to.deep.include({
        reason: null,
        failingSince: null,
        issuedAt: START + 4 * HOUR,
      });
      expect((await shown()).issued).to.equal(START + 4 * HOUR);
    });

  for (const provider of PROVIDERS)
    it(`is away: the last forecast is shown for two days, then none (${provider})`, async () => {
      await start(provider);
      device.setAway(true);
      await pass(47 * HOUR);
      expect((await shown()).issued).to.equal(START);
      await pass(HOUR);
      expect(await refusal()).to.equal('FORECAST_UNKNOWN');
      device.setAway(false);
      await pass(2 * HOUR);
      expect(await refusal()).to.equal(undefined);
    });

  it('leaves out the other variables that it sends in another shape', async () => {
    await start('open-meteo');
    reply = (now) => ({
      body: openMeteo(now, {
        hourly: {
          precipitation: of48('wet'),
          wind_speed_10m: of48(3).slice(2),
          weather_code: null,
          cloud_cover: of48(50),
        },
      }),
    });
    await pass(2 * HOUR);
    const { values } = await shown();
    expect(values.get(F.clouds)?.[0]).to.equal(50);
    expect([values.has(F.wind), values.has(F.weatherCode)]).to.deep.equal([false, false]);
    expect([...(values.get(F.rain) ?? [])].every(Number.isNaN)).to.equal(true);
  });

  /** Minutes until the next request, after a reply at the hour 2. */
  async function minutesUntilAsked(): Promise<number> {
    const before = device.requests.length;
    for (let minutes = 1; minutes < 3 * 24 * 60; minutes += 1) {
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await pass(MINUTE);
      if (device.requests.length > before) return minutes;
    }
    return Infinity;
  }

  const date = (time: number) => new Date(time).toUTCString();
  const waits: readonly (readonly [what: string, DeviceReply, least: number, most: number])[] = [
    ['Retry-After in seconds', { status: 429, headers: { 'retry-after': '7200' }, body: '' }, 120, 133],
    [
      'Retry-After as a date',
      { status: 429, headers: { 'retry-after': date(Date.now() + 3 * HOUR) }, body: '' },
      179,
      200,
    ],
    [
      'Retry-After as a date of the past',
      { status: 429, headers: { 'retry-after': date(0) }, body: '' },
      1,
      2,
    ],
    ['no Retry-After', { status: 429, body: '' }, 1, 2],
    ['another Retry-After', { status: 429, headers: { 'retry-after': 'soon' }, body: '' }, 1, 2],
    [
      'Retry-After of 30 years',
      { status: 503, headers: { 'retry-after': '999999999' }, body: '' },
      1440,
      1600,
    ],
    ['a forecast without Expires', { body: openMeteo(START + 2 * HOUR) }, 60, 67],
    ['Expires of the past', { headers: { expires: date(0) }, body: openMeteo(START + 2 * HOUR) }, 60, 67],
    ['Expires that is no date', { headers: { expires: '0' }, body: openMeteo(START + 2 * HOUR) }, 60, 67],
    [
      'Expires in three hours',
      { headers: { date: date(START), expires: date(START + 3 * HOUR) }, body: openMeteo(START + 2 * HOUR) },
      180,
      200,
    ],
    [
      'Expires in a hundred years',
      {
        headers: { date: date(START), expires: date(START + 36_500 * DAY) },
        body: openMeteo(START + 2 * HOUR),
      },
      1440,
      1600,
    ],
  ];
  for (const [what, answer, least, most] of waits)
    it(`is asked again when it allows it: ${what}`, async function () {
      this.timeout(30_000);
      await start('open-meteo');
      reply = () => answer;
      await pass(2 * HOUR);
      expect(device.requests).to.have.lengthOf(2);
      expect(await minutesUntilAsked()).to.be.within(least, most);
    });

  it('is asked less and less often while its quota is spent, never more seldom than usual', async function () {
    this.timeout(30_000);
    await start('open-meteo');
    reply = () => ({ status: 429, body: { error: true, reason: 'Daily API request limit exceeded.' } });
    await pass(2 * HOUR);
    expect((await listed())?.reason).to.equal('The source allows no more requests for now (429).');
    const pauses: number[] = [];
    for (let index = 0; index < 8; index += 1)
      // oxlint-disable-next-line no-await-in-loop -- one pause after the other
      pauses.push(await minutesUntilAsked());
    for (const [index, pause] of [1, 2, 4, 8, 16, 32, 60, 60].entries())
      expect(pauses[index]).to.be.within(pause, 1.1 * pause + 1);
  });

  it('warns that its version ends, with status 203', async () => {
    await start('met-norway');
    reply = (now) => ({ status: 203, body: metNorway(now) });
    await pass(2 * HOUR);
    expect(await listed()).to.deep.include({
      reason: 'MET Norway will end this version of its service (203). Update weatherd.',
      failingSince: null,
    });
    expect(run.failing).to.deep.equal([]);
    expect((await shown()).issued).to.equal(START + 2 * HOUR);
    reply = (now) => ({ body: metNorway(now) });
    await pass(2 * HOUR);
    expect((await listed())?.reason).to.equal(null);
  });

  it('has not changed its forecast, with status 304', async () => {
    await start('met-norway');
    reply = (now) => ({
      headers: { 'last-modified': 'Mon, 01 Jun 2026 13:00:00 GMT' },
      body: metNorway(now),
    });
    await pass(2 * HOUR);
    reply = () => ({ status: 304, body: '' });
    await pass(2 * HOUR);
    expect(device.requests.at(-1)?.headers['if-modified-since']).to.equal('Mon, 01 Jun 2026 13:00:00 GMT');
    expect(await listed()).to.deep.include({
      failingSince: null,
      issuedAt: START + 2 * HOUR,
      answeredAt: START + 4 * HOUR,
    });
    expect((await shown()).issued).to.equal(START + 2 * HOUR);
  });

  it('answers 304 to a service that has kept nothing', async () => {
    await start('met-norway');
    reply = () => ({ status: 304, body: '' });
    await pass(2 * HOUR);
    expect((await listed())?.reason).to.match(/304/);
    expect((await shown()).issued).to.equal(START);
  });

  it('refuses the contact, and the reason says what to do', async () => {
    await start('met-norway');
    reply = () => ({ status: 403, body: 'Forbidden' });
    await pass(2 * HOUR);
    expect((await listed())?.reason).to.equal(
      'MET Norway refuses the requests of this service (403). Check that WEATHERD_FORECAST_CONTACT is an address at which you can be reached, and set WEATHERD_FORECAST_DECIMALS to at most 4.',
    );
  });

  it('is refused without a contact, and asked nothing', async () => {
    const error = await start('met-norway', { WEATHERD_FORECAST_CONTACT: '' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'REQUEST_INVALID' });
    expect((error as Error).message).to.match(/WEATHERD_FORECAST_CONTACT/);
    expect(device.requests).to.deep.equal([]);
  });

  it('is shown as it is for a station without observations, and the reply says so', async () => {
    await start('open-meteo');
    for (let hours = 0; hours < 72; hours += 2)
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await pass(2 * HOUR);
    const { forecast, published, cases } = await world.get(GetForecast).execute('garden', undefined);
    expect(forecast.published.get(F.temperature)).to.not.include(true);
    expect([...(published.get(F.temperature) ?? [])]).to.deep.equal([
      ...(forecast.values.get(F.temperature) ?? []),
    ]);
    expect([...(forecast.low.get(F.temperature) ?? [])].every(Number.isNaN)).to.equal(true);
    expect([...cases.values()].every((count) => count === 0)).to.equal(true);
  });

  it('is asked for the other stations if what was learned of one is damaged', async () => {
    await start('open-meteo');
    await addStation(world, { id: 'roof', identifiers: {} });
    await world.get(AddForecast).execute(['roof'], 'open-meteo', CALLER);
    for (let hours = 0; hours < 12; hours += 2)
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await pass(2 * HOUR);
    const { storedRecords } = world.stores;
    const damage = async (end: string) => {
      const stored = (await storedRecords.records('forecasts/1/')).filter(({ name }) => name.endsWith(end));
      expect(stored).to.have.lengthOf(1);
      await storedRecords.put(stored.map((one) => ({ ...one, text: one.text.slice(0, -10) })));
    };
    const issues = async () =>
      (await world.get(ListForecasts).execute()).map(({ issuedAt }) =>
        issuedAt === world.clock.now() ? 'new' : 'old',
      );
    // Damaged scores of a month end nothing: learning goes on, and the scores of the other stations are renewed.
    await damage('scores/2026-06');
    const score = sinon.spy(world.get(ScoreForecasts), 'execute');
    await pass(DAY);
    expect(await issues()).to.deep.equal(['new', 'new']);
    expect(score.args.map(([{ id }]) => id)).to.deep.equal(['garden', 'roof']);
    await damage('/learned/');
    await pass(2 * HOUR);
    expect(await issues()).to.deep.equal(['old', 'new']);
    expect(describeFailing(run)).to.match(
      /^The station garden has got no forecast since \S+: What was learned of the forecasts of station "garden" by open-meteo is damaged and cannot be read\. "weatherd check" lists what is damaged\.$/,
    );
    // A damaged order is left out, and a damaged state counts as none.
    await damage('/state');
    const [order] = await storedRecords.records('forecast-orders/1/');
    await storedRecords.put([{ ...(order as NonNullable<typeof order>), text: '{' }]);
    await pass(2 * HOUR);
    expect((await world.get(ListForecasts).execute()).map(({ station }) => station)).to.deep.equal(['roof']);
    expect(await issues()).to.deep.equal(['new']);
    expect(describeFailing(run)).to.equal(undefined);
    await world.get(AddForecast).execute(['garden'], 'met-norway', CALLER);
    expect((await world.get(ListForecasts).execute())[0]).to.include({
      station: 'garden',
      provider: 'met-norway',
    });
  });

  for (const [what, jump] of [
    ['forward', 365 * DAY],
    ['back', -365 * DAY],
  ] as const)
    it(`is learned from after the clock was a year ${what}`, async function () {
      this.timeout(60_000);
      await start('open-meteo');
      world.clock.time += jump;
      await pass(2 * HOUR);
      expect(device.requests).to.have.lengthOf(2);
      world.clock.time -= jump;
      const from = world.clock.time;
      for (let hours = 0; hours < 48; hours += 2) {
        const observed = [from + hours * HOUR, from + (hours + 1) * HOUR];
        await record(
          world,
          new Date(observed[0] as number).toISOString(),
          { air_temperature: observed.map(() => 9) },
          'garden',
        );
        // oxlint-disable-next-line no-await-in-loop -- hour after hour
        await pass(2 * HOUR);
      }
      const { forecast, cases } = await world.get(GetForecast).execute('garden', undefined);
      expect(forecast.issued).to.equal(world.clock.time);
      expect(cases.get(F.temperature)).to.be.above(10);
    });
});
