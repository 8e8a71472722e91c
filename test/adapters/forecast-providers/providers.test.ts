import { expect } from 'chai';
import { forecastProviders } from '#adapters/forecast-providers/forecast-providers.js';
import { codeOfSymbol } from '#adapters/forecast-providers/symbol-code.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import type { ForecastExchange, ForecastProvider } from '#application/ports/forecast-provider.js';
import type { Forecast } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  type DeviceReply,
  type DeviceRequest,
  type HttpDevice,
  httpDevice,
} from '../../support/devices/http-device.js';

const SIX = Date.UTC(2026, 10, 23, 6);
const PLACE = { station: 'garden', latitude: 59.91, longitude: 10.75, elevation: 20 };

const exchange: ForecastExchange = {
  fetch: async (request) =>
    await new MachineNetwork().fetch(request, { rule: 'any', signal: new AbortController().signal }),
};

const OPEN_METEO = {
  latitude: 59.91,
  longitude: 10.75,
  generationtime_ms: 0.4,
  utc_offset_seconds: 0,
  timezone: 'GMT',
  elevation: 20.0,
  hourly_units: { time: 'unixtime', temperature_2m: '°C', snowfall: 'cm' },
  hourly: {
    time: [SIX / 1000, SIX / 1000 + 3600],
    temperature_2m: [3.4, 3.1],
    relative_humidity_2m: [81, null],
    precipitation: [0.0, 0.2],
    snowfall: [0, 0.14],
    wind_speed_10m: [2.1, 2.4],
    weather_code: [3, 61],
  },
};

const step = (time: string, temperature: number, next: object = {}) => ({
  time,
  data: {
    instant: {
      details: {
        air_pressure_at_sea_level: 1008.2,
        air_temperature: temperature,
        wind_speed: 2.6,
        wind_from_direction: 214.3,
        fog_area_fraction: 0,
      },
    },
    ...next,
  },
});
const amount = (symbol: string, rain: number, chance: number) => ({
  summary: { symbol_code: symbol },
  details: { precipitation_amount: rain, probability_of_precipitation: chance },
});
const MET_NORWAY = {
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [10.75, 59.91, 20] },
  properties: {
    meta: { updated_at: '2026-11-23T05:41:12Z', units: { air_temperature: 'celsius' } },
    timeseries: [
      step('2026-11-23T06:00:00Z', 3.4, {
        next_1_hours: amount('lightrain', 0.3, 61.2),
        next_6_hours: amount('rain', 4, 90),
        next_12_hours: { summary: { symbol_code: 'rain' } },
      }),
      step('2026-11-23T07:00:00Z', 3.1, { next_6_hours: amount('heavysnowshowers_night', 2.5, 70) }),
      step('2026-11-23T13:00:00Z', 1.1),
    ],
  },
};

