import { expect } from 'chai';
import { fetchWeatherApi } from 'openmeteo';
import sinon from 'sinon';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import {
  makeDialectEndpoints,
  makeExternalEndpoints,
  makeOpenMeteoEndpoints,
} from '#composition/modules/endpoints.js';
import { MILLISECONDS } from '#domain/time.js';
import { header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addForecastStation, addIssuedForecast, temperatureAt } from '../../support/open-meteo-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

const { minute, hour } = MILLISECONDS;
const JFK = 'latitude=40.64&longitude=-73.78';
const SETTINGS = { feelsLike: 'apparent_temperature', openMeteoRadius: 20, addressOf: () => '' } as const;

type Columns = Readonly<Record<string, readonly (number | string | null)[]>>;
interface Reply {
  readonly latitude: number;
  readonly longitude: number;
  readonly generationtime_ms: number;
  readonly utc_offset_seconds: number;
  readonly timezone: string;
  readonly elevation?: number;
  readonly location_id?: number;
  readonly hourly: Columns;
  readonly hourly_units: Readonly<Record<string, string>>;
  readonly minutely_15: Columns;
  readonly daily: Columns;
  readonly daily_units: Readonly<Record<string, string>>;
  readonly current: Readonly<Record<string, number | string | null>>;
  readonly current_weather: Readonly<Record<string, number | string | null>>;
}

/** The request of Breezy Weather, a client for phones, by its source. */
const BREEZY = {
  daily:
    'temperature_2m_max,temperature_2m_min,apparent_temperature_max,apparent_temperature_min,sunshine_duration,uv_index_max,' +
    'relative_humidity_2m_mean,relative_humidity_2m_max,relative_humidity_2m_min,dew_point_2m_mean,dew_point_2m_max,dew_point_2m_min,' +
    'pressure_msl_mean,pressure_msl_max,pressure_msl_min,cloud_cover_mean,cloud_cover_max,cloud_cover_min,visibility_mean,visibility_max,visibility_min',
  hourly:
    'temperature_2m,apparent_temperature,precipitation_probability,precipitation,rain,showers,snowfall,weather_code,wind_speed_10m,' +
    'wind_direction_10m,wind_gusts_10m,uv_index,is_day,relative_humidity_2m,dew_point_2m,pressure_msl,cloud_cover,visibility',
  current:
    'temperature_2m,apparent_temperature,weather_code,wind_speed_10m,wind_direction_10m,wind_gusts_10m,uv_index,relative_humidity_2m,' +
    'dew_point_2m,pressure_msl,cloud_cover,visibility',
};
/** The columns that this client decodes as whole numbers, and the one that it decodes without null. */
const WHOLE =
  /^(?:relative_humidity_2m|wind_direction_10m|cloud_cover|weather_code|precipitation_probability|time)/;

