import { expect } from 'chai';
import { type ExpectedImport, expectImport, imported, importFixture } from '../../../support/imported.js';

const celsius = (fahrenheit: number) => Number(((fahrenheit - 32) / 1.8).toFixed(11));

interface Case extends ExpectedImport {
  readonly file: string;
  readonly zone: string;
  readonly answers?: ReadonlyMap<string, string>;
}

/** One reading of each file, checked by hand against its text. */
const CASES: readonly Case[] = [
  {
    file: 'ghcn-daily/sitka_weather_2021_full.csv',
    format: 'ghcn-daily',
    zone: 'America/Sitka',
    answers: new Map([['unit:temperature', '°F']]),
    count: 5,
    rows: [
      {
        line: 2,
        station: 'USW00025333',
        // The end of the day in standard time, nine hours behind UTC.
        time: '2021-01-02T09:00:00Z',
        daily_maximum_air_temperature: celsius(44),
        daily_minimum_air_temperature: celsius(40),
        daily_precipitation_amount: 0.254,
        daily_mean_wind_speed: 3.8981888,
        daily_maximum_wind_speed: 9.38784,
        daily_maximum_wind_speed_of_gust: 12.51712,
      },
      {
        line: 5,
        station: 'USW00025333',
        // In summer too.
        time: '2021-04-24T09:00:00Z',
        daily_minimum_air_temperature: celsius(37),
        daily_precipitation_amount: 0,
      },
    ],
    leftOut: { NAME: 'describes the station', WDF2: 'the service has no such variable' },
  },
  {
    file: 'ghcn-daily/synthetic-station.csv',
    format: 'ghcn-daily',
    zone: 'America/New_York',
    count: 2,
    rows: [
      {
        line: 2,
        station: 'USC00305800',
        time: '2020-01-02T05:00:00Z',
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_thickness_of_snowfall_amount: 0,
        daily_surface_snow_thickness: 0,
        daily_maximum_air_temperature: 7.2,
        daily_minimum_air_temperature: 1.7,
      },
      {
        line: 3,
        station: 'USC00305800',
        time: '2020-01-03T05:00:00Z',
        daily_precipitation_amount: 1.3,
        daily_thickness_of_snowfall_amount: 25,
        daily_surface_snow_thickness: 0.03,
        daily_maximum_air_temperature: 99.9,
        daily_minimum_air_temperature: -2.2,
        daily_maximum_wind_speed_of_gust: 13,
      },
    ],
  },
  {
    file: 'ghcn-daily/synthetic-year.csv',
    format: 'ghcn-daily',
    zone: 'America/New_York',
    count: 7,
    rows: [
      { line: 1, station: 'USW00094728', time: '2020-01-02T05:00:00Z', daily_maximum_air_temperature: 5 },
      {
        line: 3,
        station: 'USW00094728',
        time: '2020-01-02T05:00:00Z',
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
      },
      { line: 7, station: 'USW00094728', time: '2020-01-03T05:00:00Z', daily_precipitation_amount: 1.3 },
    ],
  },
  {
    file: 'uscrn-daily/CRND0103-2020-AK_Fairbanks_11_NE.txt',
    format: 'uscrn-daily',
    zone: 'America/Anchorage',
    count: 4,
    rows: [
      {
        line: 1,
        station: '26494',
        time: '2020-01-02T09:00:00Z',
        daily_maximum_air_temperature: -18.8,
        daily_minimum_air_temperature: -21.8,
        daily_mean_air_temperature: -19.8,
        daily_precipitation_amount: 2.5,
        daily_mean_surface_downwelling_shortwave_flux_in_air: 0,
        daily_mean_relative_humidity: 77.9,
      },
    ],
    leftOut: { T_DAILY_MEAN: 'computed from the extremes', LATITUDE: 'describes the station' },
  },
  {
    file: 'midas/daily-temperature_1991.csv',
    format: 'midas',
    zone: 'Europe/London',
    count: 5,
    rows: [
      {
        line: 92,
        station: 'x',
        time: '1991-01-01T09:00:00Z',
        daily_maximum_air_temperature: 9,
        daily_minimum_air_temperature: 1.2,
      },
    ],
  },
  {
    file: 'midas/synthetic-daily-rain_1991.csv',
    format: 'midas',
    zone: 'Europe/London',
    count: 4,
    rows: [
      { line: 12, station: 'x', time: '1991-01-01T09:00:00Z', daily_precipitation_amount: 4.2 },
      {
        line: 13,
        station: 'x',
        time: '1991-01-02T09:00:00Z',
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
      },
      {
        line: 14,
        station: 'x',
        time: '1991-01-05T09:00:00Z',
        multiday_precipitation_amount: 17.3,
        multiday_precipitation_days: 3,
      },
      { line: 15, station: 'x', time: '1991-01-07T10:00:00Z', daily_precipitation_amount: 0.6 },
    ],
    leftOut: { prcp_amt_q: 'describes the quality' },
  },
];