describe('providers of forecasts', () => {
  let device: HttpDevice;
  let reply: (request: DeviceRequest) => DeviceReply | undefined;

  beforeEach(async () => {
    device = await httpDevice((request) => reply(request));
  });
  afterEach(() => device.close());

  function provider(name: string, more: object = {}): ForecastProvider {
    const url = `${device.url}/prefix/`;
    const list = forecastProviders({
      version: '1.0.0',
      contact: 'operator@example.org',
      openMeteoUrl: url,
      previousRunsUrl: url,
      metNorwayUrl: url,
      ...more,
    });
    return list.find((one) => one.name === name) as ForecastProvider;
  }

  const column = ({ values }: Pick<Forecast, 'values'>, number: number) => [...(values.get(number) ?? [])];

  it('reads the reply of Open-Meteo', async () => {
    reply = () => ({ body: OPEN_METEO });
    const forecast = await provider('open-meteo').ask(PLACE, exchange);
    expect([...forecast.times]).to.deep.equal([SIX, SIX + MILLISECONDS.hour]);
    expect(column(forecast, F.temperature)).to.deep.equal([3.4, 3.1]);
    expect(column(forecast, F.humidity)).to.deep.equal([81, Number.NaN]);
    expect(column(forecast, F.rain)).to.deep.equal([0, 0.2]);
    expect(column(forecast, F.snow)).to.deep.equal([0, 1.4000000000000001]);
    expect(column(forecast, F.weatherCode)).to.deep.equal([3, 61]);
    expect(forecast.values.has(F.gust)).to.equal(false);
  });

  it('asks Open-Meteo for one place, in UTC and m/s', async () => {
    reply = () => ({ body: OPEN_METEO });
    await provider('open-meteo', { apiKey: 'secret' }).ask({ ...PLACE, elevation: null }, exchange);
    const { path, headers } = device.requests[0] as DeviceRequest;
    const url = new URL(path, device.url);
    expect(url.pathname).to.equal('/prefix/v1/forecast');
    expect(Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'hourly'))).to.deep.equal({
      latitude: '59.91',
      longitude: '10.75',
      models: 'best_match',
      forecast_days: '10',
      past_days: '1',
      timezone: 'GMT',
      timeformat: 'unixtime',
      wind_speed_unit: 'ms',
      apikey: 'secret',
    });
    expect(url.searchParams.get('hourly')?.split(',')).to.include.members([
      'temperature_2m',
      'precipitation_probability',
    ]);
    expect(headers['user-agent']).to.equal('weatherd/1.0.0 operator@example.org');
  });

  it('reads the previous runs of Open-Meteo as forecasts of the days before', async () => {
    reply = ({ path }) => {
      const query = new URL(path, 'http://localhost').searchParams;
      const from = Date.parse(query.get('start_date') ?? '');
      const to = Date.parse(query.get('end_date') ?? '') + MILLISECONDS.day;
      const time = Array.from(
        { length: (to - from) / MILLISECONDS.hour },
        (_, hour) => from / 1000 + hour * 3600,
      );
      const names = (query.get('hourly') ?? '').split(',');
      const value = (name: string, seconds: number) =>
        name.startsWith('temperature_2m_previous_day') ? Number(name.at(-1)) + seconds / 1e10 : null;
      return {
        body: {
          hourly: {
            time,
            ...Object.fromEntries(names.map((name) => [name, time.map((one) => value(name, one))])),
          },
        },
      };
    };
    const parts: Forecast[] = [];
    const from = Date.UTC(2026, 0, 1);
    for await (const part of provider('open-meteo').past?.(
      PLACE,
      { from, to: from + 40 * MILLISECONDS.day },
      exchange,
    ) ?? [])
      parts.push(...part);
    expect(
      device.requests.map(({ path }) => /start_date=([\d-]+)&end_date=([\d-]+)/.exec(path)?.slice(1)),
    ).to.deep.equal([
      ['2026-01-01', '2026-01-30'],
      ['2026-01-31', '2026-02-09'],
    ]);
    const one = parts.find(({ issued }) => issued === from + 10 * MILLISECONDS.day) as Forecast;
    expect(Array.from(one.times, (time) => (time - one.issued) / MILLISECONDS.day)).to.deep.equal([
      1, 2, 3, 4, 5, 6, 7,
    ]);
    expect(column(one, F.temperature).map(Math.floor)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
  });

  it('reads the reply of MET Norway with amounts at the ends of their hours', async () => {
    reply = () => ({ body: MET_NORWAY });
    const forecast = await provider('met-norway').ask(PLACE, exchange);
    expect(Array.from(forecast.times, (time) => (time - SIX) / MILLISECONDS.hour)).to.deep.equal([0, 1, 7]);
    expect(column(forecast, F.temperature)).to.deep.equal([3.4, 3.1, 1.1]);
    expect(column(forecast, F.rain)).to.deep.equal([Number.NaN, 0.3, Number.NaN]);
    expect(column(forecast, F.rainOf6Hours)).to.deep.equal([Number.NaN, Number.NaN, 2.5]);
    expect(column(forecast, F.rainChance)).to.deep.equal([Number.NaN, 61.2, Number.NaN]);
    expect(column(forecast, F.weatherCode)).to.deep.equal([Number.NaN, 61, 86]);
    const { path, headers } = device.requests[0] as DeviceRequest;
    expect(path).to.equal('/prefix/weatherapi/locationforecast/2.0/complete?lat=59.91&lon=10.75&altitude=20');
    expect(headers['user-agent']).to.equal('weatherd/1.0.0 operator@example.org');
  });

  it('says that MET Norway needs a contact', () => {
    expect(provider('met-norway', { contact: undefined }).fault).to.match(/WEATHERD_FORECAST_CONTACT/);
    expect(provider('met-norway').fault).to.equal(undefined);
    expect(provider('open-meteo', { contact: undefined }).fault).to.equal(undefined);
  });

  const faults: readonly (readonly [what: string, provider: string, reply: DeviceReply, reason: RegExp])[] = [
    [
      'an error of Open-Meteo',
      'open-meteo',
      { status: 400, body: { error: true, reason: 'Latitude must be in range' } },
      /400/,
    ],
    [
      'too many requests',
      'open-meteo',
      { status: 429, body: { error: true }, headers: { 'retry-after': '60' } },
      /429/,
    ],
    ['a refused contact', 'met-norway', { status: 403, body: 'Forbidden' }, /403/],
    ['a page', 'open-meteo', { body: '<html>', headers: { 'content-type': 'text/html' } }, /JSON/],
    ['another object', 'open-meteo', { body: { hourly: { time: 'now' } } }, /not a forecast/],
    ['another object', 'met-norway', { body: { properties: {} } }, /not a forecast/],
    ['no hours', 'open-meteo', { body: { hourly: { time: [] } } }, /list of hours/],
    [
      'minutes',
      'open-meteo',
      { body: { hourly: { time: [SIX / 1000 + 60], temperature_2m: [1] } } },
      /list of hours/,
    ],
    [
      'hours in another order',
      'open-meteo',
      { body: { hourly: { time: [SIX / 1000, SIX / 1000], temperature_2m: [1, 2] } } },
      /list of hours/,
    ],
    [
      'no temperatures',
      'open-meteo',
      { body: { hourly: { time: [SIX / 1000], temperature_2m: [1, 2] } } },
      /no temperatures/,
    ],
    ['a cut reply', 'met-norway', { body: MET_NORWAY, dieAfter: 100 }, /./],
    ['no reply', 'met-norway', 'dead', /./],
  ];
  for (const [what, name, answer, reason] of faults)
    it(`explain ${what} (${name})`, async () => {
      reply = () => answer;
      const error = await provider(name)
        .ask(PLACE, exchange)
        .then(
          () => undefined,
          (thrown: Error) => thrown,
        );
      expect(error?.name).to.equal('SourceFailure');
      expect(error?.message).to.match(reason);
      expect(error?.message).to.not.contain('operator@example.org');
    });
});

describe('the codes of symbols', () => {
  for (const [symbol, code] of [
    ['clearsky_day', 0],
    ['partlycloudy_polartwilight', 2],
    ['lightrainshowers_night', 80],
    ['heavysleetandthunder', 95],
    ['lightssleetshowersandthunder_day', 95],
    ['meteorshower', Number.NaN],
    [undefined, Number.NaN],
  ] as const)
    it(`have ${code} for ${symbol}`, () => {
      expect(codeOfSymbol(symbol)).to.deep.equal(code);
    });
});
