import { expect } from 'chai';
import { ecowittCloud } from '#adapters/source-kinds/ecowitt-cloud.js';
import type { SourceReport } from '#application/ports/source-kind.js';
import { askedDevice, NOW } from '../../support/devices/asked-device.js';
import { ecowittCloudService, KEYS, MAC, NEWEST, REAL_TIME } from '../../support/devices/ecowitt-cloud.js';
import { failureOf } from '../../support/devices/failure.js';
import type { HttpDevice } from '../../support/devices/http-device.js';

const DAY = 86_400_000;

describe('The cloud of Ecowitt', () => {
  const services: HttpDevice[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
  });

  const start = async (options?: Parameters<typeof ecowittCloudService>[0]) => {
    const service = await ecowittCloudService(options);
    services.push(service);
    return service;
  };
  const device = (url: string, settings: Partial<Parameters<typeof askedDevice>[0]> = {}) =>
    askedDevice({ url, account: MAC, secrets: KEYS, ...settings });
  const ask = async (options?: Parameters<typeof ecowittCloudService>[0]) => {
    const { url } = await start(options);
    const [report] = (await ecowittCloud.ask?.(device(`${url}/`))) ?? [];
    return report as SourceReport;
  };
  const valuesOf = ({ readings }: SourceReport) =>
    Object.fromEntries(
      readings.map(({ variable, value, unit = '' }) => [variable, `${value} ${unit}`.trim()]),
    );

  it('gives the values of now with their own time', async () => {
    const report = await ask();
    expect(report.time).to.equal(NEWEST * 1000);
    expect(valuesOf(report)).to.deep.equal({
      air_temperature: '9.3 °C',
      dew_point_temperature: '4.1 °C',
      relative_humidity: '70 %',
      surface_downwelling_shortwave_flux_in_air: '12.5 W/m²',
      ultraviolet_index: '1',
      wind_speed: '2.1 m/s',
      wind_speed_of_gust: '3.3 m/s',
      wind_from_direction: '212 degree',
      air_pressure_at_mean_sea_level: '1010.1 hPa',
      surface_air_pressure: '980.2 hPa',
      lightning_strike_count: '2 1',
      rainfall_rate: '0.4 mm/h',
    });
    expect(report.counters).to.deep.equal([
      { gauge: 'tipping', period: 'event', amount: 1 },
      { gauge: 'tipping', period: 'day', amount: 1.2 },
      { gauge: 'tipping', period: 'week', amount: 3.4 },
      { gauge: 'tipping', period: 'month', amount: 20.1 },
      { gauge: 'tipping', period: 'year', amount: 512 },
      { gauge: 'piezo', period: 'day', amount: 0.9 },
    ]);
    expect(report.sensors).to.deep.equal([{ sensor: 'haptic_array_battery', batteryVoltage: 3.22 }]);
  });

  it('has indoor values, channels and unknown values as fields, without those of silent sensors', async () => {
    const names = (await ask()).fields?.map(({ name }) => name);
    expect(names).to.include.members([
      'outdoor.feels_like',
      'indoor.temperature',
      'rainfall.1_hour',
      'rainfall_piezo.rain_rate',
      'temp_and_humidity_ch1.temperature',
    ]);
    expect(names).not.to.include('pm25_ch1.pm25');
  });

  it('is asked with the keys, the device and the units', async () => {
    const service = await start();
    await ecowittCloud.ask?.(device(service.url));
    const [path = ''] = service.requests.map((request) => request.path);
    const url = new URL(path, 'http://cloud');
    expect(url.pathname).to.equal('/api/v3/device/real_time');
    expect(Object.fromEntries(url.searchParams)).to.include({
      application_key: 'APP',
      api_key: 'KEY',
      mac: MAC,
      call_back: 'all',
      temp_unitid: '1',
      pressure_unitid: '3',
      wind_speed_unitid: '6',
      rainfall_unitid: '12',
    });
  });

  it('gives the past in rows, with the resolution that it keeps', async () => {
    const list = (values: Readonly<Record<string, string>>, unit: string) => ({ unit, list: values });
    const data = {
      outdoor: {
        temperature: list({ '1795780200': '9.1', '1795779900': '9.0', '1795780500': '-' }, '℃'),
        humidity: list({ '1795780200': '71', '1795780800': '72', later: '1' }, '%'),
      },
      rainfall: { daily: list({ '1795779900': '1.0', '1795780200': '1.2' }, 'mm') },
      temp_and_humidity_ch1: { temperature: list({ '1795780200': '11.4' }, '℃') },
      broken: { temperature: null, humidity: list([] as never, '%') },
    };
    const service = await start({ data });
    const span = { from: NOW - 900_000, to: NOW };
    const fields = ['temp_and_humidity_ch1.temperature', 'outdoor.feels_like'];
    const reports = (await ecowittCloud.ask?.(device(service.url, { fields }), span)) ?? [];
    expect(reports.map(({ time }) => time)).to.deep.equal([1_795_779_900_000, 1_795_780_200_000]);
    expect(valuesOf(reports[1] as SourceReport)).to.deep.equal({
      air_temperature: '9.1 °C',
      relative_humidity: '71 %',
    });
    expect(reports[1]?.counters).to.deep.equal([{ gauge: 'tipping', period: 'day', amount: 1.2 }]);
    expect(reports[1]?.fields).to.deep.equal([
      { name: 'temp_and_humidity_ch1.temperature', value: 11.4, unit: '°C' },
    ]);
    const { searchParams: query } = new URL(service.requests[0]?.path ?? '', 'http://cloud');
    expect(Object.fromEntries(query)).to.include({
      start_date: '2026-11-27 11:45:00',
      end_date: '2026-11-27 12:00:00',
      cycle_type: '5min',
      call_back: 'outdoor,wind,pressure,solar_and_uvi,rainfall,rainfall_piezo,temp_and_humidity_ch1',
    });
    for (const [days, cycle] of [
      [90, '30min'],
      [365, '4hour'],
    ] as const) {
      await ecowittCloud.ask?.(device(service.url), { from: NOW - days * DAY, to: NOW - (days - 1) * DAY });
      expect(
        new URL(service.requests.at(-1)?.path ?? '', 'http://cloud').searchParams.get('cycle_type'),
      ).to.equal(cycle);
    }
  });

  it('has no rows in a span without values', async () => {
    const { url } = await start({ data: [] });
    expect(await ecowittCloud.ask?.(device(url), { from: NOW - DAY, to: NOW })).to.deep.equal([]);
  });

  it('takes the code of a reply with status 200 as an error, and shows its message without control characters', async () => {
    const { url } = await start();
    const wrong = device(url, { secrets: { ...KEYS, 'api-key': 'x' } });
    expect(await failureOf(ecowittCloud.ask?.(wrong))).to.include({
      message: 'The Ecowitt cloud refused the request: Illegal Api_Key Parameter (code 40011).',
      needsOwner: true,
    });
    expect(await failureOf(ecowittCloud.ask?.(device(url, { account: 'AA' })))).to.include({
      message: 'The Ecowitt cloud refused the request: Illegal MAC [31m Parameter (code 40012).',
      needsOwner: true,
    });
    const busy = await start({ reply: { body: { code: -1, msg: 'system busy', data: [] } } });
    expect(await failureOf(ecowittCloud.ask?.(device(busy.url)))).to.include({
      message: 'The Ecowitt cloud refused the request: system busy (code -1).',
      needsOwner: false,
    });
  });

  describe('fails with one sentence', () => {
    const cases: readonly (readonly [string, Parameters<typeof ecowittCloudService>[0], RegExp])[] = [
      ['for a device without values', { data: [] }, /no values of this device/],
      ['for a reply of something else', { reply: { body: { error: 'x' } } }, /not that of the Ecowitt cloud/],
      ['for a page', { reply: { body: '<html>' } }, /is not JSON/],
      [
        'for too many requests',
        { reply: { status: 429, body: '', headers: { 'retry-after': '60' } } },
        /429/,
      ],
      [
        'for a reply that is cut off',
        { reply: { body: { code: 0, data: REAL_TIME }, dieAfter: 200 } },
        /in the middle/,
      ],
    ];
    for (const [title, options, message] of cases)
      it(title, async () => {
        const { url } = await start(options);
        expect((await failureOf(ecowittCloud.ask?.(device(url)))).message).to.match(message);
      });
  });
});
