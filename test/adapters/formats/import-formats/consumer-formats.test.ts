import { expect } from 'chai';
import { type FilePlan } from '#adapters/formats/files/file-plan.js';
import { imported, importFixture, type ImportedRow } from '../../../support/imported.js';

interface Case {
  readonly file: string;
  readonly format: string;
  readonly zone: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly rows: readonly ImportedRow[];
  /** Keys of the questions without the answers. */
  readonly questions?: readonly string[];
}

/** Whole files, in stored units, checked by hand against their texts. */
const CASES: readonly Case[] = [
  {
    file: 'ambient/synthetic-imperial.csv',
    format: 'ambient',
    zone: 'America/New_York',
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-05-01T04:10:00Z',
        air_temperature: 10.2222222222,
        wind_speed: 0.89408,
        wind_speed_of_gust: 1.519936,
        wind_from_direction: 181,
        rainfall_rate: 6.096,
        precipitation_amount: 0.254,
        air_pressure_at_mean_sea_level: 1013.20748119,
        surface_air_pressure: 995.936899124,
        relative_humidity: 93,
        ultraviolet_index: 0,
        surface_downwelling_shortwave_flux_in_air: 0,
        dew_point_temperature: 9.11111111111,
      },
    ],
  },
  {
    file: 'weatherlink-csv/synthetic-imperial.csv',
    format: 'weatherlink-csv',
    zone: 'America/New_York',
    rows: [
      {
        line: 7,
        station: 'x',
        time: '2024-07-13T04:05:00Z',
        air_temperature: 17.8888888889,
        relative_humidity: 81,
        wind_speed: 1.34112,
        wind_speed_of_gust: 4.02336,
        wind_from_direction: 22.5,
        precipitation_amount: 0.508,
        air_pressure_at_mean_sea_level: 1015.27317826,
      },
      // The outdoor sensors were away: 0 for rain and gust is no measurement.
      { line: 8, station: 'x', time: '2024-07-13T04:10:00Z', air_pressure_at_mean_sea_level: 1015.23931437 },
    ],
  },
  {
    file: 'weatherlink-csv/synthetic-decimal-comma.csv',
    format: 'weatherlink-csv',
    zone: 'Europe/Berlin',
    rows: [
      {
        line: 8,
        station: 'x',
        time: '2024-05-13T11:10:00Z',
        air_temperature: 12.5,
        precipitation_amount: 0,
        air_pressure_at_mean_sea_level: 1009.9,
      },
    ],
  },
  {
    file: 'weatherlink-text/synthetic-download.txt',
    format: 'weatherlink-text',
    zone: 'America/New_York',
    answers: { 'unit:rain': 'in', 'unit:wind': 'mph' },
    questions: ['unit:rain', 'unit:wind'],
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2024-07-13T04:05:00Z',
        air_temperature: 17.8888888889,
        relative_humidity: 50,
        dew_point_temperature: 7.38888888889,
        wind_speed: 1.34112,
        wind_from_direction: 22.5,
        wind_speed_of_gust: 4.02336,
        wind_gust_from_direction: 22.5,
        air_pressure_at_mean_sea_level: 1015.27317826,
        precipitation_amount: 0.508,
        rainfall_rate: 2.54,
      },
    ],
  },
  {
    file: 'weather-underground/synthetic-table.csv',
    format: 'weather-underground-table',
    zone: 'America/New_York',
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2024-07-14T04:09:00Z',
        air_temperature: 21.0555555556,
        dew_point_temperature: 15.6666666667,
        relative_humidity: 72,
        wind_from_direction: 360,
        wind_speed: 0,
        wind_speed_of_gust: 0,
        air_pressure_at_mean_sea_level: 1012.86884233,
        rainfall_rate: 1.016,
        precipitation_amount: 0.762,
        ultraviolet_index: 0,
        surface_downwelling_shortwave_flux_in_air: 0,
      },
    ],
  },
  {
    file: 'weather-underground/synthetic-history.json',
    format: 'weather-underground-json',
    zone: 'America/New_York',
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-07-14T04:09:00Z',
        relative_humidity: 72,
        air_temperature: 21,
        dew_point_temperature: 15.7,
        wind_speed: 0,
        wind_speed_of_gust: 0,
        air_pressure_at_mean_sea_level: 1012.5,
        rainfall_rate: 0,
        precipitation_amount: 0.75,
      },
    ],
  },
  {
    file: 'cumulus/Jan21log.txt',
    format: 'cumulus',
    zone: 'Europe/London',
    answers: { 'unit:rain': 'mm', 'unit:wind': 'm/s' },
    questions: ['unit:rain', 'unit:wind'],
    rows: [
      {
        line: 3,
        station: 'x',
        time: '2021-02-01T00:00:00Z',
        air_temperature: 3.9,
        relative_humidity: 83,
        dew_point_temperature: 1.3,
        wind_speed: 2,
        wind_speed_of_gust: 4.9,
        wind_from_direction: 268,
        rainfall_rate: 0.6,
        air_pressure_at_mean_sea_level: 1009.5,
        precipitation_amount: 0.2,
        ultraviolet_index: 0,
        surface_downwelling_shortwave_flux_in_air: 0,
      },
    ],
  },
  {
    file: 'cumulus/202405log.txt',
    format: 'cumulus',
    zone: 'Europe/Berlin',
    answers: { 'unit:rain': 'mm', 'unit:wind': 'm/s', 'unit:temperature': '°C', 'unit:pressure': 'hPa' },
    questions: ['unit:rain', 'unit:temperature', 'unit:wind', 'unit:pressure'],
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-04-30T22:10:00Z',
        air_temperature: 7.1,
        relative_humidity: 82,
        dew_point_temperature: 4.2,
        wind_speed: 2.4,
        wind_speed_of_gust: 5.9,
        wind_from_direction: 272,
        rainfall_rate: 0.6,
        air_pressure_at_mean_sea_level: 1009.7,
        precipitation_amount: 0.2,
      },
    ],
  },
  {
    file: 'cumulus/202406log.txt',
    format: 'cumulus',
    zone: 'Europe/Berlin',
    answers: { 'unit:rain': 'in', 'unit:wind': 'mph' },
    questions: ['unit:rain', 'unit:wind'],
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-04-30T23:10:00Z',
        air_temperature: 7.22222222222,
        relative_humidity: 61,
        dew_point_temperature: 0.22222222222,
        wind_speed: 1.072896,
        wind_speed_of_gust: 2.637536,
        wind_from_direction: 272,
        rainfall_rate: 1.524,
        air_pressure_at_mean_sea_level: 1009.14381482,
        precipitation_amount: 0.508,
        ultraviolet_index: 0,
        surface_downwelling_shortwave_flux_in_air: 0,
      },
    ],
  },
  {
    file: 'hobo/hoboware-ECO66G20_20140728.csv',
    format: 'hobo',
    zone: 'America/New_York',
    rows: [{ line: 3, station: 'x', time: '2014-07-28T16:00:00Z', air_temperature: 21.76 }],
  },
  {
    file: 'toa5/cr1000x-granada-meteo.dat',
    format: 'toa5',
    zone: 'Europe/Madrid',
    rows: [
      {
        line: 5,
        station: 'x',
        time: '2024-04-18T23:00:00Z',
        air_temperature: 16.85,
        relative_humidity: 63.06,
        surface_air_pressure: 939.9695,
        wind_speed: 0.683,
        wind_from_direction: 198.6,
        precipitation_amount: 0,
      },
    ],
  },
  {
    file: 'toa5/cr300-joyce-wst.dat',
    format: 'toa5',
    zone: 'Europe/Berlin',
    rows: [
      {
        line: 5,
        station: 'x',
        time: '2025-01-26T23:01:00Z',
        air_temperature: 9.77,
        relative_humidity: 72.09,
        surface_air_pressure: 982.1,
        wind_speed: 3.182,
        wind_speed_of_gust: 3.89,
        wind_from_direction: 133.7,
      },
    ],
  },
  {
    file: 'cumulus/synthetic-other-name.txt',
    format: 'cumulus',
    zone: 'Europe/Berlin',
    answers: { 'unit:rain': 'mm', 'unit:wind': 'm/s', 'unit:temperature': '°C', 'unit:pressure': 'hPa' },
    questions: ['unit:rain', 'unit:temperature', 'unit:wind', 'unit:pressure'],
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-04-30T22:10:00Z',
        air_temperature: 7.1,
        relative_humidity: 82,
        dew_point_temperature: 4.2,
        wind_speed: 2.4,
        wind_speed_of_gust: 5.9,
        wind_from_direction: 272,
        rainfall_rate: 0.6,
        air_pressure_at_mean_sea_level: 1009.7,
        precipitation_amount: 0.2,
        ultraviolet_index: 0,
        surface_downwelling_shortwave_flux_in_air: 0,
      },
    ],
  },
  ...['cumulus/dayfile.txt', 'cumulus/synthetic-dayfile-comma.txt'].map((file) => ({
    file,
    format: 'cumulus-days',
    zone: 'Europe/Berlin',
    answers: { 'unit:rain': 'mm', 'unit:wind': 'km/h', 'unit:temperature': '°C' },
    questions: ['unit:rain', 'unit:temperature', 'unit:wind'],
    rows: [
      {
        line: 1,
        station: 'x',
        time: '2024-05-01T22:00:00Z',
        daily_maximum_wind_speed_of_gust: 6.83333333333,
        daily_minimum_air_temperature: 5.1,
        daily_maximum_air_temperature: 16.3,
        daily_precipitation_amount: 4.2,
        daily_mean_air_temperature: 10.4,
        // The older file has fewer fields.
        ...(file === 'cumulus/dayfile.txt' && {
          daily_maximum_wind_speed: 3.94444444444,
          daily_duration_of_sunshine: 23_040,
          daily_mean_wind_from_direction: 255,
        }),
      },
    ],
  })),
  {
    file: 'netatmo/synthetic-outdoor.csv',
    format: 'netatmo',
    zone: 'UTC',
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2024-05-01T00:05:02Z',
        air_temperature: 7.2,
        relative_humidity: 81,
      },
    ],
  },
  {
    file: 'netatmo/synthetic-indoor.csv',
    format: 'netatmo',
    zone: 'UTC',
    rows: [{ line: 4, station: 'x', time: '2024-05-01T00:05:02Z', air_pressure_at_mean_sea_level: 1019.1 }],
  },
  {
    file: 'netatmo/synthetic-rain-hours.csv',
    format: 'netatmo',
    zone: 'UTC',
    rows: [
      { line: 4, station: 'x', time: '2024-05-01T01:00:00Z', precipitation_amount: 0.202 },
      { line: 6, station: 'x', time: '2024-05-01T04:00:00Z', precipitation_amount: 1.01 },
    ],
  },
  {
    file: 'netatmo/synthetic-rain-days.csv',
    format: 'netatmo',
    zone: 'Europe/Oslo',
    rows: [{ line: 5, station: 'x', time: '2024-05-02T22:00:00Z', daily_precipitation_amount: 3.5 }],
  },
  {
    file: 'netatmo/synthetic-wind.csv',
    format: 'netatmo',
    zone: 'UTC',
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2024-05-01T00:05:02Z',
        wind_from_direction: 225,
        wind_speed: 2.5,
        wind_gust_from_direction: 230,
        wind_speed_of_gust: 5,
      },
    ],
  },
  {
    file: 'meteohub/synthetic-raw.txt',
    format: 'meteohub',
    zone: 'Europe/Berlin',
    rows: [
      {
        line: 1,
        station: 'x',
        time: '2024-05-01T00:00:00Z',
        air_temperature: 7.2,
        relative_humidity: 81,
        dew_point_temperature: 41,
      },
      {
        line: 3,
        station: 'x',
        time: '2024-05-01T00:00:01Z',
        wind_from_direction: 270,
        wind_speed_of_gust: 5.1,
        wind_speed: 2.2,
        rainfall_rate: 0,
      },
      {
        line: 5,
        station: 'x',
        time: '2024-05-01T00:00:02Z',
        surface_air_pressure: 1002.1,
        air_pressure_at_mean_sea_level: 1009.8,
      },
      {
        line: 9,
        station: 'x',
        time: '2024-05-01T00:10:00Z',
        air_temperature: 7.1,
        relative_humidity: 82,
        dew_point_temperature: 4,
        rainfall_rate: 0.6,
        precipitation_amount: 0.2,
        ultraviolet_index: 1.2,
        surface_downwelling_shortwave_flux_in_air: 455,
      },
    ],
  },
  {
    file: 'weather-underground/synthetic-airport-days.csv',
    format: 'weather-underground-days',
    zone: 'Europe/London',
    rows: [
      {
        line: 3,
        station: 'x',
        time: '2014-01-02T00:00:00Z',
        daily_maximum_air_temperature: 11,
        daily_minimum_air_temperature: 5,
        daily_maximum_wind_speed_of_gust: 18.3333333333,
        daily_precipitation_amount: 9.91,
        daily_mean_relative_humidity: 86,
        daily_mean_visibility_in_air: 11_000,
        daily_maximum_wind_speed: 11.1111111111,
        daily_mean_wind_speed: 7.22222222222,
        daily_mean_cloud_area_fraction: 50,
        daily_mean_wind_from_direction: 199,
      },
      {
        line: 4,
        station: 'x',
        time: '2014-01-03T00:00:00Z',
        daily_maximum_air_temperature: 11,
        daily_minimum_air_temperature: 6,
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_mean_relative_humidity: 81,
        daily_mean_visibility_in_air: 14_000,
        daily_maximum_wind_speed: 8.88888888889,
        daily_mean_wind_speed: 5.83333333333,
        daily_mean_cloud_area_fraction: 25,
        daily_mean_wind_from_direction: 214,
      },
    ],
  },
  {
    file: 'weather-underground/synthetic-station-days.csv',
    format: 'weather-underground-days',
    zone: 'America/New_York',
    rows: [
      {
        line: 3,
        station: 'x',
        time: '2012-07-02T04:00:00Z',
        daily_maximum_air_temperature: 30,
        daily_mean_air_temperature: 21.6666666667,
        daily_minimum_air_temperature: 15,
        daily_maximum_wind_speed_of_gust: 8.9408,
        daily_precipitation_amount: 2.54,
        daily_maximum_wind_speed: 6.25856,
        daily_mean_wind_speed: 1.34112,
        daily_mean_dew_point_temperature: 14.4444444444,
        daily_mean_relative_humidity: 70,
      },
    ],
  },
  {
    file: 'weather-underground/synthetic-daily.json',
    format: 'weather-underground-json',
    zone: 'America/New_York',
    rows: [
      {
        line: 1,
        station: 'x',
        time: '2024-07-14T04:00:00Z',
        daily_maximum_air_temperature: 31.2,
        daily_minimum_air_temperature: 18,
        daily_mean_air_temperature: 24.1,
        daily_mean_dew_point_temperature: 15.7,
        daily_mean_relative_humidity: 71,
        daily_mean_wind_from_direction: 220,
        daily_mean_wind_speed: 1,
        daily_maximum_wind_speed_of_gust: 10,
        daily_precipitation_amount: 2.5,
      },
      {
        line: 2,
        station: 'x',
        time: '2024-07-15T04:00:00Z',
        daily_maximum_air_temperature: 29,
        daily_minimum_air_temperature: 17.4,
        daily_mean_air_temperature: 23,
        daily_mean_dew_point_temperature: 15,
        daily_mean_relative_humidity: 66,
        daily_mean_wind_from_direction: 190,
        daily_mean_wind_speed: 0.861111111111,
        daily_precipitation_amount: 0,
      },
    ],
  },
  {
    file: 'weatherlink-text/synthetic-short-headings.txt',
    format: 'weatherlink-text',
    zone: 'America/New_York',
    answers: { 'unit:rain': 'mm', 'unit:wind': 'm/s' },
    questions: ['unit:rain', 'unit:wind'],
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2024-07-13T04:05:00Z',
        air_temperature: 17.9,
        relative_humidity: 50,
        dew_point_temperature: 7.4,
        wind_speed: 1.3,
        wind_from_direction: 22.5,
        wind_speed_of_gust: 4,
        wind_gust_from_direction: 45,
        air_pressure_at_mean_sea_level: 1015.3,
        precipitation_amount: 0.2,
        rainfall_rate: 0,
        ultraviolet_index: 0,
      },
    ],
  },
];