describe('values of days', () => {
  for (const { file, zone, answers, ...expected } of CASES) {
    it(`of ${file} are stored at the end of the day`, async () => {
      const read = await imported(file, { zone, ...(answers && { answers }) });
      expect(read.plan.questions).to.deep.equal([]);
      expect(read.faults).to.deep.equal([]);
      expectImport(read, expected);
    });
  }

  it('of .dly are those of the days of each month that exist', async () => {
    const { format, rows, flags, faults } = await imported('ghcn-daily/synthetic.dly', {
      zone: 'America/New_York',
    });
    expect([format, faults]).to.deep.equal(['ghcn-daily', []]);
    const days = rows.map(({ station, time, line: _line, ...values }) => [station, time, values]);
    const [first, second, last] = ['2020-02-02', '2020-02-03', '2020-03-01'].map((day) => `${day}T05:00:00Z`);
    expect(days).to.deep.equal(
      [
        [first, { daily_maximum_air_temperature: 8.3 }],
        [second, { daily_maximum_air_temperature: 99.9 }],
        [last, { daily_maximum_air_temperature: 4.4 }],
        [first, { daily_minimum_air_temperature: 2.2 }],
        [second, { daily_minimum_air_temperature: -1.7 }],
        [last, { daily_minimum_air_temperature: -1.1 }],
        [first, { daily_precipitation_amount: 0, daily_precipitation_trace: 1 }],
        [second, { daily_precipitation_amount: 1.3 }],
        [last, { daily_precipitation_amount: 0 }],
      ].map(([time, values]) => ['USW00094728', time, values]),
    );
    expect(flags).to.deep.include.members([
      [1, 'daily_maximum_air_temperature', ',,W', null],
      [1, 'daily_maximum_air_temperature', ',X,W', 'failed a check of NOAA: bounds (flag X)'],
      [3, 'daily_precipitation_amount', 'T,,W', null],
    ]);
    expect(flags).to.have.lengthOf(rows.length);
  });

  it('of GHCN-Daily have the units that a person names, if the file does not tell them', async () => {
    const path = 'ghcn-daily/sitka_weather_2021_full.csv';
    const open = await imported(path);
    expect(open.plan.questions?.map(({ key }) => key)).to.deep.equal(['unit:temperature']);
    const metric = await imported(path, { answers: new Map([['unit:temperature', '°C']]) });
    expect(metric.rows[0]).to.include({
      daily_precipitation_amount: 0.01,
      daily_maximum_air_temperature: 44,
    });
  });

  it('of NOAA LCD stand beside the hourly ones, at the end of their day', async () => {
    const path = 'noaa-lcd/LCD_USW00014939_2020.csv';
    const { rows, notes } = await imported(path, { zone: 'America/Chicago' });
    const days = rows.filter((row) => 'daily_maximum_air_temperature' in row);
    expect(days.map(({ line: _line, ...values }) => values)).to.deep.equal([
      {
        station: 'USW00014939',
        time: '2023-01-02T06:00:00Z',
        daily_maximum_air_temperature: 10,
        daily_minimum_air_temperature: -3.8,
        daily_precipitation_amount: 0,
        daily_thickness_of_snowfall_amount: 0,
        daily_surface_snow_thickness: 0,
        daily_maximum_wind_speed_of_gust: 8.1,
        daily_maximum_wind_speed: 6.3,
        daily_mean_wind_speed: 2.9,
        daily_mean_dew_point_temperature: -2.2,
        daily_mean_relative_humidity: 73,
        daily_mean_surface_air_pressure: 970.9,
        daily_mean_air_pressure_at_mean_sea_level: 1014.2,
      },
      {
        station: 'USW00014939',
        time: '2023-01-03T06:00:00Z',
        daily_maximum_air_temperature: 3.3,
        daily_minimum_air_temperature: -0.5,
        daily_precipitation_amount: 7.6,
        daily_thickness_of_snowfall_amount: 0,
        daily_snowfall_trace: 1,
        daily_surface_snow_thickness: 0,
        daily_maximum_wind_speed_of_gust: 12.5,
        daily_maximum_wind_speed: 9.4,
        daily_mean_wind_speed: 4.7,
        daily_mean_dew_point_temperature: -1.1,
        daily_mean_relative_humidity: 84,
        daily_mean_surface_air_pressure: 967.2,
        daily_mean_air_pressure_at_mean_sea_level: 1011.9,
      },
    ]);
    expect(rows.filter((row) => 'air_temperature' in row)).to.have.lengthOf(36);
    expect(notes.outOfOrder).to.equal(0);
    // Older files have the last minute of the day in these rows.
    const text = importFixture(path).toString();
    const older = text.replaceAll(/T00:00:00(?=.*SOD)/g, 'T23:59:00');
    expect(older).not.to.equal(text);
    expect((await imported(path, { content: older, zone: 'America/Chicago' })).rows).to.deep.equal(rows);
  });

  it('of Met Éireann have the days of the legend', async () => {
    const path = 'met-eireann/dly575.csv';
    const [midnight] = (await imported(path)).rows;
    expect(midnight).to.include({
      time: '2003-08-12T00:00:00Z',
      daily_maximum_air_temperature: 21.9,
      daily_minimum_air_temperature: 9.6,
      daily_precipitation_amount: 0,
    });
    const text = importFixture(path).toString().replace('00 to 00 utc', '09 to 09 utc');
    expect((await imported(path, { content: text })).rows[0]).to.include({ time: '2003-08-12T09:00:00Z' });
  });

  it('of MIDAS are told from hourly ones by the hours of the row', async () => {
    const path = 'midas/hourly-rain_1991.csv';
    const text = importFixture(path)
      .toString()
      .replace('1991-01-01 06:00:00,272734,RAIN,1,', '1991-01-01 09:00:00,272734,RAIN,24,');
    const rows = (await imported(path, { content: text })).rows.filter(({ line }) => line === 63);
    expect(rows).to.deep.equal([
      { line: 63, station: 'x', time: '1991-01-01T09:00:00Z', daily_precipitation_amount: 0 },
    ]);
  });
});

