import { expect } from 'chai';
import { ecowittTcpKind } from '#adapters/source-kinds/ecowitt-tcp.js';
import type { SourceReport } from '#application/ports/source-kind.js';
import { askedDevice, NOW } from '../../support/devices/asked-device.js';
import { GOLDEN, packet, type TcpGateway, tcpGateway } from '../../support/devices/ecowitt-tcp.js';
import { failureOf } from '../../support/devices/failure.js';

const [LIVE, SENSORS, RAIN] = [0x27, 0x3c, 0x57];
const HOUR = 3_600_000;

describe('Ecowitt gateways over TCP', () => {
  const gateways: TcpGateway[] = [];
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  });

  const start = async (replies: Parameters<typeof tcpGateway>[0]) => {
    const gateway = await tcpGateway(replies);
    gateways.push(gateway);
    return gateway;
  };
  const ask = async (replies: Parameters<typeof tcpGateway>[0]) => {
    const { address } = await start(replies);
    const [report] = (await ecowittTcpKind().ask?.(askedDevice({ address }))) ?? [];
    return report as SourceReport;
  };
  const valuesOf = ({ readings }: SourceReport) =>
    Object.fromEntries(readings.map(({ variable, value, unit }) => [variable, `${value} ${unit}`]));
  const fieldsOf = ({ fields = [] }: SourceReport) =>
    Object.fromEntries(fields.map(({ name, value, unit = '' }) => [name, `${value} ${unit}`.trim()]));
  const rainOf = ({ counters = [] }: SourceReport) =>
    counters.map(({ gauge, period, amount }) => `${gauge} ${period} ${amount}`);

  it('are asked with the requests of the protocol, and read as the recorded reply says', async () => {
    const gateway = await start({ [LIVE]: GOLDEN });
    const [report] = (await ecowittTcpKind().ask?.(askedDevice({ address: gateway.address }))) ?? [];
    expect(gateway.requests[0]).to.equal('FFFF27032A');
    expect(valuesOf(report as SourceReport)).to.deep.equal({
      surface_air_pressure: '998.4 hPa',
      air_pressure_at_mean_sea_level: '1005.7 hPa',
      air_temperature: '2.2 °C',
      relative_humidity: '97 %',
      wind_from_direction: '98 degree',
      wind_speed: '0 m/s',
      wind_speed_of_gust: '0.6 m/s',
      ultraviolet_index: '0 1',
      rainfall_rate: '0 mm/h',
    });
    expect(rainOf(report as SourceReport)).to.deep.equal([
      'tipping day 0',
      'tipping week 24.7',
      'tipping month 34.8',
      'tipping year 546',
    ]);
    expect(fieldsOf(report as SourceReport)).to.deep.include({
      '0x01': '15 °C',
      '0x06': '60 %',
      '0x15': '9760',
      '0x16': '0',
      '0x2A': '160',
      '0x4D': '17.1',
      '0x1A': '-19.4 °C',
      '0x22': '57 %',
    });
  });

  it('are read when the reply comes in single bytes', async () => {
    const pieces = [...GOLDEN].map((byte) => Uint8Array.of(byte));
    expect(valuesOf(await ask({ [LIVE]: { pieces } }))).to.include({ air_temperature: '2.2 °C' });
  });

  it('have the counters of both gauges from the reply with rain, whose values are longer', async () => {
    const report = await ask({
      [LIVE]: packet(LIVE, '02 0016 0E 0000 10 0000 11 00F7'),
      [RAIN]: packet(
        RAIN,
        '7A 01 0E 0005 0D 0001 0F 0002 10 00000003 11 00010000 12 00010001 13 00010002 80 000A 81 0004 82 0000 ' +
          '83 00000006 84 00010003 85 00010004 86 00010005 88 000000 87 ' +
          '00'.repeat(20),
      ),
    });
    expect(rainOf(report)).to.deep.equal([
      'tipping day 0.3',
      'tipping week 6553.6',
      'tipping event 0.1',
      'tipping month 6553.7',
      'tipping year 6553.8',
      'piezo event 0.4',
      'piezo day 0.6',
      'piezo week 6553.9',
      'piezo month 6554',
      'piezo year 6554.1',
    ]);
    expect(valuesOf(report)).to.include({ rainfall_rate: '0.5 mm/h' });
    expect(fieldsOf(report)).to.include({ '0x80': '1 mm/h' });
  });

  it('have the rate of the piezo gauge if only this gauge measures', async () => {
    const report = await ask({
      [LIVE]: packet(LIVE, '02 0016'),
      [RAIN]: packet(RAIN, '80 000A 83 00000006'),
    });
    expect(valuesOf(report)).to.deep.equal({ air_temperature: '2.2 °C', rainfall_rate: '1 mm/h' });
  });

  it('end the reading at an unknown address, or at a value that is cut off', async () => {
    for (const data of ['02 0016 F0 0B 0064', '02 0016 0B 00']) {
      const report = await ask({ [LIVE]: packet(LIVE, data) });
      expect(valuesOf(report), data).to.deep.equal({ air_temperature: '2.2 °C' });
    }
  });

  it('have no value where all bits are set, and temperatures below zero', async () => {
    const report = await ask({
      [LIVE]: packet(LIVE, '02 FFFF 03 7FFF 07 FF 0A FFFF 13 FFFFFFFF 60 FF 62 FFFFFFFF 61 00000000 58 01'),
    });
    expect(valuesOf(report)).to.deep.equal({ air_temperature: '-0.1 °C' });
    expect(report.counters).to.deep.equal([]);
    expect(fieldsOf(report)).to.deep.equal({ '0x58': '1' });
  });

  it('have probes, lightning and an air sensor', async () => {
    const report = await ask({
      [LIVE]: packet(
        LIVE,
        '63 00E4 41 60 08 62 00000007 70 00F0 37 0010 0011 0020 0021 01B9 01BA 05 2B 0064 2C 2A',
      ),
    });
    expect(fieldsOf(report)).to.deep.equal({
      '0x63': '22.8 °C',
      '0x60': '8 km',
      '0x70_temperature': '24 °C',
      '0x70_humidity': '55 %',
      '0x70_pm10': '1.6',
      '0x70_pm25': '3.2',
      '0x70_co2': '441 ppm',
      '0x2B': '10 °C',
      '0x2C': '42 %',
    });
    expect(report.readings).to.deep.equal([
      { field: '0x62', variable: 'lightning_strike_count', unit: '1', value: 7, counter: true },
    ]);
    expect(report.sensors).to.deep.equal([{ sensor: 'wn34 1', batteryVoltage: 1.3 }]);
  });

  it('are not asked again for an hour what old firmware does not answer, or what changes slowly', async () => {
    const states =
      '00 000000AB 01 04 01 FFFFFFFE 50 00 06 000000A1 02 04 17 000000A2 03 04 30 000000A3 96 04 FF 000000A4 05 04 ' +
      '03 000000A5 10 04 0E 000000A6 0D 04 0F 000000A7 0D 00 18 000000A8 06 04 1F 000000A9 41 04 31 000000AA 80 01';
    const gateway = await start({ [LIVE]: GOLDEN, [SENSORS]: packet(SENSORS, states) });
    const kind = ecowittTcpKind();
    const sensorsAt = async (now: number) => {
      const [report] = (await kind.ask?.(askedDevice({ address: gateway.address, now }))) ?? [];
      return report?.sensors;
    };
    expect(await sensorsAt(NOW)).to.deep.equal([
      { sensor: 'wh65', isBatteryLow: true },
      { sensor: 'wh31 1', isBatteryLow: false },
      { sensor: 'wh41 2', batteryPercent: 60 },
      { sensor: 'ws90', batteryVoltage: 3 },
      { sensor: 'wh51 1', batteryVoltage: 1.3 },
      { sensor: 'ws85', batteryVoltage: 2.56 },
    ]);
    expect(await sensorsAt(NOW + HOUR - 1)).to.deep.equal([]);
    expect(await sensorsAt(NOW + HOUR)).to.have.lengthOf(6);
    const commands = gateway.requests.map((request) => request.slice(4, 6));
    expect(commands).to.deep.equal(['27', '57', '3C', '27', '27', '57', '3C']);
  });

  for (const [byte, sensors] of [
    ['10', []],
    ['96', [{ sensor: 'wh40', batteryVoltage: 1.5 }]],
  ] as const)
    it(`have ${sensors.length === 0 ? 'no' : 'the'} voltage of a WH40 that reports ${byte}`, async () => {
      const report = await ask({ [LIVE]: GOLDEN, [SENSORS]: packet(SENSORS, `03 000000A5 ${byte} 04`) });
      expect(report.sensors).to.deep.equal(sensors);
    });

  describe('fail with one sentence', () => {
    const damaged = Buffer.from(GOLDEN);
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    const cases: readonly (readonly [
      title: string,
      replies: Parameters<typeof tcpGateway>[0],
      message: RegExp,
    ])[] = [
      ['for a wrong checksum', { [LIVE]: damaged }, /checksum is wrong/],
      [
        'for a reply to another command',
        { [LIVE]: packet(RAIN, '80 0001') },
        /not that of an Ecowitt gateway/,
      ],
      [
        'for another protocol',
        { [LIVE]: Buffer.from('HTTP/1.1 400 Bad Request\r\n') },
        /not that of an Ecowitt/,
      ],
      [
        'for a size that is too small',
        { [LIVE]: Buffer.from('FFFF27000227', 'hex') },
        /not that of an Ecowitt/,
      ],
      [
        'if the gateway dies in its reply',
        { [LIVE]: { pieces: [GOLDEN.subarray(0, 50)], dies: true } },
        /in the middle of its reply/,
      ],
      ['if the gateway dies before its reply', {}, /in the middle of its reply/],
    ];
    for (const [title, replies, message] of cases)
      it(title, async () => {
        const { address } = await start(replies);
        expect((await failureOf(ecowittTcpKind().ask?.(askedDevice({ address })))).message).to.match(message);
      });
  });
});