for (const [transport, [name, load]] of serviceTransports.entries()) {
  describe(`the dialect of Open-Meteo over HTTP › ${name}`, () => {
    let world: World;
    let api: RunningApi;
    let root: RunningApi;
    const open = async (readAccess: 'public' | 'token') => {
      const authorize = world.get(Authorize);
      const rules = {
        authorize: (given: string, access: { level: 'basic' }) =>
          authorize.execute({ token: given, ...access } as never),
      };
      const endpoints = [
        ...makeExternalEndpoints(world.container, readAccess, UPLOAD_REACH),
        ...makeDialectEndpoints(world.container, readAccess, SETTINGS),
      ];
      return await runApi(await load(), { endpoints, ...(rules as object) });
    };

    before(async () => {
      world = await World.make();
      await addForecastStation(world);
      await addIssuedForecast(world);
      await addStation(world, { id: 'HID', latitude: 50, longitude: 10, visibility: 'hidden' });
      await addStation(world, {
        id: 'RND',
        latitude: -33.123_456,
        longitude: 151.987_654,
        positionDecimals: 1,
        timeZone: 'Australia/Adelaide',
        elevation: null,
      });
      api = await open('public');
      root = await runApi(await load(), {
        endpoints: makeOpenMeteoEndpoints(world.container, 'public', SETTINGS),
      });
    });
    after(async () => {
      await api.server.close(1000);
      await root.server.close(1000);
    });

    const ask = async (query: string, route = 'forecast') => {
      const reply = await fetch(`${api.url}/openmeteo/v1/${route}?${query}`);
      return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
    };
    const read = async (query: string, route = 'forecast'): Promise<Reply> => {
      const { status, type, text } = await ask(query, route);
      expect([status, type], `${query} ${text}`).to.deep.equal([200, 'application/json; charset=utf-8']);
      return JSON.parse(text) as Reply;
    };
    const refusal = async (query: string, route = 'forecast') => {
      const { status, type, text } = await ask(query, route);
      expect([status, type], query).to.deep.equal([400, 'application/json; charset=utf-8']);
      const body = JSON.parse(text) as { readonly error: boolean; readonly reason: string };
      expect(body).to.have.all.keys('error', 'reason').and.property('error', true);
      return body.reason;
    };

    it('has the past of the station and the future of its forecast, by the hour', async () => {
      const reply = await read(
        `${JFK}&hourly=temperature_2m,precipitation,wind_gusts_10m,weather_code&past_days=1&forecast_days=2&timeformat=unixtime`,
      );
      expect(reply).to.include({
        latitude: 40.639751,
        longitude: -73.778925,
        elevation: 4,
        timezone: 'GMT',
        utc_offset_seconds: 0,
      });
      expect(reply.generationtime_ms).to.be.a('number');
      expect(reply).to.not.have.property('location_id');
      const {
        time = [],
        temperature_2m: temperature = [],
        precipitation = [],
        weather_code: codes = [],
      } = reply.hourly;
      const now = world.clock.now();
      expect(time.length).to.equal(72);
      expect(reply.hourly_units).to.deep.equal({
        time: 'unixtime',
        temperature_2m: '°C',
        precipitation: 'mm',
        wind_gusts_10m: 'km/h',
        weather_code: 'wmo code',
      });
      for (const [index, seconds] of time.entries()) {
        const at = Number(seconds) * 1000;
        if (at <= now) {
          expect(temperature[index], new Date(at).toISOString()).to.equal(temperatureAt(at));
          expect(codes[index]).to.equal(null);
        } else {
          const ahead = (at - Math.ceil(now / hour) * hour) / hour;
          expect(temperature[index]).to.equal(Number((20 + (ahead % 24) / 10).toFixed(1)));
          expect([precipitation[index], codes[index]]).to.deep.equal(ahead % 6 === 0 ? [1.5, 61] : [0, 3]);
        }
      }
      // The rain of an hour is that of the hour before its time: the station reports 0.4 mm each six hours.
      const past = precipitation.filter((_, index) => Number(time[index]) * 1000 <= now);
      expect(past.filter((value) => value === 0.4)).to.have.length(Math.ceil(past.length / 6));
      expect(past.every((value) => value === 0 || value === 0.4)).to.equal(true);
    });

    it('has the days of the summaries of the same clock', async () => {
      const names =
        'temperature_2m_max,temperature_2m_min,temperature_2m_mean,precipitation_sum,wind_gusts_10m_max';
      const reply = await read(
        `${JFK}&daily=${names}&start_date=2026-01-28&end_date=2026-01-30&timezone=America/New_York&wind_speed_unit=ms`,
        'archive',
      );
      expect(reply).to.include({ utc_offset_seconds: -18_000, timezone: 'America/New_York' });
      expect(reply.daily['time']).to.deep.equal(['2026-01-28', '2026-01-29', '2026-01-30']);
      const summaries = (await (
        await fetch(
          `${api.url}/v1/stations/JFK/summaries?interval=day&timezone=-05:00&from=2026-01-28&to=2026-01-31`,
        )
      ).json()) as { summaries: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[] };
      for (const [index, row] of summaries.summaries.entries()) {
        const temperature = row['air_temperature'];
        expect(reply.daily['temperature_2m_max']?.[index]).to.equal(Number(temperature?.['max']?.toFixed(1)));
        expect(reply.daily['temperature_2m_min']?.[index]).to.equal(Number(temperature?.['min']?.toFixed(1)));
        expect(reply.daily['temperature_2m_mean']?.[index]).to.equal(
          Number(temperature?.['mean']?.toFixed(1)),
        );
        expect(reply.daily['precipitation_sum']?.[index]).to.equal(
          Number(row['precipitation_amount']?.['sum']?.toFixed(2)),
        );
        expect(reply.daily['wind_gusts_10m_max']?.[index]).to.equal(row['wind_speed_of_gust']?.['max']);
      }
      expect(summaries.summaries).to.have.length(3);
    });

    it('has the days of the forecast, and today from both', async () => {
      const reply = await read(
        `${JFK}&daily=temperature_2m_max,precipitation_sum,precipitation_hours,weather_code,sunrise,daylight_duration&forecast_days=5`,
      );
      const { temperature_2m_max: max, precipitation_sum: sums, precipitation_hours: hours } = reply.daily;
      expect(max?.slice(0, 3)).to.deep.equal([21, 22.3, 22.3]);
      expect(sums?.[1]).to.equal(6);
      expect(hours?.[1]).to.equal(4);
      expect(max?.[4]).to.equal(null);
      expect(reply.daily['sunrise']?.[0]).to.match(/^2026-01-31T12:\d\d$/);
      expect(reply.daily['daylight_duration']?.[0]).to.be.within(10 * 3600, 10.5 * 3600);
      expect(reply.daily_units).to.include({
        precipitation_hours: 'h',
        weather_code: 'wmo code',
        sunrise: 'iso8601',
      });
    });

    it('answers the request of a phone, whose decoder is strict', async () => {
      const reply = await read(
        `timezone=auto&timeformat=unixtime&${JFK}&models=best_match&daily=${BREEZY.daily}&hourly=${BREEZY.hourly}&minutely_15=&current=${BREEZY.current}&forecast_days=16&past_days=1&windspeed_unit=ms`,
      );
      expect(reply).to.not.have.property('minutely_15');
      expect(reply.hourly['time']).to.have.length(17 * 24);
      expect(reply.daily['time']).to.have.length(17);
      for (const section of [reply.hourly, reply.daily]) {
        for (const [column, values] of Object.entries(section)) {
          expect(values.length, column).to.equal(section['time']?.length);
          for (const value of values) {
            if (value === null && column !== 'is_day' && column !== 'time') continue;
            expect(value, column).to.be.a('number');
            if (WHOLE.test(column) || column === 'is_day') expect(value, column).to.satisfy(Number.isInteger);
          }
        }
      }
      expect(reply.hourly['is_day']).to.include(0).and.include(1);
      expect(reply.hourly['relative_humidity_2m']).to.include(81);
      expect(reply.current).to.have.property('interval', 900);
      expect(reply.current['time']).to.equal(Math.floor(world.clock.now() / 900_000) * 900);
      expect(reply.current['temperature_2m']).to.be.a('number');
      // The hour that ends at or after the present: the first one of the forecast.
      expect(reply.current['weather_code']).to.equal(61);
      expect(reply.hourly['rain']).to.deep.equal(Array.from({ length: 17 * 24 }, () => null));
    });

    it('is read by the client of Open-Meteo for JavaScript', async () => {
      const parameters = {
        latitude: [40.64, -33.12],
        longitude: [-73.78, 151.99],
        hourly: ['temperature_2m', 'precipitation', 'rain'],
        daily: ['temperature_2m_max', 'sunrise'],
        current: ['temperature_2m', 'wind_speed_10m'],
        timezone: 'auto',
        forecast_days: 2,
      };
      const [first, second] = await fetchWeatherApi(`${api.url}/openmeteo/v1/forecast`, parameters);
      expect(first?.latitude()).to.be.closeTo(40.64, 0.001);
      expect([first?.utcOffsetSeconds(), first?.timezone(), first?.model()]).to.deep.equal([
        -18_000,
        'America/New_York',
        1,
      ]);
      expect([second?.utcOffsetSeconds(), Number(second?.locationId())]).to.deep.equal([37_800, 1]);
      const json = await read(
        `latitude=40.64&longitude=-73.78&hourly=temperature_2m,precipitation&daily=temperature_2m_max,sunrise&current=wind_speed_10m&timezone=auto&forecast_days=2&timeformat=unixtime`,
      );
      const hourly = first?.hourly();
      expect(Number(hourly?.time())).to.equal(json.hourly['time']?.[0]);
      expect(Number(hourly?.timeEnd()) - Number(hourly?.time())).to.equal(48 * 3600);
      expect(hourly?.interval()).to.equal(3600);
      for (const [index, column] of (['temperature_2m', 'precipitation'] as const).entries()) {
        const values = [...(hourly?.variables(index)?.valuesArray() ?? [])];
        expect(values.map((value) => (Number.isNaN(value) ? null : Number(value.toFixed(1))))).to.deep.equal(
          json.hourly[column],
        );
      }
      const temperature = hourly?.variables(0);
      expect([temperature?.variable(), temperature?.unit(), temperature?.altitude()]).to.deep.equal([
        47, 1, 2,
      ]);
      expect([...(hourly?.variables(2)?.valuesArray() ?? [])].every(Number.isNaN)).to.equal(true);
      const daily = first?.daily();
      expect([daily?.variables(0)?.aggregation(), daily?.variables(0)?.variable()]).to.deep.equal([2, 47]);
      expect(Number(daily?.variables(1)?.valuesInt64(0))).to.equal(json.daily['sunrise']?.[0]);
      expect(first?.current()?.variables(1)?.value()).to.be.closeTo(
        Number(json.current['wind_speed_10m']),
        0.1,
      );
      expect([...(second?.hourly()?.variables(0)?.valuesArray() ?? [])].every(Number.isNaN)).to.equal(true);
      const reason = await fetchWeatherApi(`${api.url}/openmeteo/v1/forecast`, {
        ...parameters,
        latitude: [0, 0],
      }).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
      expect(reason).to.contain('No data is available for this location');
    });

    it('takes the same parameters in a query with repeated names, in a form and in JSON', async () => {
      const wanted = await read(`${JFK}&hourly=temperature_2m,precipitation&forecast_days=1`);
      const same = (text: string) =>
        expect({ ...(JSON.parse(text) as Reply), generationtime_ms: 0 }).to.deep.equal({
          ...wanted,
          generationtime_ms: 0,
        });
      same((await ask(`${JFK}&hourly=temperature_2m&hourly=precipitation&forecast_days=1`)).text);
      const post = async (type: string, body: string) => {
        const reply = await fetch(`${api.url}/openmeteo/v1/forecast`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        expect(reply.status).to.equal(200);
        return await reply.text();
      };
      same(
        await post(
          'application/x-www-form-urlencoded',
          `${JFK}&hourly=temperature_2m&hourly=precipitation&forecast_days=1`,
        ),
      );
      same(
        await post(
          'application/json',
          JSON.stringify({
            latitude: [40.64],
            longitude: '-73.78',
            hourly: ['temperature_2m', 'precipitation'],
            forecast_days: 1,
          }),
        ),
      );
    });

    it('is at the root of a listener of its own too, and a path at the root of the API says where', async () => {
      const own = (await (
        await fetch(`${root.url}/v1/forecast?${JFK}&current=temperature_2m`)
      ).json()) as Reply;
      expect(own.current['temperature_2m']).to.be.a('number');
      for (const path of ['forecast', 'archive', 'marine', 'air-quality', 'flood']) {
        for (const method of ['GET', 'POST']) {
          const reply = await fetch(`${api.url}/v1/${path}`, { method });
          expect(reply.status).to.equal(400);
          expect(await reply.json())
            .to.have.property('reason')
            .that.contains('/openmeteo/v1/forecast');
        }
      }
    });

    it('writes tables as CSV', async () => {
      const { text, type } = await ask(
        `latitude=40.64,-33.1&longitude=-73.78,152&hourly=temperature_2m,is_day&forecast_days=1&format=csv&temperature_unit=fahrenheit`,
      );
      expect(type).to.equal('text/csv; charset=utf-8');
      const [places = '', hours = ''] = text.split('\n\n');
      expect(places.split('\n')).to.deep.equal([
        'location_id,latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation',
        '0,40.639751,-73.778925,4,0,GMT,GMT',
        '1,-33.1,152,NaN,0,GMT,GMT',
      ]);
      const lines = hours.trimEnd().split('\n');
      expect(lines[0]).to.equal('location_id,time,temperature_2m (°F),is_day ()');
      expect(lines).to.have.length(49);
      expect(lines[1]).to.equal(
        `0,2026-01-31T00:00,${(temperatureAt(Date.UTC(2026, 0, 31)) * 1.8 + 32).toFixed(1)},0`,
      );
      expect(lines[25]).to.match(/^1,2026-01-31T00:00,NaN,1$/);
      const omitted = await ask(`${JFK}&hourly=is_day&forecast_days=1&format=csv&location_information=omit`);
      expect(omitted.text.split('\n')[0]).to.equal('time,is_day ()');
    });

    it('begins the days of a zone with a half hour at half past twelve, as Open-Meteo does', async () => {
      const reply = await read(
        'latitude=-33.1&longitude=152&hourly=is_day&daily=sunrise&timezone=auto&forecast_days=1',
      );
      expect(reply.hourly['time']?.slice(0, 2)).to.deep.equal(['2026-01-31T00:30', '2026-01-31T01:30']);
      expect(reply.daily['time']).to.deep.equal(['2026-01-31']);
    });

    it('has no hidden station, and the rounded position of another', async () => {
      expect(await refusal('latitude=50&longitude=10&hourly=temperature_2m')).to.contain(
        'No data is available for this location',
      );
      expect(await read('latitude=-33.1&longitude=152&hourly=temperature_2m')).to.include({
        latitude: -33.1,
        longitude: 152,
      });
    });

    it('keeps the access of the API, with errors in the form of the dialect', async () => {
      await world.addUser('eve');
      const closed = await open('token');
      const path = `${closed.url}/openmeteo/v1/forecast?latitude=50&longitude=10&hourly=temperature_2m`;
      const refused = await fetch(path);
      expect(refused.status).to.equal(401);
      expect(await refused.json()).to.have.all.keys('error', 'reason');
      const token = await world.signIn('eve');
      const reply = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
      expect(reply.status).to.equal(200);
      await closed.server.close(1000);
    });

    it('has the air quality, and nulls with a unit for names that it lacks', async () => {
      const reply = await read(
        `${JFK}&hourly=pm2_5,ozone,european_aqi,birch_pollen&forecast_days=1`,
        'air-quality',
      );
      expect(reply.hourly['pm2_5']?.[3]).to.be.within(3, 6);
      expect(reply.hourly['ozone']?.every((value) => value === null)).to.equal(true);
      expect(reply.hourly_units).to.deep.equal({
        time: 'iso8601',
        pm2_5: 'μg/m³',
        ozone: 'μg/m³',
        european_aqi: 'EAQI',
        birch_pollen: 'grains/m³',
      });
      const other = await read(
        `${JFK}&hourly=soil_temperature_6cm,wind_speed_80m,temperature_850hPa,soil_moisture_0_to_1cm,cape&forecast_days=1`,
      );
      expect(Object.values(other.hourly_units)).to.deep.equal([
        'iso8601',
        '°C',
        'km/h',
        '°C',
        'm³/m³',
        'J/kg',
      ]);
    });

    it('has the old names and the old section of the present', async () => {
      const reply = await read(
        `${JFK}&current_weather=true&hourly=windspeed_10m,relativehumidity_2m&forecast_days=1`,
      );
      expect(reply.current_weather).to.have.all.keys(
        'time',
        'interval',
        'temperature',
        'windspeed',
        'winddirection',
        'is_day',
        'weathercode',
      );
      expect(reply).to.not.have.property('current');
      expect(reply.hourly['windspeed_10m']?.[0]).to.be.a('number');
    });

    const REFUSALS: readonly (readonly [query: string, reason: string | RegExp, route?: string])[] = [
      ['hourly=temperature_2m', "Parameter 'latitude' and 'longitude' must be given."],
      ['latitude=95&longitude=0', 'Latitude must be in range of -90 to 90°. Given: 95.0.'],
      ['latitude=5&longitude=-180.5', 'Longitude must be in range of -180 to 180°. Given: -180.5.'],
      [
        'latitude=5,6&longitude=1',
        "Parameter 'latitude' and 'longitude' must have the same number of elements",
      ],
      ['latitude=x&longitude=1', /^Parameter 'latitude' must be a number\. Given: "x"/],
      [
        `${JFK}&hourly=temprature_2m`,
        /invalid String value "temprature_2m"\. Did you mean "temperature_2m"\?$/,
      ],
      [`${JFK}&daily=temperature_2m`, /^Data corrupted at path 'daily'/],
      [`${JFK}&hourly=__proto__`, /^Data corrupted at path 'hourly'/],
      [`${JFK}&past_days=94`, 'Past days is invalid. Allowed range 0 to 93. Given 94.'],
      [`${JFK}&forecast_days=17`, 'Forecast days is invalid. Allowed range 0 to 16. Given 17.'],
      [
        `${JFK}&past_days=1&start_date=2026-01-01&end_date=2026-01-02`,
        "Parameter 'past_days' is mutually exclusive with 'start_date' and 'end_date'",
      ],
      [
        `${JFK}&start_date=2026-01-01`,
        "Parameter 'start_date' and 'end_date' must have the same number of elements",
      ],
      [`${JFK}&start_date=2026-02-30&end_date=2026-03-01`, /^Invalid date format/],
      [
        `${JFK}&start_date=2026-01-02&end_date=2026-01-01`,
        'End-date must be larger or equals than start-date',
      ],
      [
        `${JFK}&start_date=2026-01-02&end_date=2027-01-01`,
        "Parameter 'end_date' is out of allowed range from 1600-01-01 to 2026-02-16",
      ],
      [JFK, "Parameter 'start_date' and 'end_date' must be set", 'archive'],
      [`${JFK}&timezone=Mars`, 'Invalid timezone. Given: "Mars".'],
      [`${JFK}&format=xlsx`, /The values are json, csv, flatbuffers\.$/],
      [`${JFK}&wind_speed_unit=bft`, /wind_speed_unit from invalid String value "bft"/],
      [
        `${JFK}&hourly=temperature_2m&start_date=1601-01-01&end_date=2026-01-01`,
        /^The request asks for more than 1000000 values/,
      ],
      [
        `${JFK}&minutely_15=temperature_2m&start_date=1601-01-01&end_date=2026-01-01`,
        /^The request asks for more than 1000000 values/,
      ],
      [
        `${JFK}&start_hour=2026-01-01T00:00`,
        "Parameter 'start_hour' and 'end_hour' must have the same number of elements",
      ],
      [`${JFK}&daily=temperature_2m_max`, /^Data corrupted at path 'daily'/, 'air-quality'],
      [
        `${JFK}&end_hour=9999-12-31T23:00&start_hour=9999-12-31T23:00`,
        "Parameter 'end_hour' is out of allowed range from 1600-01-01 to 2026-02-16",
      ],
      [
        `${JFK}&start_minutely_15=0000-01-01T00:00&end_minutely_15=0000-01-01T00:15`,
        "Parameter 'start_minutely_15' is out of allowed range from 1600-01-01",
      ],
      ['latitude=0x28&longitude=1', /^Parameter 'latitude' must be a number\. Given: "0x28"/],
      [`${JFK}&location_id=1.5`, "Parameter 'location_id' must be a whole number. Given: 1.5."],
    ];
    for (const [query, reason, route] of REFUSALS)
      it(`refuses ${query.replace(`${JFK}&`, '')} ${route ?? ''}`, async () => {
        const text = await refusal(query, route);
        if (typeof reason === 'string') expect(text).to.equal(reason);
        else expect(text).to.match(reason);
      });

    const ODD = [
      '',
      '0',
      '-1',
      '1.5',
      '1e300',
      '-1e300',
      '1e400',
      'NaN',
      'Infinity',
      '0x10',
      'constructor',
      '__proto__',
      '2026-01-30',
      '9999-12-31',
      '2026-01-30T00:00',
      '9999-12-31T23:59',
      '0000-01-01T00:00',
      '1,2',
      'true',
      '\u0000',
      '%FF',
      'a'.repeat(2000),
    ];
    const FORMATS = ['json', 'flatbuffers'];
    const PARAMETERS = [
      'latitude',
      'longitude',
      'current',
      'hourly',
      'daily',
      'minutely_15',
      'current_weather',
      'start_date',
      'end_date',
      'past_days',
      'forecast_days',
      'start_hour',
      'end_hour',
      'past_hours',
      'forecast_hours',
      'start_minutely_15',
      'end_minutely_15',
      'past_minutely_15',
      'forecast_minutely_15',
      'timezone',
      'timeformat',
      'temperature_unit',
      'wind_speed_unit',
      'precipitation_unit',
      'length_unit',
      'format',
      'location_information',
      'location_id',
      'temporal_resolution',
      'models',
    ];

    it('answers every odd value of a parameter, in JSON and in FlatBuffers, with a reply or a reason', async () => {
      const client = new Client(api.url);
      for (const [row, parameter] of PARAMETERS.entries())
        await Promise.all(
          ODD.map(async (value, column) => {
            const query = new URLSearchParams(
              `${JFK}&current=weather_code&hourly=is_day,temperature_2m&minutely_15=uv_index&daily=sunrise&forecast_days=1`,
            );
            // Each value is asked for in both formats, in one of them on each transport.
            query.set('format', FORMATS[(row + column + transport) % FORMATS.length] as string);
            query.set(parameter, value);
            // A range needs both of its ends.
            if (/^(?:start|end)_/.test(parameter)) {
              query.set(parameter.replace(/^(?:start|end)/, 'start'), value);
              query.set(parameter.replace(/^(?:start|end)/, 'end'), value);
              query.delete('forecast_days');
            }
            const { status, reply } = await client.ask('GET', `/openmeteo/v1/forecast?${query.toString()}`);
            expect([200, 400], `${query.toString()} ${reply.body.slice(0, 200)}`).to.include(status);
            if (status === 400)
              expect(JSON.parse(reply.body)).to.have.property('reason').that.is.a('string').and.not.equal('');
          }),
        );
    });

    it('makes no times of sections without names, and no more times than a reply may have values', async () => {
      let made = 0;
      const from = Float64Array.from.bind(Float64Array) as (...of: readonly unknown[]) => Float64Array;
      const stub = sinon.stub(Float64Array, 'from').callsFake(((...of: readonly unknown[]) => {
        const array = from(...of);
        made += array.length;
        return array;
      }) as never);
      try {
        const list = (value: string) => Array.from({ length: 100 }, () => value).join(',');
        const places = `latitude=${list('40.64')}&longitude=${list('-73.78')}`;
        const long = 'start_hour=1992-01-01T00:00&end_hour=2026-01-01T00:00';
        await read(`${places}&${long}&start_minutely_15=2018-01-01T00:00&end_minutely_15=2026-01-01T00:00`);
        expect(made).to.be.below(10_000);
        made = 0;
        expect(await refusal(`${places}&${long}&hourly=is_day`)).to.match(/more than 1000000 values/);
        expect(made).to.be.below(1_500_000);
      } finally {
        stub.restore();
      }
    });

    it('has each asked day once and by its date, in every time zone', async () => {
      const zones = [
        'America/St_Johns',
        'Pacific/Marquesas',
        'Asia/Kathmandu',
        'Pacific/Chatham',
        'Pacific/Apia',
        'Etc/GMT+12',
        'Pacific/Kiritimati',
        'Asia/Kolkata',
        'America/Caracas',
        'auto',
      ];
      for (const zone of zones) {
        const reply = await read(
          `${JFK}&daily=temperature_2m_max&hourly=is_day&start_date=2026-01-28&end_date=2026-01-29&timezone=${encodeURIComponent(zone)}`,
          'archive',
        );
        expect(reply.daily['time'], zone).to.deep.equal(['2026-01-28', '2026-01-29']);
        expect(reply.hourly['time'], zone).to.have.length(48);
        for (const [index, time] of (reply.hourly['time'] ?? []).entries())
          expect(String(time).slice(0, 10), zone).to.equal(index < 24 ? '2026-01-28' : '2026-01-29');
      }
    });

    it('has the published days of a station that has nothing else, by the dates of the station', async () => {
      await addStation(world, { id: 'OLD', latitude: -36.8, longitude: 174.8, timeZone: 'Pacific/Auckland' });
      const dates = ['2013-07-01', '2013-07-02', '2013-07-03'];
      const published = {
        daily_maximum_air_temperature: [14.5, 15.5, Number.NaN],
        daily_minimum_air_temperature: [4.5, 5.5, 6.5],
        daily_precipitation_amount: [0, 12.4, 3],
        daily_maximum_wind_speed_of_gust: [10, 11, 12],
      };
      const columns = Object.entries(published);
      for (const [index, date] of dates.entries())
        // The values end at midnight of the local clock, 12 hours before that of UTC.
        await record(
          world,
          new Date(Date.parse(date) + 12 * hour).toISOString(),
          Object.fromEntries(columns.map(([column, values]) => [column, [values[index] as number]])),
          'OLD',
        );
      const names =
        'temperature_2m_max,temperature_2m_min,temperature_2m_mean,precipitation_sum,wind_gusts_10m_max,uv_index_max';
      for (const zone of ['GMT', 'auto', 'America/Los_Angeles']) {
        const { daily } = await read(
          `latitude=-36.8&longitude=174.8&daily=${names}&start_date=2013-06-30&end_date=2013-07-03&wind_speed_unit=ms&timezone=${zone}`,
          'archive',
        );
        expect(daily, zone).to.deep.equal({
          time: ['2013-06-30', ...dates],
          temperature_2m_max: [null, 14.5, 15.5, null],
          temperature_2m_min: [null, 4.5, 5.5, 6.5],
          temperature_2m_mean: [null, null, null, null],
          precipitation_sum: [null, 0, 12.4, 3],
          wind_gusts_10m_max: [null, 10, 11, 12],
          uv_index_max: [null, null, null, null],
        });
      }
    });

    it('has the newest value of the present, up to a reporting interval and half an hour old', async () => {
      for (const [id, reportingInterval, age, value] of [
        ['C1', 3600, 59, 7],
        ['C2', 3600, 95, null],
        ['C3', 600, 35, 7],
        ['C4', 600, 45, null],
        ['C5', null, 80, 7],
        ['C6', 10_800, 200, 7],
      ] as const) {
        const latitude = Number(id.slice(1)) + 10;
        await addStation(world, { id, reportingInterval, latitude, longitude: 100 });
        const now = Math.floor(world.clock.now() / (15 * minute)) * 15 * minute;
        const time = new Date(now - age * minute).toISOString();
        await record(world, time, { air_temperature: [value ?? 7], relative_humidity: [50] }, id);
        const { current } = await read(
          `latitude=${latitude}&longitude=100&current=temperature_2m,dew_point_2m&hourly=temperature_2m&past_hours=1&forecast_hours=0`,
        );
        expect(current['temperature_2m'], id).to.equal(value);
        expect(current['dew_point_2m'] === null, id).to.equal(value === null);
      }
    });

    it('counts all values of a reply at the read gate, also those that are not stored', async () => {
      const gate = world.get(ReadGate);
      const counted: number[] = [];
      const permitFor = gate.permitFor.bind(gate);
      const stub = sinon.stub(gate, 'permitFor').callsFake((client) => {
        const permit = permitFor(client);
        const acquire = async (cells: number) => {
          counted.push(cells);
          await permit.acquire(cells);
        };
        return { ...permit, acquire };
      });
      try {
        await read(`${JFK}&hourly=is_day,rain&daily=sunrise&current=showers&forecast_days=2`);
        expect(Math.max(...counted)).to.equal(2 * 48 + 2 * 24 + 1);
        expect(gate.held).to.equal(0);
      } finally {
        stub.restore();
      }
    });

    it('names the provider of a forecast in a header, unless it has no address', async () => {
      const link = async () =>
        (await fetch(`${api.url}/openmeteo/v1/forecast?${JFK}&hourly=temperature_2m`)).headers.get('link');
      expect(await link()).to.match(/^<https:\/\/[^>]+>; rel="cite-as"; title="[^"]+"$/);
      const { provider } = await world.get(GetForecast).execute('JFK', undefined);
      const stub = sinon.stub(provider, 'attribution').value({ text: 'Simulated', url: '' });
      try {
        expect(await link()).to.equal(null);
      } finally {
        stub.restore();
      }
    });

    it('has the names of older clients', async () => {
      for (const [section, route, names] of [
        [
          'hourly',
          'forecast',
          'soil_moisture_0_1cm,freezinglevel_height,windspeed_80m,cloudcover_low,vapor_pressure_deficit',
        ],
        ['daily', 'forecast', 'growing_degree_days_base_0_limit_50,winddirection_10m_dominant,weathercode'],
        ['hourly', 'air-quality', 'european_aqi_no2,us_aqi_co,us_aqi_o3'],
      ] as const)
        expect(Object.keys((await read(`${JFK}&${section}=${names}`, route))[section])).to.deep.equal([
          'time',
          ...names.split(','),
        ]);
    });

    it('refuses a body that is too large or no object', async () => {
      const post = (body: string) =>
        fetch(`${api.url}/openmeteo/v1/forecast`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
      expect((await post(JSON.stringify({ latitude: 'x'.repeat(128 * 1024) }))).status).to.equal(413);
      for (const body of ['[]', '{', 'null', '{"latitude":{}}']) {
        const reply = await post(body);
        expect([reply.status, ((await reply.json()) as { error: boolean }).error], body).to.deep.equal([
          400,
          true,
        ]);
      }
    });

    it('gives quarters of an hour no amounts of whole hours', async () => {
      const reply = await read(
        `${JFK}&minutely_15=precipitation,temperature_2m,snowfall,weather_code&forecast_days=2`,
      );
      const ahead = (reply.minutely_15['time'] ?? []).map(
        (time) => Date.parse(`${time}Z`) > world.clock.now(),
      );
      for (const amount of ['precipitation', 'snowfall'])
        expect(
          reply.minutely_15[amount]?.filter((value, index) => ahead[index] === true && value !== null),
          amount,
        ).to.deep.equal([]);
      expect(reply.minutely_15['temperature_2m']?.at(-1)).to.be.a('number');
      // The weather of an hour is that of its quarters.
      const { time = [], weather_code: codes = [] } = reply.minutely_15;
      const hourly = await read(`${JFK}&hourly=weather_code&forecast_days=2`);
      for (const [index, text] of time.entries()) {
        const end = Math.floor(Date.parse(`${text}Z`) / hour + 1) * hour;
        const hourIndex = hourly.hourly['time']?.indexOf(new Date(end).toISOString().slice(0, 16)) ?? -1;
        if (hourIndex >= 0)
          expect(codes[index], String(text)).to.equal(hourly.hourly['weather_code']?.[hourIndex]);
      }
    });

    it('answers HEAD, and hours and quarters that the request chooses', async () => {
      const head = await request(
        api.url,
        `HEAD /openmeteo/v1/forecast?${JFK}&hourly=is_day HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect([head.status, head.body, header(head, 'content-type')]).to.deep.equal([
        200,
        '',
        'application/json; charset=utf-8',
      ]);
      const hours = await read(`${JFK}&hourly=is_day&start_hour=2026-01-30T05:00&end_hour=2026-01-30T07:00`);
      expect(hours.hourly['time']).to.deep.equal([
        '2026-01-30T05:00',
        '2026-01-30T06:00',
        '2026-01-30T07:00',
      ]);
      const around = await read(
        `${JFK}&hourly=is_day&minutely_15=temperature_2m&past_hours=1&forecast_hours=2&past_minutely_15=2&forecast_minutely_15=1`,
      );
      expect(around.hourly['time']).to.deep.equal([
        '2026-01-31T11:00',
        '2026-01-31T12:00',
        '2026-01-31T13:00',
      ]);
      expect(around.minutely_15['time']).to.deep.equal([
        '2026-01-31T11:30',
        '2026-01-31T11:45',
        '2026-01-31T12:00',
      ]);
      const third = await read(`${JFK}&hourly=is_day&temporal_resolution=hourly_3&forecast_days=1`);
      expect(third.hourly['time']).to.have.length(8);
    });
  });
}
