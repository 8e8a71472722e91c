import { expect } from 'chai';
import { createWeatherlinkLive, weatherlinkLive } from '#adapters/source-kinds/weatherlink-live.js';
import type {
  SourceKind,
  SourceReport,
  SourceSearch,
  SourceSettings,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { askedDevice, NOW } from '../../support/devices/asked-device.js';
import { datagramsTo } from '../../support/devices/datagrams.js';
import { askWithMutations } from '../../support/devices/mutated-replies.js';
import {
  BAROMETER,
  broadcast,
  conditions,
  ISS,
  REPLY_TIME,
  SOIL,
  type WeatherlinkLiveDevice,
  weatherlinkLiveDevice,
} from '../../support/devices/weatherlink-live.js';
import {
  archived,
  NEWEST,
  SECRETS,
  sensor,
  STATION,
  weatherlinkService,
} from '../../support/devices/weatherlink-cloud.js';
import { fieldsOf, valuesOf } from '../../support/devices/report-values.js';
import { failureOf } from '../../support/devices/failure.js';

const MINUTE = 60_000;

describe('weatherlink-live', () => {
  let device: WeatherlinkLiveDevice;

  beforeEach(async () => {
    device = await weatherlinkLiveDevice();
  });

  afterEach(async () => {
    await device.close();
  });

  async function ask(
    kind: SourceKind = createWeatherlinkLive(),
    { since, ...settings }: SourceSettings & { readonly since?: number; readonly now?: number } = {},
  ): Promise<SourceReport> {
    const asked = askedDevice({ address: device.address, ...settings });
    const [report, ...others] = (await kind.ask?.({ ...asked, ...(since !== undefined && { since }) })) ?? [];
    expect(others).to.deep.equal([]);
    return report as SourceReport;
  }

  it('reads the current conditions: an ISS, soil, the barometer and the room of the device', async () => {
    expect(await ask()).to.deep.equal({
      time: REPLY_TIME,
      readings: [
        { field: 'tx1_temp', variable: 'air_temperature', value: 62.6, unit: '°F' },
        { field: 'tx1_hum', variable: 'relative_humidity', value: 81.5 },
        { field: 'tx1_dew_point', variable: 'dew_point_temperature', value: 56.8, unit: '°F' },
        { field: 'tx1_solar_rad', variable: 'surface_downwelling_shortwave_flux_in_air', value: 747 },
        { field: 'tx1_uv_index', variable: 'ultraviolet_index', value: 5.5 },
        { field: 'tx1_wind_speed_avg_last_2_min', variable: 'wind_speed', value: 5, unit: 'mph' },
        { field: 'tx1_wind_dir_scalar_avg_last_2_min', variable: 'wind_from_direction', value: 170 },
        { field: 'tx1_wind_speed_hi_last_10_min', variable: 'wind_speed_of_gust', value: 10, unit: 'mph' },
        { field: 'tx1_wind_dir_at_hi_speed_last_10_min', variable: 'wind_gust_from_direction', value: 260 },
        { field: 'tx1_rain_rate_last', variable: 'rainfall_rate', value: 0.6, unit: 'mm/h' },
        { field: 'bar_absolute', variable: 'surface_air_pressure', value: 29.908, unit: 'inHg' },
        { field: 'bar_sea_level', variable: 'air_pressure_at_mean_sea_level', value: 30.008, unit: 'inHg' },
      ],
      counters: [
        { gauge: 'tipping', period: 'day', amount: 12.6 },
        { gauge: 'tipping', period: 'month', amount: 12.8 },
        { gauge: 'tipping', period: 'year', amount: 131.2 },
      ],
      fields: [
        { name: 'tx3_temp_1', value: 68.5, unit: '°F' },
        { name: 'tx3_moist_soil_1', value: 25 },
        { name: 'tx3_wet_leaf_1', value: 4 },
        { name: 'temp_in', value: 78, unit: '°F' },
        { name: 'hum_in', value: 41.1 },
      ],
      sensors: [
        { sensor: 'iss 1', isBatteryLow: false },
        { sensor: 'soil 3', isBatteryLow: true },
      ],
    });
    expect(device.requests.map(({ path }) => path)).to.deep.equal(['/v1/current_conditions']);
  });

  it('reads the counts of every size of gauge as millimeters', async () => {
    for (const [size, daily] of [
      [1, 16.002],
      [2, 12.6],
      [3, 6.3],
      [4, 1.6002],
    ]) {
      device.answer({ body: conditions([{ ...ISS, rain_size: size }]) });
      expect((await ask()).counters?.[0]?.amount, String(size)).to.equal(daily);
    }
    for (const size of [0, 9, null, undefined]) {
      device.answer({ body: conditions([{ ...ISS, rain_size: size }]) });
      const report = await ask();
      expect([report.counters, valuesOf(report).rainfall_rate], String(size)).to.deep.equal([[], undefined]);
    }
  });

  it('uses the wind of a shorter time where the field is null', async () => {
    const [two, ten] = [{ wind_speed_avg_last_2_min: null }, { wind_speed_hi_last_10_min: null }];
    const cases = [
      [two, 4, 15, 10, 260],
      [{ ...two, wind_speed_avg_last_1_min: null }, 2, 240, 10, 260],
      [ten, 5, 170, 8, 0],
      [{ ...ten, wind_speed_hi_last_2_min: null }, 5, 170, undefined, undefined],
    ] as const;
    for (const [nulls, speed, direction, gust, gustDirection] of cases) {
      device.answer({ body: conditions([{ ...ISS, ...nulls }]) });
      const values = valuesOf(await ask());
      expect([
        values.wind_speed,
        values.wind_from_direction,
        values.wind_speed_of_gust,
        values.wind_gust_from_direction,
      ]).to.deep.equal([speed, direction, gust, gustDirection]);
    }
  });

  it('leaves out a transmitter that is not received', async () => {
    device.answer({ body: conditions([{ ...ISS, rx_state: 2 }, { ...SOIL, rx_state: 2 }, BAROMETER]) });
    const report = await ask();
    expect(Object.keys(valuesOf(report))).to.deep.equal([
      'surface_air_pressure',
      'air_pressure_at_mean_sea_level',
    ]);
    expect([report.counters, report.fields, report.sensors]).to.deep.equal([[], [], []]);
    device.answer({ body: conditions([{ ...ISS, rx_state: 1 }]) });
    expect(valuesOf(await ask()).air_temperature).to.equal(62.6);
  });

  it('takes each variable from the transmitter with the lowest number that has it', async () => {
    const bare = { data_structure_type: 1, rx_state: 0 };
    const anemometer = {
      ...bare,
      txid: 2,
      wind_speed_avg_last_2_min: 9,
      wind_dir_scalar_avg_last_2_min: 90,
      temp: null,
    };
    const thermometer = { ...bare, txid: 1, temp: 50, wind_speed_avg_last_2_min: null };
    const gauge = { ...bare, txid: 4, rain_size: 2, rainfall_year: 10, temp: 55 };
    device.answer({ body: conditions([anemometer, gauge, thermometer]) });
    const report = await ask();
    expect(valuesOf(report)).to.deep.equal({ air_temperature: 50, wind_speed: 9, wind_from_direction: 90 });
    expect(report.counters).to.deep.equal([{ gauge: 'tipping', period: 'year', amount: 2 }]);
    expect(fieldsOf(report)).to.deep.equal({ tx4_temp: 55 });
  });

  it('never replaces a transmitter that is not received by another one', async () => {
    const other = { ...ISS, txid: 5, temp: 99, rainfall_year: 1 };
    device.answer({ body: conditions([other, { ...ISS, rx_state: 2 }]) });
    const report = await ask();
    expect([report.readings, report.counters]).to.deep.equal([[], []]);
    expect(fieldsOf(report).tx5_temp).to.equal(99);
  });

  it('reads only the transmitter that the source names, and the barometer', async () => {
    const other = { ...ISS, txid: 5, temp: 99, rainfall_daily: 1 };
    device.answer({ body: conditions([ISS, other, BAROMETER]) });
    const report = await ask(undefined, { device: '5' });
    expect(valuesOf(report)).to.include({ air_temperature: 99, surface_air_pressure: 29.908 });
    expect(report.counters?.[0]).to.deep.equal({ gauge: 'tipping', period: 'day', amount: 0.2 });
    expect(fieldsOf(report).tx1_temp).to.equal(62.6);

    const failure = await failureOf(ask(undefined, { device: '2' }));
    expect(failure.message).to.equal('The device has no transmitter 2. Its transmitters: 1, 5.');
    expect(failure.needsOwner).to.equal(true);
    expect(weatherlinkLive.faultOf?.({ device: '9' })).to.contain('from 1 to 8');
    expect(weatherlinkLive.faultOf?.({ device: '8' })).to.equal(undefined);
  });

  it('lists the values of a newer firmware as fields', async () => {
    device.answer({
      body: conditions([
        { ...ISS, frost_point: 31.5, label: 'new' },
        { data_structure_type: 7, snow: 3 },
      ]),
    });
    expect(fieldsOf(await ask())).to.deep.equal({ tx1_frost_point: 31.5, snow: 3 });
  });

  it('reads every reply with a value of another type without a fault', async () => {
    const asked = askedDevice({ address: device.address });
    const { faults, count } = await askWithMutations(createWeatherlinkLive(), asked, conditions());
    expect(faults).to.deep.equal([]);
    expect(count).to.be.greaterThan(500);
  });

  it('fails with one sentence for an error, another device, and a reply that is cut off', async () => {
    const error = { data: null, error: { code: 404, message: 'Not\nFound' } };
    const other = 'The device is not a WeatherLink Live: check its address and its kind.';
    const withError = 'The WeatherLink Live answered with an error: Not Found (404).';
    const cases: [Parameters<typeof device.answer>[0], string][] = [
      [{ body: error }, withError],
      [{ body: error, status: 404 }, withError],
      [{ body: '<html>router</html>', status: 404 }, other],
      [{ body: { common_list: [] } }, other],
      [{ body: conditions([{ data_structure_type: 6, pm_2p5: 3 }]) }, other],
      [
        { body: '<html>router</html>' },
        'The reply of the source is not JSON: check its address and its kind.',
      ],
      [{ body: conditions(), dieAfter: 200 }, 'The source ended the connection in the middle of its reply.'],
      ['dead', 'The source closed the connection before it answered.'],
      [{ body: '', status: 503 }, 'The source answered with status 503.'],
    ];
    for (const [reply, message] of cases) {
      device.answer(reply);
      expect((await failureOf(ask())).message).to.equal(message);
    }
    await device.close();
    expect((await failureOf(ask())).message).to.equal('The source refused the connection.');
  });

  describe('with datagrams', () => {
    const since = NOW - 10 * MINUTE;

    it('stores the highest wind since the newest report as the gust, and no row for a datagram', async () => {
      const kind = createWeatherlinkLive();
      await ask(kind);
      const datagrams = await datagramsTo(kind);
      try {
        // This one was received before the newest report.
        expect(await datagrams.send(broadcast(40, 10), since - 1)).to.deep.equal([]);
        for (const [minute, speed, direction] of [
          [1, 12.5, 270],
          [2, 14.25, 280],
          [4, 11, 100],
          [9, null, 20],
        ] as const)
          await datagrams.send(broadcast(speed, direction), since + minute * MINUTE);
      } finally {
        await datagrams.close();
      }
      const gust = async (settings: object) => {
        const { wind_speed_of_gust: speed, wind_gust_from_direction: direction } = valuesOf(
          await ask(kind, settings),
        );
        return [speed, direction];
      };
      expect(await gust({ since })).to.deep.equal([14.25, 280]);
      // A test of the settings has no newest report. It neither uses nor removes the wind of the datagrams.
      expect(await gust({})).to.deep.equal([10, 260]);
      expect(await gust({ since: since + 3 * MINUTE })).to.deep.equal([11, 100]);
      expect(await gust({ since })).to.deep.equal([14.25, 280]);
      expect(await gust({ since: NOW })).to.deep.equal([10, 260]);
    });

    it('ignores datagrams of other devices and transmitters, and of other protocols', async () => {
      const kind = createWeatherlinkLive();
      await ask(kind);
      const datagrams = await datagramsTo(kind);
      try {
        for (const sent of [
          broadcast(90, 1, { did: '001D0A7FFFFF' }),
          broadcast(90, 1, { txid: 2 }),
          broadcast(90, 1, { txid: 'x' }),
          broadcast('90', 1),
          { did: null, conditions: 3 },
          Buffer.from([0xff, 0xff, 0x27]),
          Buffer.from('null'),
        ])
          expect(await datagrams.send(sent)).to.deep.equal([]);
      } finally {
        await datagrams.close();
      }
      expect(valuesOf(await ask(kind, { since })).wind_speed_of_gust).to.equal(10);
    });

    it('asks for the broadcasts once an hour, from the second request on', async () => {
      const kind = createWeatherlinkLive();
      const paths = async (now: number) => {
        const before = device.requests.length;
        await ask(kind, { now });
        return device.requests.slice(before).map(({ path }) => path);
      };
      const current = '/v1/current_conditions';
      const renewal = '/v1/real_time?duration=7200';
      expect(await paths(NOW)).to.deep.equal([current]);
      expect(await paths(NOW + MINUTE)).to.deep.equal([current, renewal]);
      expect(await paths(NOW + 2 * MINUTE)).to.deep.equal([current]);
      expect(await paths(NOW + 60 * MINUTE)).to.deep.equal([current]);
      expect(await paths(NOW + 61 * MINUTE)).to.deep.equal([current, renewal]);
    });

    it('reports nevertheless if the device refuses to broadcast', async () => {
      const kind = createWeatherlinkLive();
      await ask(kind);
      const asked = askedDevice({ address: device.address });
      const [report] =
        (await kind.ask?.({
          ...asked,
          fetch: async (request) =>
            request.url.includes('real_time')
              ? Promise.reject(new SourceFailure('The source refused the connection.'))
              : await asked.fetch(request),
        })) ?? [];
      expect(report?.time).to.equal(REPLY_TIME);
    });
  });

  it('asks the archive of its service for the past, of the only station of the key if none is named', async () => {
    const service = await weatherlinkService({ past: [sensor(11, archived(0, 0.2), archived(5, 0.4))] });
    const span = { from: NEWEST * 1000, to: (NEWEST + 600) * 1000 };
    const asked = { address: '127.0.0.1:1', url: service.url, secrets: SECRETS };
    for (const account of [undefined, STATION]) {
      const live = askedDevice({ ...asked, ...(account !== undefined && { account }) });
      const reports = (await createWeatherlinkLive().ask?.(live, span)) ?? [];
      expect(reports.map(({ time = 0 }) => time / 1000 - NEWEST)).to.deep.equal([0, 300]);
      expect(valuesOf(reports[1])).to.include({ precipitation_amount: 0.4 });
    }
    await service.close();
  });

  it('finds devices by multicast DNS', async () => {
    const search = {
      services: async function* (type: string) {
        expect(type).to.equal('_weatherlinklive._tcp.local');
        yield await Promise.resolve({ name: 'weatherlinklive-700002', address: '192.168.1.7', port: 80 });
        yield { name: 'other', address: '192.168.1.8', port: 8080 };
      },
    } as unknown as SourceSearch;
    const found = [];
    for await (const one of weatherlinkLive.find?.(search) ?? []) found.push(one);
    expect(found).to.deep.equal([
      { address: '192.168.1.7', description: 'weatherlinklive-700002' },
      { address: '192.168.1.8:8080', description: 'other' },
    ]);
  });
});
