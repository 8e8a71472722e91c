import { expect } from 'chai';
import { weatherlinkCloud } from '#adapters/source-kinds/weatherlink-cloud.js';
import type { SourceSettings, Span } from '#application/ports/source-kind.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { askWithMutations } from '../../support/devices/mutated-replies.js';
import { fieldsOf, valuesOf } from '../../support/devices/report-values.js';
import { failureOf } from '../../support/devices/failure.js';
import {
  archived,
  ISS,
  NEWEST,
  SECRETS,
  sensor,
  SENSORS,
  STATION,
  type WeatherlinkService,
  weatherlinkService,
} from '../../support/devices/weatherlink-cloud.js';

const SPAN: Span = { from: NEWEST * 1000, to: (NEWEST + 86_400) * 1000 };

describe('weatherlink-cloud', () => {
  const open: WeatherlinkService[] = [];

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function start(options: Parameters<typeof weatherlinkService>[0] = {}): Promise<WeatherlinkService> {
    const service = await weatherlinkService(options);
    open.push(service);
    return service;
  }

  const ask = async (
    { url }: WeatherlinkService,
    span?: Span,
    { secrets = SECRETS, ...settings }: SourceSettings & { secrets?: Readonly<Record<string, string>> } = {},
  ) =>
    (await weatherlinkCloud.ask?.(askedDevice({ url, account: STATION, secrets, ...settings }), span)) ?? [];

  it('reads the newest records of all sensors as one report', async () => {
    const service = await start();
    expect(await ask(service)).to.deep.equal([
      {
        time: NEWEST * 1000,
        readings: [
          { field: 'tx1_temp', variable: 'air_temperature', value: 73.3, unit: '°F' },
          { field: 'tx1_hum', variable: 'relative_humidity', value: 42.7 },
          { field: 'tx1_dew_point', variable: 'dew_point_temperature', value: 49.3, unit: '°F' },
          { field: 'tx1_rain_rate_last_mm', variable: 'rainfall_rate', value: 0.8 },
          { field: 'tx1_solar_rad', variable: 'surface_downwelling_shortwave_flux_in_air', value: 598 },
          { field: 'tx1_uv_index', variable: 'ultraviolet_index', value: 2.3 },
          { field: 'tx1_wind_speed_avg_last_2_min', variable: 'wind_speed', value: 3.18, unit: 'mph' },
          { field: 'tx1_wind_dir_scalar_avg_last_2_min', variable: 'wind_from_direction', value: 222 },
          { field: 'tx1_wind_speed_hi_last_10_min', variable: 'wind_speed_of_gust', value: 6, unit: 'mph' },
          { field: 'tx1_wind_dir_at_hi_speed_last_10_min', variable: 'wind_gust_from_direction', value: 260 },
          { field: 'bar_absolute', variable: 'surface_air_pressure', value: 29.515, unit: 'inHg' },
          { field: 'bar_sea_level', variable: 'air_pressure_at_mean_sea_level', value: 29.61, unit: 'inHg' },
        ],
        counters: [
          { gauge: 'tipping', period: 'day', amount: 1.016 },
          { gauge: 'tipping', period: 'month', amount: 29.718 },
          { gauge: 'tipping', period: 'year', amount: 29.718 },
        ],
        fields: [
          { name: 'tx1_wind_speed_avg_last_10_min', value: 3.56 },
          { name: 'tx1_wind_dir_scalar_avg_last_10_min', value: 221 },
          { name: 'temp_in', value: 75.1, unit: '°F' },
          { name: 'hum_in', value: 40 },
        ],
        sensors: [],
      },
    ]);
    const [request] = service.requests;
    expect([request?.path, request?.headers['x-api-secret']]).to.deep.equal([
      `/v2/current/${STATION}?api-key=${SECRETS['api-key']}`,
      SECRETS['api-secret'],
    ]);
  });

  it('reads archive records by their times, with the rain of each interval and points of the compass', async () => {
    const past = [
      sensor(11, archived(5, 0.2), archived(10, 0.4)),
      sensor(13, {
        ts: NEWEST + 300,
        bar_sea_level: 29.6,
        bar_absolute: 29.5,
        bar_hi: 30,
        bar_hi_at: NEWEST,
      }),
      sensor(13, { ts: NEWEST + 300, temp_in_last: 75, temp_in_hi: 76, hum_in_last: 40 }),
      sensor(11, { ...archived(15, 0), wind_dir_of_prevail: 255, wind_speed_hi_dir: 2.5 }),
    ];
    const [first, second, third, ...others] = await ask(await start({ past }), SPAN);
    expect(others).to.deep.equal([]);
    expect(first).to.deep.equal({
      time: (NEWEST + 300) * 1000,
      readings: [
        { field: 'tx1_temp_last', variable: 'air_temperature', value: 70.7, unit: '°F' },
        { field: 'tx1_hum_last', variable: 'relative_humidity', value: 50 },
        { field: 'tx1_dew_point_last', variable: 'dew_point_temperature', value: 51, unit: '°F' },
        { field: 'tx1_rainfall_mm', variable: 'precipitation_amount', value: 0.2 },
        { field: 'tx1_solar_rad_avg', variable: 'surface_downwelling_shortwave_flux_in_air', value: 300 },
        { field: 'tx1_uv_index_avg', variable: 'ultraviolet_index', value: 1.5 },
        { field: 'tx1_wind_speed_avg', variable: 'wind_speed', value: 2, unit: 'mph' },
        { field: 'tx1_wind_dir_of_prevail', variable: 'wind_from_direction', value: 202.5 },
        { field: 'tx1_wind_speed_hi', variable: 'wind_speed_of_gust', value: 7, unit: 'mph' },
        { field: 'tx1_wind_speed_hi_dir', variable: 'wind_gust_from_direction', value: 90 },
        { field: 'bar_absolute', variable: 'surface_air_pressure', value: 29.5, unit: 'inHg' },
        { field: 'bar_sea_level', variable: 'air_pressure_at_mean_sea_level', value: 29.6, unit: 'inHg' },
      ],
      counters: [],
      fields: [
        { name: 'tx1_temp_avg', value: 70.5, unit: '°F' },
        { name: 'temp_in_last', value: 75, unit: '°F' },
        { name: 'hum_in_last', value: 40 },
      ],
      sensors: [{ sensor: 'transmitter 1', isBatteryLow: false, reception: 98, signal: -61 }],
    });
    expect([second?.time, valuesOf(second).precipitation_amount]).to.deep.equal([(NEWEST + 600) * 1000, 0.4]);
    expect(Object.keys(valuesOf(third))).not.to.include.members(['wind_from_direction']);
    expect(weatherlinkCloud.history?.longest).to.equal(86_400_000);
  });

  it('reads the records of every kind of console', async () => {
    const console = {
      ts: NEWEST,
      temp_out: 55.4,
      hum_out: 82,
      bar: 30.079,
      wind_speed: 3,
      wind_speed_10_min_avg: 2,
      wind_gust_10_min: 9,
      wind_dir: 200,
      rain_day_mm: 1,
      rain_month_mm: 2,
      rain_year_mm: 3,
      uv: 1,
    };
    for (const type of [1, 2]) {
      const [report] = await ask(await start({ sensors: [sensor(type, console)] }));
      expect(valuesOf(report)).to.deep.equal({
        air_temperature: 55.4,
        relative_humidity: 82,
        air_pressure_at_mean_sea_level: 30.079,
        ultraviolet_index: 1,
        wind_speed: 2,
        wind_speed_of_gust: 9,
      });
      expect(report?.counters?.map(({ amount }) => amount)).to.deep.equal([1, 2, 3]);
      expect(fieldsOf(report)).to.deep.equal({ wind_dir: 200 });
    }
    const { rainfall_daily_mm: day, rainfall_monthly_mm: month, ...rest } = ISS;
    const [ofConsole] = await ask(
      await start({ sensors: [sensor(23, { ...rest, rainfall_day_mm: day, rainfall_month_mm: month })] }),
    );
    expect(ofConsole?.counters).to.have.length(3);
    const archive = {
      ts: NEWEST,
      temp_out: 55.4,
      temp_out_hi: 56,
      hum_out: 82,
      bar: 30.079,
      abs_press: 29.647,
      wind_speed_avg: 1,
      wind_dir_of_prevail: 9,
      wind_speed_hi: 4,
      wind_dir_of_hi: 15,
      rainfall_mm: 0.2,
    };
    for (const type of [3, 4, 7]) {
      const [report] = await ask(await start({ past: [sensor(type, archive)] }), SPAN);
      expect(valuesOf(report)).to.deep.equal({
        air_temperature: 55.4,
        relative_humidity: 82,
        surface_air_pressure: 29.647,
        air_pressure_at_mean_sea_level: 30.079,
        precipitation_amount: 0.2,
        wind_speed: 1,
        wind_from_direction: 202.5,
        wind_speed_of_gust: 4,
        wind_gust_from_direction: 337.5,
      });
    }
  });

  it('lists the values of an AirLink and of new types as fields, and nothing of the health of devices', async () => {
    const [report] = await ask(
      await start({
        sensors: [
          ...SENSORS.slice(0, 2),
          sensor(16, { ts: NEWEST, temp: 99, pm_2p5: 4 }),
          sensor(99, { ts: NEWEST, x: 1 }),
        ],
      }),
    );
    expect(valuesOf(report).air_temperature).to.equal(73.3);
    expect(fieldsOf(report)).to.include({
      sensor5271286_temp: 99,
      sensor5271286_pm_2p5: 4,
      sensor5271369_x: 1,
    });
    expect(fieldsOf(report)).not.to.have.property('battery_voltage');
  });

  it('takes each variable from one transmitter, and never replaces one that is not received', async () => {
    const second = { ...ISS, tx_id: 2, temp: 99, solar_rad: 1, rainfall_year_mm: 5 };
    const old = { ...ISS, ts: NEWEST - 3601, solar_rad: null };
    const [both] = await ask(
      await start({ sensors: [sensor(10, second), sensor(10, { ...ISS, solar_rad: null })] }),
    );
    expect(valuesOf(both)).to.include({
      air_temperature: 73.3,
      surface_downwelling_shortwave_flux_in_air: 1,
    });
    expect(both?.counters?.[2]?.amount).to.equal(29.718);
    expect(fieldsOf(both).tx2_temp).to.equal(99);

    const [lost] = await ask(await start({ sensors: [sensor(10, second), sensor(10, old)] }));
    expect(valuesOf(lost)).to.deep.equal({ surface_downwelling_shortwave_flux_in_air: 1 });
    expect([lost?.time, lost?.counters]).to.deep.equal([NEWEST * 1000, []]);

    const service = await start({ sensors: [sensor(10, second), sensor(10, ISS), ...SENSORS.slice(2)] });
    const [chosen] = await ask(service, undefined, { device: '2' });
    expect(valuesOf(chosen)).to.include({ air_temperature: 99, surface_air_pressure: 29.515 });
    expect(chosen?.counters?.[2]?.amount).to.equal(5);
    expect((await failureOf(ask(service, undefined, { device: '3' }))).message).to.equal(
      'The station has no transmitter 3. Its transmitters: 2, 1.',
    );
  });

  it('keeps the transmitter of each variable for a whole span of the past', async () => {
    const past = [
      sensor(11, archived(5, 0.2)),
      sensor(11, ...[5, 10].map((minute) => ({ ...archived(minute, 9), tx_id: 2, temp_last: 99 }))),
    ];
    const reports = await ask(await start({ past }), SPAN);
    expect(
      reports.map((report) => [valuesOf(report).air_temperature, valuesOf(report).precipitation_amount]),
    ).to.deep.equal([
      [70.7, 0.2],
      [undefined, undefined],
    ]);
  });

  it('fails with one sentence for a wrong key, a wrong station, a Basic subscription and another service', async () => {
    const service = await start({ subscription: 'basic' });
    const failures: [() => Promise<unknown>, string][] = [
      [
        () => ask(service, undefined, { secrets: { ...SECRETS, 'api-secret': 'wrong' } }),
        'WeatherLink refused the API key or its secret: Invalid API Key or Secret.',
      ],
      [
        () => ask(service, undefined, { account: '1' }),
        'The API key has no station 1. Its stations: 374964 (Garden).',
      ],
      [
        () => ask(service, SPAN, { account: '1' }),
        'The API key has no station 1. Its stations: 374964 (Garden).',
      ],
      [
        () => ask(service, SPAN),
        'WeatherLink gives the past only of stations with a Pro or Pro+ subscription: Historic data requires a subscription.',
      ],
    ];
    for (const [request, message] of failures) {
      const failure = await failureOf(request());
      expect([failure.message, failure.needsOwner]).to.deep.equal([message, true]);
    }
    service.answer({ status: 400, body: 'no JSON' });
    expect((await failureOf(ask(service))).message).to.equal(
      'WeatherLink refused the request with status 400.',
    );
    service.answer({ body: { stations: [] } });
    expect((await failureOf(ask(service))).message).to.contain('check the base URL');
    service.answer({ body: { sensors: [SENSORS[0]] } });
    expect((await failureOf(ask(service))).message).to.contain('has no values');
    service.answer({ body: { sensors: SENSORS }, dieAfter: 50 });
    expect((await failureOf(ask(service))).message).to.contain('in the middle of its reply');
    service.answer({ status: 429, headers: { 'retry-after': '30' }, body: '' });
    expect((await failureOf(ask(service))).retryAfter).to.equal(30);
  });

  it('reads every reply with a value of another type without a fault', async () => {
    const device = askedDevice({ account: STATION, secrets: SECRETS });
    const reply = { sensors: [SENSORS[1], SENSORS[2], sensor(11, archived(5, 1))] };
    const { faults, count } = await askWithMutations(weatherlinkCloud, device, reply, [undefined, SPAN]);
    expect(faults).to.deep.equal([]);
    expect(count).to.be.greaterThan(500);
  });

  it('accepts only a station as account and a transmitter as device', () => {
    expect(weatherlinkCloud.faultOf?.({ account: STATION, device: '8' })).to.equal(undefined);
    expect(weatherlinkCloud.faultOf?.({ account: 'a/b' })).to.contain('number of the station');
    expect(weatherlinkCloud.faultOf?.({ account: STATION, device: 'x' })).to.contain('from 1 to 8');
  });
});