describe('traces of precipitation', () => {
  it('are an amount of 0 with a mark, in each format that has them', async () => {
    const marked = { precipitation_amount: 0, precipitation_trace: 1 };
    const lcd = await imported('noaa-lcd/LCDv1_3876540.csv', { zone: 'America/New_York' });
    const words = lcd.notes.annotations.get('HourlyPrecipitation');
    const traces = lcd.rows.filter((row) => row['precipitation_trace'] === 1);
    expect(traces).to.have.lengthOf((words?.get('T')?.count ?? 0) + (words?.get('Ts')?.count ?? 0));
    for (const row of traces) expect(row).to.include(marked);

    const isd = importFixture('isd-lite/725755-24101-2014').toString();
    const [first = ''] = isd.split('\n');
    const line = `${first.slice(0, 49)}    -1${first.slice(55)}`;
    expect((await imported('isd', { content: `${line}\n` })).rows[0]).to.include(marked);

    const synop = importFixture('meteofrance-synop/synop.202412.csv').toString().split('\n');
    const at = (synop[0] ?? '').split(';').indexOf('rr3');
    const cells = (synop[1] ?? '').split(';');
    for (const text of ['-0.100000', '-0.1']) {
      cells[at] = text;
      const content = [synop[0], cells.join(';')].join('\n');
      expect((await imported('synop.csv', { content })).rows[0]).to.include(marked);
    }

    const report = (group: string) =>
      `KJFK 010151Z 31015KT 10SM OVC050 02/M06 A3012 RMK AO2 SLP198 ${group}\n`;
    const issued = new Map([['issued', '2024-01-02']]);
    const rain = async (group: string) =>
      (await imported('x.txt', { content: report(group), answers: issued })).rows[0];
    expect(await rain('P0000')).to.include(marked);
    expect(await rain('P0003')).to.include({ precipitation_amount: 0.762 });
    expect(await rain('P0003')).not.to.have.property('precipitation_trace');
    expect(await rain('T00171056')).not.to.have.any.keys('precipitation_amount', 'precipitation_trace');
  });
});
