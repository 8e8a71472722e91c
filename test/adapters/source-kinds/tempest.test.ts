import { expect } from 'chai';
import { createTempest, tempest } from '#adapters/source-kinds/tempest.js';
import type { SourceKind, SourceSearch, SourceSettings } from '#application/ports/source-kind.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { type Datagrams, datagramsTo } from '../../support/devices/datagrams.js';
import { faultsOf, jsonOf, mutatedReplies } from '../../support/devices/mutated-replies.js';
import { fieldsOf, valuesOf } from '../../support/devices/report-values.js';
import { failureOf } from '../../support/devices/failure.js';
import {
  HUB,
  observation,
  OBSERVED,
  SERIAL,
  type TempestService,
  tempestService,
  TOKEN,
} from '../../support/devices/tempest.js';

const GOLDEN =
  '{"serial_number":"ST-00000512","type":"obs_st","hub_sn":"HB-00013030","obs":[[1588948614,0.18,0.22,0.27,144,6,1017.57,22.37,50.26,328,0.03,3,0.000000,0,0,0,2.410,1]],"firmware_revision":129}';

describe('tempest', () => {
  const open: Datagrams[] = [];

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function hub(kind: SourceKind = createTempest(), settings: SourceSettings = {}): Promise<Datagrams> {
    const datagrams = await datagramsTo(kind, settings);
    open.push(datagrams);
    return datagrams;
  }

  it('reads the observation of a Tempest', async () => {
    const datagrams = await hub();
    expect(await datagrams.send(Buffer.from(GOLDEN))).to.deep.equal([
      {
        time: OBSERVED * 1000,
        readings: [
          { field: 'wind_avg', variable: 'wind_speed', value: 0.22 },
          { field: 'wind_gust', variable: 'wind_speed_of_gust', value: 0.27 },
          { field: 'wind_direction', variable: 'wind_from_direction', value: 144 },
          { field: 'station_pressure', variable: 'surface_air_pressure', value: 1017.57, unit: 'mbar' },
          { field: 'air_temperature', variable: 'air_temperature', value: 22.37 },
          { field: 'relative_humidity', variable: 'relative_humidity', value: 50.26 },
          { field: 'uv', variable: 'ultraviolet_index', value: 0.03 },
          { field: 'solar_radiation', variable: 'surface_downwelling_shortwave_flux_in_air', value: 3 },
          { field: 'lightning_strike_count', variable: 'lightning_strike_count', value: 0 },
          { field: 'rain', variable: 'precipitation_amount', value: 0 },
        ],
        fields: [
          { name: 'wind_lull', value: 0.18, unit: 'm/s' },
          { name: 'illuminance', value: 328, unit: 'lx' },
          { name: 'lightning_strike_avg_distance', value: 0, unit: 'km' },
        ],
        sensors: [{ sensor: SERIAL, batteryVoltage: 2.41 }],
      },
    ]);
  });

  it('reads the observations of an Air and a Sky', async () => {
    const datagrams = await hub();
    const air = {
      serial_number: 'AR-00004049',
      type: 'obs_air',
      obs: [[1_493_164_835, 835, 10, 45, 2, 17, 3.46, 1]],
    };
    const [ofAir] = await datagrams.send(air);
    expect(valuesOf(ofAir)).to.deep.equal({
      surface_air_pressure: 835,
      air_temperature: 10,
      relative_humidity: 45,
      lightning_strike_count: 2,
    });
    expect(ofAir?.sensors).to.deep.equal([{ sensor: 'AR-00004049', batteryVoltage: 3.46 }]);
    const sky = {
      serial_number: 'SK-00008453',
      type: 'obs_sky',
      obs: [[1_493_321_340, 9000, 10, 0.3, 2.6, 4.6, 7.4, 187, 3.12, 1, 130, null, 1, 3]],
    };
    const [ofSky] = await datagrams.send(sky);
    expect(valuesOf(ofSky)).to.deep.equal({
      ultraviolet_index: 10,
      wind_speed: 4.6,
      wind_speed_of_gust: 7.4,
      wind_from_direction: 187,
      surface_downwelling_shortwave_flux_in_air: 130,
      precipitation_amount: 0.3,
    });
    expect(fieldsOf(ofSky)).to.deep.equal({ illuminance: 9000, wind_lull: 2.6 });
    expect(ofSky?.sensors).to.deep.equal([{ sensor: 'SK-00008453', batteryVoltage: 3.12 }]);
  });

  it('does not store hail as rain', async () => {
    const datagrams = await hub();
    for (const [type, rain, hail] of [
      [0, 0.4, undefined],
      [1, 0.4, undefined],
      [2, undefined, 0.4],
      [3, 0.4, undefined],
    ]) {
      const [report] = await datagrams.send(observation({ 12: 0.4, 13: type }));
      expect([valuesOf(report).precipitation_amount, fieldsOf(report).hail], String(type)).to.deep.equal([
        rain,
        hail,
      ]);
    }
  });

  it('makes no row of the wind of each 3 s, of events and of states', async () => {
    const datagrams = await hub();
    for (const sent of [
      { serial_number: SERIAL, type: 'rapid_wind', hub_sn: HUB, ob: [1_493_322_445, 2.3, 128] },
      { serial_number: SERIAL, type: 'evt_precip', hub_sn: HUB, evt: [1_493_322_445] },
      { serial_number: SERIAL, type: 'evt_strike', hub_sn: HUB, evt: [1_493_322_445, 27, 3848] },
      { serial_number: SERIAL, type: 'device_status', timestamp: 1_510_855_923, voltage: 3.5, rssi: -17 },
      { serial_number: HUB, type: 'hub_status', timestamp: 1_495_724_691, rssi: -62 },
      { serial_number: SERIAL, type: 'constructor', obs: [[1]] },
      'no message',
      Buffer.from([0xff, 0, 1]),
    ])
      expect(await datagrams.send(sent)).to.deep.equal([]);
  });

  it('reports the signals of the device and of the hub with the next observation', async () => {
    const datagrams = await hub();
    await datagrams.send({ serial_number: SERIAL, type: 'device_status', rssi: -17, sensor_status: 0 });
    await datagrams.send({ serial_number: HUB, type: 'hub_status', rssi: -62 });
    await datagrams.send({ serial_number: 'ST-00000999', type: 'device_status', rssi: -80 });
    const [report] = await datagrams.send(observation());
    expect(report?.sensors).to.deep.equal([
      { sensor: SERIAL, batteryVoltage: 2.41, signal: -17 },
      { sensor: HUB, signal: -62 },
    ]);
  });

  it('does not store the values of a sensor that has failed', async () => {
    const failed: [number, string[]][] = [
      [1, ['lightning_strike_count']],
      [8, ['surface_air_pressure']],
      [16, ['air_temperature']],
      [32, ['relative_humidity']],
      [64, ['wind_speed', 'wind_speed_of_gust', 'wind_from_direction']],
      [128, ['precipitation_amount']],
      [256, ['ultraviolet_index', 'surface_downwelling_shortwave_flux_in_air']],
      // Noise and disturbances of the lightning sensor are no failures.
      [6, []],
    ];
    const datagrams = await hub();
    const [all] = await datagrams.send(observation());
    for (const [bits, variables] of failed) {
      await datagrams.send({ serial_number: SERIAL, type: 'device_status', sensor_status: bits });
      const [report] = await datagrams.send(observation());
      const left = Object.keys(valuesOf(all)).filter((variable) => !variables.includes(variable));
      expect(Object.keys(valuesOf(report)), String(bits)).to.deep.equal(left);
      expect(Object.keys(fieldsOf(report)).length, String(bits)).to.equal(3 + variables.length);
    }
  });

  it('gives each observation its own time if datagrams are lost, repeated or in another order', async () => {
    const datagrams = await hub();
    const times: unknown[] = [];
    for (const minute of [0, 3, 1, 1, 4])
      for (const { time } of await datagrams.send(observation({ 0: OBSERVED + minute * 60 })))
        times.push(((time ?? 0) / 1000 - OBSERVED) / 60);
    expect(times).to.deep.equal([0, 3, 1, 1, 4]);
    const several = {
      serial_number: SERIAL,
      type: 'obs_st',
      obs: [
        [OBSERVED + 60, null, 2],
        [OBSERVED, null, 1],
      ],
    };
    const reports = await datagrams.send(several);
    expect(
      reports.map(({ time, readings }) => [(time ?? 0) / 1000 - OBSERVED, readings[0]?.value]),
    ).to.deep.equal([
      [0, 1],
      [60, 2],
    ]);
  });

  it('reads only the device that the source names', async () => {
    const datagrams = await hub(createTempest(), { device: 'ST-00000999' });
    expect(await datagrams.send(observation())).to.deep.equal([]);
    const other = { ...(observation() as object), serial_number: 'ST-00000999' };
    expect(await datagrams.send(other)).to.have.length(1);
  });

  it('reads every message with a value of another type without a fault', () => {
    const { datagrams } = createTempest();
    let count = 0;
    for (const sent of mutatedReplies(observation())) {
      const text = jsonOf(sent);
      expect(faultsOf(datagrams?.decode(Buffer.from(text), {}, 0) ?? []), text).to.deep.equal([]);
      count += 1;
    }
    expect(count).to.be.greaterThan(150);
  });

  it('finds devices by their broadcasts', async () => {
    const bytes = (sent: unknown) => ({ address: '192.168.1.9', bytes: Buffer.from(JSON.stringify(sent)) });
    const search = {
      listen: async function* (port: number) {
        expect(port).to.equal(50_222);
        yield await Promise.resolve(bytes({ serial_number: HUB, type: 'hub_status' }));
        yield bytes(observation());
        yield bytes({ serial_number: 'AR-1', type: 'obs_air', obs: [] });
        yield { address: '', bytes: Buffer.from([1]) };
      },
    } as unknown as SourceSearch;
    const found = [];
    for await (const one of tempest.find?.(search) ?? []) found.push(one);
    expect(found).to.deep.equal([
      { device: SERIAL, description: 'Tempest of the hub HB-00013030, firmware 129' },
      { device: 'AR-1', description: 'Air of the hub without a number' },
    ]);
  });

  describe('with a token', () => {
    let service: TempestService;
    const span = { from: (OBSERVED + 60) * 1000, to: (OBSERVED + 180) * 1000 };

    beforeEach(async () => {
      service = await tempestService([0, 60, 120, 180, 240].map((second) => OBSERVED + second));
    });

    afterEach(async () => {
      await service.close();
    });

    const ask = async (settings: SourceSettings, token = TOKEN) =>
      (await tempest.ask?.(askedDevice({ url: service.url, secrets: { token }, ...settings }), span)) ?? [];

    it('asks the service for what was lost', async () => {
      const reports = await ask({ account: '1110' });
      expect(
        reports.map((report) => [
          (report.time ?? 0) / 1000 - OBSERVED,
          valuesOf(report).precipitation_amount,
        ]),
      ).to.deep.equal([
        [60, 0.2],
        [120, 0.2],
        [180, 0.2],
      ]);
    });

    it('finds the number of the device by its serial number', async () => {
      expect(await ask({ device: SERIAL })).to.have.length(3);
      expect((await failureOf(ask({}))).message).to.equal(
        'It is not clear which device to ask for. The devices of the token: ST-00000512 (1110), ST-00000999 (1111).',
      );
      expect((await failureOf(ask({ device: 'ST-1' }))).message).to.equal(
        'The token has no device ST-1. The devices of the token: ST-00000512 (1110), ST-00000999 (1111).',
      );
    });

    it('asks for nothing without a span, because the hub sends by itself', async () => {
      expect(await tempest.ask?.(askedDevice({ url: service.url, secrets: { token: TOKEN } }))).to.deep.equal(
        [],
      );
      expect(service.requests).to.deep.equal([]);
    });
  });
});