const keysOf = ({ questions = [] }: FilePlan) => questions.map(({ key }) => key);

describe('files of makers and of their programs', () => {
  for (const { file, format, zone, answers = {}, rows, questions = [] } of CASES) {
    it(`${file} has the values and times that it means`, async () => {
      const asked = await imported(file, { zone });
      expect(asked.format).to.equal(format);
      expect(keysOf(asked.plan)).to.have.members(questions);
      const read = await imported(file, { zone, answers: new Map(Object.entries(answers)) });
      expect(keysOf(read.plan)).to.deep.equal([]);
      expect(read.faults).to.deep.equal([]);
      for (const row of rows) expect(read.rows.find(({ line }) => line === row['line'])).to.deep.equal(row);
    });
  }

  it('of WeeWX have the units of each row', async () => {
    const { format, plan, rows } = await imported('weewx/simulator.sdb', { zone: 'UTC' });
    expect(format).to.equal('weewx');
    expect(rows.map(({ time }) => time)).to.deep.equal([
      '2026-10-22T00:05:00Z',
      '2026-10-22T00:10:00Z',
      '2026-10-22T00:15:00Z',
      '2026-10-22T00:20:00Z',
      '2026-10-22T00:25:00Z',
      '2026-10-22T00:30:00Z',
    ]);
    // US units: 32.57177330636256 °F, 31.09998036656945 inHg, 0.01 in.
    expect(rows[0]).to.include({
      air_temperature: 0.31765183687,
      air_pressure_at_mean_sea_level: 1053.16620228,
      precipitation_amount: 0.254,
    });
    // METRIC and METRICWX: 18 km/h are 5 m/s, 0.02 cm are 0.2 mm, 0.12 cm/h are 1.2 mm/h.
    for (const row of rows.slice(4)) {
      expect(row).to.include({
        air_temperature: 10.5,
        air_pressure_at_mean_sea_level: 1013.2,
        wind_speed: 5,
        precipitation_amount: 0.2,
        rainfall_rate: 1.2,
      });
    }
    const left = plan.columns.find(({ heading }) => heading === 'inTemp');
    expect(left).to.include({ kind: 'left out', reason: 'indoor' });
  });

  it('of WeatherLink have the direction of gusts', async () => {
    const headings = '"Date & Time","High Wind Speed - m/s","High Wind Direction","Wind Direction"';
    const content = `"x"\n"7/13/24 12:00 AM : 1 Day"\n"a"\n""\n""\n${headings}\n"7/13/24 1:10 PM","7","WSW","---"\n`;
    const { rows, faults } = await imported('x.csv', { content });
    expect(faults.map(({ column }) => column)).to.deep.equal(['Wind Direction']);
    expect(rows[0]).to.include({ wind_speed_of_gust: 7, wind_gust_from_direction: 247.5 });
  });

  it('of WeatherLink have headings in any of the first lines', async () => {
    const text = importFixture('weatherlink-csv/synthetic-imperial.csv').toString('latin1');
    const { rows } = await imported('weatherlink-csv/synthetic-imperial.csv');
    const lines = text.split('\n');
    for (const preamble of [lines.slice(0, 4), [...lines.slice(0, 5), '""']]) {
      const content = Buffer.from([...preamble, ...lines.slice(5)].join('\n'), 'latin1');
      const read = await imported('x.csv', { content });
      expect(read.rows.map(({ line: _line, ...values }) => values)).to.deep.equal(
        rows.map(({ line: _line, ...values }) => values),
      );
    }
  });

  it('of WeatherLink with ambiguous dates are asked about', async () => {
    const content = (day: string) =>
      `"x"\n"${day} 12:00 AM : 1 Day"\n"a"\n""\n""\n"Date & Time","Temp - °C"\n"${day} 1:10 PM","7.2"\n`;
    const asked = await imported('x.csv', { content: content('7/1/24') });
    expect(keysOf(asked.plan)).to.deep.equal(['date-order']);
    for (const [answer, time] of [
      ['MDY', '2024-07-01T11:10:00Z'],
      ['DMY', '2024-01-07T12:10:00Z'],
    ] as const) {
      const { rows } = await imported('x.csv', {
        content: content('7/1/24'),
        answers: new Map([['date-order', answer]]),
      });
      expect(rows).to.deep.equal([{ line: 7, station: 'x', time, air_temperature: 7.2 }]);
    }
  });

  it('of HOBOware with dates that may begin with year or month are asked about', async () => {
    const content =
      '"Plot Title: x"\n"#","Date Time, GMT+01:00","Rain, mm (LGR S/N: 1)"\n1,07/08/12 10:00:00,0.2\n2,07/08/12 10:10:00,0.6\n';
    const asked = await imported('x.csv', { content });
    expect(keysOf(asked.plan)).to.have.members(['date-order', 'kind:Rain, mm (LGR S/N: 1)']);
    const answers = new Map([
      ['date-order', 'YMD'],
      ['kind:Rain, mm (LGR S/N: 1)', 'counter'],
    ]);
    const { rows } = await imported('x.csv', { content, answers });
    expect(rows.at(-1)).to.deep.equal({
      line: 4,
      station: 'x',
      time: '2007-08-12T09:10:00Z',
      precipitation_amount: 0.4,
    });
  });

  it('of days have no direction of a calm or variable wind, and no sunshine of a station that does not measure it', async () => {
    const file = 'cumulus/dayfile.txt';
    const answers = new Map([
      ['unit:rain', 'mm'],
      ['unit:wind', 'km/h'],
      ['unit:temperature', '°C'],
    ]);
    const rows = importFixture(file).toString().trimEnd().split('\n');
    const content = rows.map((row) => row.split(',').with(24, '0.0').with(39, '0').join(',')).join('\n');
    const days = await imported(file, { content, answers });
    expect(days.rows).to.have.lengthOf(rows.length);
    for (const row of days.rows) {
      expect(row).to.have.property('daily_maximum_wind_speed');
      expect(row).not.to.have.any.keys('daily_duration_of_sunshine', 'daily_mean_wind_from_direction');
    }
    const airport = 'weather-underground/synthetic-airport-days.csv';
    const variable = importFixture(airport).toString().replace(',199<br />', ',-1<br />');
    const [first] = (await imported(airport, { content: variable })).rows;
    expect(first).to.have.property('daily_mean_wind_speed');
    expect(first).not.to.have.property('daily_mean_wind_from_direction');
  });

  it('of Weather Underground are recognized in any layout of their JSON', async () => {
    const file = 'weather-underground/synthetic-history.json';
    const document = JSON.parse(importFixture(file).toString()) as unknown;
    const { rows } = await imported(file);
    for (const content of [JSON.stringify(document), `\ufeff${JSON.stringify(document, null, 2)}`]) {
      expect((await imported('x.json', { content })).rows).to.deep.equal(rows);
    }
  });

  it('of TOA5 leave columns with names of their own to the user', async () => {
    const { plan } = await imported('toa5/cr300-joyce-wst.dat');
    const left = plan.columns.filter(({ kind }) => kind === 'left out').map(({ heading }) => heading);
    expect(left).to.include.members(['BV_Temp_Avg', 'PTemp_C_Avg', 'RECORD']);
  });
});
