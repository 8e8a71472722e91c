import { expect } from 'chai';
import { ecowittKind } from '#adapters/source-kinds/ecowitt.js';
import type { SourceReport } from '#application/ports/source-kind.js';
import { failureOf } from '../../support/devices/failure.js';
import { askedDevice, NOW } from '../../support/devices/asked-device.js';
import { type EcowittGateway, ecowittGateway, LIVE } from '../../support/devices/ecowitt.js';
import { importFixture } from '../../support/imported.js';

type GatewayOptions = Parameters<typeof ecowittGateway>[0];
const HOUR = 3_600_000;

describe('Ecowitt gateways over HTTP', () => {
  const gateways: EcowittGateway[] = [];
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  });

  const start = async (options?: GatewayOptions) => {
    const gateway = await ecowittGateway(options);
    gateways.push(gateway);
    return gateway;
  };
  const ask = async (options?: GatewayOptions) => {
    const { address } = await start(options);
    const [report] = (await ecowittKind().ask?.(askedDevice({ address }))) ?? [];
    return report as SourceReport;
  };
  const valuesOf = ({ readings }: SourceReport) =>
    Object.fromEntries(
      readings.map(({ variable, value, unit = '' }) => [variable, `${value} ${unit}`.trim()]),
    );
  const fieldsOf = ({ fields = [] }: SourceReport) =>
    Object.fromEntries(fields.map(({ name, value, unit = '' }) => [name, `${value} ${unit}`.trim()]));

  it('are read with the units in the texts; indoor values, channels and unknown ids are fields', async () => {
    const report = await ask();
    expect(report.time).to.equal(undefined);
    expect(valuesOf(report)).to.deep.equal({
      air_temperature: '27.7 °C',
      dew_point_temperature: '22.4 °C',
      relative_humidity: '73 %',
      wind_speed: '0 km/h',
      wind_speed_of_gust: '1.8 km/h',
      wind_from_direction: '135',
      surface_downwelling_shortwave_flux_in_air: '341.52 W/m²',
      ultraviolet_index: '3',
      rainfall_rate: '0.1 in/h',
      surface_air_pressure: '1002.3 hPa',
      air_pressure_at_mean_sea_level: '1013 hPa',
      lightning_strike_count: '3 1',
    });
    expect(report.readings.find(({ variable }) => variable === 'lightning_strike_count')?.counter).to.equal(
      true,
    );
    expect(fieldsOf(report)).to.deep.include({
      '4': '32.6 °C',
      '5': '1 kPa',
      '0x19': '10.08 km/h',
      '0x6D': '162',
      piezoRain_srain_piezo: '0',
      piezoRain_0x0E: '0 mm/h',
      wh25_intemp: '24.1 °C',
      wh25_inhumi: '51 %',
      lightning_distance: '8 km',
      lightning_timestamp: '05/01/2026 14:58:04',
      co2_CO2: '441',
      ch_pm25_1_PM25: '6',
      ch_aisle_1_temp: '24.9 °C',
      ch_aisle_1_humidity: '61 %',
      ch_soil_1_humidity: '56 %',
    });
  });

  it('have the counters of two rain gauges, in mm', async () => {
    const { counters = [] } = await ask();
    const amounts = counters.map(({ gauge, period, amount }) => [gauge, period, Number(amount.toFixed(3))]);
    expect(amounts).to.deep.equal([
      ['tipping', 'event', 6.35],
      ['tipping', 'day', 6.35],
      ['tipping', 'week', 6.35],
      ['tipping', 'month', 38.1],
      ['tipping', 'year', 120.396],
      ['piezo', 'event', 0],
      ['piezo', 'day', 0],
      ['piezo', 'year', 12.5],
    ]);
  });

  it('have the rate of the piezo gauge if only this gauge has measured rain', async () => {
    const piezoRain = [
      { id: '0x0e', val: '2.0 mm/Hr' },
      { id: '0x10', val: '1.0 mm' },
    ];
    const rain = LIVE.rain.map((item) => ({ ...item, val: item.val.replace(/[\d.]+/, '0.00') }));
    expect(valuesOf(await ask({ live: { ...LIVE, rain, piezoRain } }))).to.include({
      rainfall_rate: '2 mm/h',
    });
    expect(valuesOf(await ask({ live: { piezoRain } }))).to.deep.equal({ rainfall_rate: '2 mm/h' });
  });

  it('are read in all units of the app; light in another unit is a field that names its unit', async () => {
    const common = (val: string, unit?: string) => (id: string) => ({ id, val, ...(unit && { unit }) });
    const variants = [
      [common('81.9', 'F')('0x02'), 'air_temperature', '81.9 °F'],
      [common('3.2 m/s')('0x0B'), 'wind_speed', '3.2 m/s'],
      [common('7.1 mph')('0x0B'), 'wind_speed', '7.1 mph'],
      [common('6.2 knots')('0x0B'), 'wind_speed', '6.2 kt'],
      [common('43.27 Klux')('0x15'), '0x15_klux', '43.27'],
      [common('4000 fc')('0x15'), '0x15_fc', '4000'],
      [common('3 bft')('0x0B'), '0x0B_bft', '3'],
    ] as const;
    for (const [item, name, text] of variants) {
      const report = await ask({ live: { common_list: [item] } });
      expect({ ...valuesOf(report), ...fieldsOf(report) }, text).to.deep.equal({ [name]: text });
    }
    const pressure = { wh25: [{ abs: '29.60 inHg', rel: '750.1 mmHg' }] };
    expect(valuesOf(await ask({ live: pressure }))).to.deep.equal({
      surface_air_pressure: '29.6 inHg',
      air_pressure_at_mean_sea_level: '750.1 mmHg',
    });
  });

  it('are read whatever firmware adds, leaves out or sends as null', async () => {
    const live = {
      common_list: [
        { id: '0x02', val: '--.-', unit: 'C' },
        { id: '0x07', val: null },
        { id: '0x7D', val: '12.5', unit: 'C' },
        { val: '3' },
        null,
        'text',
      ],
      rain: null,
      piezoRain: { id: '0x10', val: '1.2 mm' },
      wh25: 'broken',
      ch_new: [{ channel: 2, depth: 5, name: 'Pond', nested: { a: 1 } }],
      debug: [{ heap: '1', runtime: '4711', usr_interval: '60' }],
      __proto__: { id: '0x02', val: '1', unit: 'C' },
    };
    const report = await ask({ live });
    expect(report.readings).to.deep.equal([]);
    expect(report.runtime).to.equal(4711);
    expect(report.counters).to.deep.equal([{ gauge: 'piezo', period: 'day', amount: 1.2 }]);
    expect(fieldsOf(report)).to.deep.equal({ '0x7D': '12.5 °C', ch_new_2_depth: '5' });
  });

  it('tell the states of their sensors at times, not at each request', async () => {
    const gateway = await start();
    const kind = ecowittKind();
    const sensorsAt = async (now: number) => {
      const [report] = (await kind.ask?.(askedDevice({ address: gateway.address, now }))) ?? [];
      return report?.sensors;
    };
    expect(await sensorsAt(NOW)).to.deep.equal([
      { sensor: 'wh65', isBatteryLow: true, signal: -71 },
      { sensor: 'wh51 2', batteryPercent: 80 },
      { sensor: 'wh40', signal: -80 },
    ]);
    expect(await sensorsAt(NOW + HOUR - 1)).to.deep.equal([]);
    expect(gateway.requests).to.have.lengthOf(4);
    expect(await sensorsAt(NOW + HOUR)).to.have.lengthOf(3);
    expect(gateway.requests).to.have.lengthOf(7);
  });

  it('tell batteries among the values if they have no list of sensors', async () => {
    expect((await ask({ hasSensors: false })).sensors).to.deep.equal([
      { sensor: 'rain', batteryPercent: 100, batteryVoltage: 1.6 },
      { sensor: 'piezoRain', batteryPercent: 60, batteryVoltage: 2.62 },
      { sensor: 'lightning', batteryPercent: 100 },
      { sensor: 'ch_aisle 1', isBatteryLow: false },
    ]);
  });

  it('get the password of their page only if they want one', async () => {
    const gateway = await start({ password: 'secret' });
    const { address } = gateway;
    const kind = ecowittKind();
    expect(await failureOf(kind.ask?.(askedDevice({ address })))).to.include({
      message: 'The gateway wants the password of its page: put "password=…" into the file with secrets.',
      needsOwner: true,
    });
    const wrong = askedDevice({ address, secrets: { password: 'wrong' } });
    expect(await failureOf(kind.ask?.(wrong))).to.include({
      message: 'The gateway did not accept the password of its page.',
      needsOwner: true,
    });
    const device = askedDevice({ address, secrets: { password: 'secret' } });
    expect(await kind.ask?.(device)).to.have.lengthOf(1);
    const open = await start();
    await kind.ask?.(askedDevice({ address: open.address, secrets: { password: 'secret' } }));
    expect(open.requests.map(({ path }) => path)).not.to.include('/set_login_info');
  });

  describe('fail with one sentence', () => {
    const cases: readonly (readonly [title: string, options: GatewayOptions, message: RegExp])[] = [
      [
        'for another device',
        { live: { data: { did: '001D0A' }, error: null } },
        /not the live data of an Ecowitt/,
      ],
      ['for a list', { live: [] }, /not the live data of an Ecowitt/],
      ['for a page of text', { replyOf: () => ({ body: '<html>' }) }, /is not JSON/],
      ['for a console without the page', { replyOf: () => ({ status: 404, body: '' }) }, /kind ecowitt-tcp/],
      ['for an error', { replyOf: () => ({ status: 500, body: '' }) }, /status 500/],
      [
        'if the gateway dies in its reply',
        { replyOf: () => ({ body: LIVE, dieAfter: 300 }) },
        /in the middle/,
      ],
      ['if the gateway dies before its reply', { replyOf: () => 'dead' }, /closed the connection/],
    ];
    for (const [title, options, message] of cases)
      it(title, async () => {
        const { address } = await start(options);
        expect((await failureOf(ecowittKind().ask?.(askedDevice({ address })))).message).to.match(message);
      });
  });

  describe('with a memory card', () => {
    const HEADINGS =
      'Time,Indoor Temperature(℃),Outdoor Temperature(℃),Outdoor Humidity(%),Wind(mph),ABS Pressure(hPa),' +
      'Daily Rain(mm),Yearly Rain(mm),Piezo Daily Rain(in),CH1 Temperature(℃)';
    const card = (...rows: readonly string[]) => `${[HEADINGS, ...rows].join('\r\n')}\r\n`;
    const rowsOf = async (
      files: Readonly<Record<string, string | Uint8Array>>,
      [from, to]: readonly [string, string],
      timeZone = 'UTC',
    ) => {
      const gateway = await start({ card: files });
      const { address, filePort } = gateway;
      const span = { from: Date.parse(from), to: Date.parse(to) };
      const device = askedDevice({ address, filePort, timeZone });
      const reports = (await ecowittKind().ask?.(device, span)) ?? [];
      return { gateway, reports };
    };
    const timesOf = (reports: readonly SourceReport[]) =>
      reports.map(({ time = Number.NaN }) => new Date(time).toISOString().slice(0, 16));

    it('are asked for the files of the months of a span, and for its rows in local time', async () => {
      const { gateway, reports } = await rowsOf(
        {
          '202610A.csv': card('2026-10-31 23:55,20.0,5.0,80,2.0,1000.0,1.0,100.0,0.10,9'),
          '202611A.csv': card(
            '2026-11-01 00:00,20.0,5.1,81,2.2,1000.1,0.0,100.0,0.00,9',
            '2026-11-01 00:05,20.0,--.-,--,2.4,1000.2,0.4,100.4,0.02,9',
            '2026-11-01 00:10,20.0,5.3',
            '2026-11-01 01:00,20.0,5.4,80,2.4,1000.2,0.4,100.4,0.02,9',
          ),
          '202611Allsensors_A.csv': 'Time,CH1 Temperature(℃)\r\n2026-11-01 00:05,9\r\n',
          '202608A.csv': card('2026-08-01 00:00,20.0,5.1,81,2.2,1000.1,0.0,100.0,0.00,9'),
        },
        ['2026-10-31T22:55:00Z', '2026-11-01T00:00:00Z'],
        'Europe/Berlin',
      );
      expect(gateway.files).to.deep.equal(['/202610A.csv', '/202611A.csv']);
      expect(timesOf(reports)).to.deep.equal(['2026-10-31T22:55', '2026-10-31T23:00', '2026-10-31T23:05']);
      expect(reports[2]?.readings).to.deep.equal([
        { field: '0x0B', variable: 'wind_speed', unit: 'mph', value: 2.4 },
        { field: 'wh25_abs', variable: 'surface_air_pressure', unit: 'hPa', value: 1000.2 },
      ]);
      expect(reports[2]?.counters).to.deep.equal([
        { gauge: 'tipping', period: 'day', amount: 0.4 },
        { gauge: 'tipping', period: 'year', amount: 100.4 },
        { gauge: 'piezo', period: 'day', amount: 0.508 },
      ]);
    });

    it('have both hours when clocks are set back', async () => {
      const times = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'];
      const rows = times.map((time) => `2026-10-25 ${time},20.0,5.0,80,2.0,1000.0,0.0,100.0,0.00,9`);
      const span = ['2026-10-24T00:00:00Z', '2026-10-26T00:00:00Z'] as const;
      const { reports } = await rowsOf({ '202610A.csv': card(...rows) }, span, 'Europe/Berlin');
      const expected = ['23:30', '00:00', '00:30', '01:00', '01:30', '02:00'];
      expect(timesOf(reports).map((time) => time.slice(11))).to.deep.equal(expected);
    });

    it('are read by the seconds since 1970 if firmware writes them', async () => {
      const text =
        'Time,Timestamp,Outdoor Temperature(℉)\n2026-11-01 00:05,1793491500,41.0\n2026-11-01 00:10,1793491800,41.2\n';
      const span = ['2026-10-31T00:00:00Z', '2026-11-02T00:00:00Z'] as const;
      const { reports } = await rowsOf({ '202611A.csv': text }, span, 'Pacific/Auckland');
      expect(reports.map(({ time }) => time)).to.deep.equal([1_793_491_500_000, 1_793_491_800_000]);
      expect(reports[0]?.readings).to.deep.equal([
        { field: '0x02', variable: 'air_temperature', unit: '°F', value: 41 },
      ]);
    });

    it('are read like an import of the same file', async () => {
      const name = 'ecowitt-sdcard-de-kmh-202306A-rain.csv';
      const bytes = importFixture(`ecowitt/${name}`);
      const span = ['2023-06-01T00:00:00Z', '2023-07-01T00:00:00Z'] as const;
      const { reports } = await rowsOf({ '202306A.csv': bytes }, span);
      const years = reports.flatMap(({ counters = [] }) =>
        counters.flatMap(({ gauge, period, amount }) =>
          gauge === 'tipping' && period === 'year' ? [amount] : [],
        ),
      );
      expect([years[0], years.at(-1)]).to.deep.equal([310.5, 324.2]);
      const gusts = reports[39]?.readings.find(({ variable }) => variable === 'wind_speed_of_gust');
      expect([gusts?.field, gusts?.unit]).to.deep.equal(['0x0C', 'km/h']);
    });

    it('cannot be asked for the past without a card', async () => {
      const span = { from: NOW - HOUR, to: NOW };
      for (const options of [{}, { card: {} }]) {
        const { address, filePort } = await start(options);
        if ('card' in options) {
          expect(await ecowittKind().ask?.(askedDevice({ address, filePort }), span)).to.deep.equal([]);
          continue;
        }
        expect(await failureOf(ecowittKind().ask?.(askedDevice({ address, filePort }), span))).to.include({
          message: 'The gateway has no memory card with files.',
          needsOwner: true,
        });
      }
    });
  });
});
