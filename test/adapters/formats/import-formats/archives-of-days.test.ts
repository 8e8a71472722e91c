import { expect } from 'chai';
import { type ExpectedImport, expectImport, imported, importFixture } from '../../../support/imported.js';

const celsius = (fahrenheit: number) => Number(((fahrenheit - 32) / 1.8).toPrecision(12));
const knots = (speed: number) => Number(((speed * 1852) / 3600).toPrecision(12));

interface Case extends ExpectedImport {
  readonly file: string;
  readonly zone: string;
}

/** One reading of each file, checked by hand against its text. Values are in stored units. */
const CASES: readonly Case[] = [
  {
    file: 'dwd-daily/produkt_klima_tag_18900801_20251231_01358.txt',
    format: 'dwd-daily',
    zone: 'Europe/Berlin',
    count: 6,
    rows: [
      {
        line: 2,
        station: '1358',
        time: '1890-08-02T00:00:00Z',
        daily_precipitation_amount: 0,
        daily_mean_cloud_area_fraction: 25,
        daily_mean_air_temperature: 15.6,
        daily_mean_relative_humidity: 67,
        daily_maximum_air_temperature: 19.6,
        daily_minimum_air_temperature: 10,
      },
      {
        line: 5,
        station: '1358',
        time: '2025-12-26T00:00:00Z',
        daily_maximum_wind_speed_of_gust: 22.5,
        daily_mean_wind_speed: 14,
        // Snow of an amount that could not be measured.
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_duration_of_sunshine: 14_760,
        daily_surface_snow_thickness: 0.01,
        daily_mean_cloud_area_fraction: 96.25,
        daily_mean_surface_air_pressure: 885.1,
        daily_mean_air_temperature: -8.4,
        daily_mean_relative_humidity: 91,
        daily_maximum_air_temperature: -5,
        daily_minimum_air_temperature: -10.8,
      },
    ],
    leftOut: {
      QN_3: 'describes the quality',
      RSKF: 'describes the precipitation',
      TGK: 'measured 5 cm above the ground',
    },
  },
  {
    file: 'dwd-daily/produkt_nieder_tag_19450701_20251231_01441.txt',
    format: 'dwd-daily',
    zone: 'Europe/Berlin',
    count: 7,
    rows: [
      {
        line: 2,
        station: '1441',
        time: '1945-07-20T00:00:00Z',
        daily_precipitation_amount: 0,
        daily_surface_snow_thickness: 0,
      },
      {
        line: 3,
        station: '1441',
        time: '1945-07-21T00:00:00Z',
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_surface_snow_thickness: 0,
      },
      {
        line: 7,
        station: '1441',
        time: '2025-12-31T00:00:00Z',
        daily_precipitation_amount: 0,
        daily_surface_snow_thickness: 0.01,
        daily_thickness_of_snowfall_amount: 10,
      },
    ],
  },
  {
    file: 'eccc-daily/en_climate_daily_QC_7025251_2022_P1D.csv',
    format: 'eccc-daily',
    zone: 'America/Toronto',
    count: 6,
    rows: [
      {
        line: 4,
        station: '7025251',
        time: '2022-01-05T05:00:00Z',
        daily_maximum_air_temperature: -2.9,
        daily_minimum_air_temperature: -17.7,
        daily_thickness_of_snowfall_amount: 0,
        daily_snowfall_trace: 1,
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_surface_snow_thickness: 0.06,
        daily_maximum_wind_speed_of_gust: 8.88888888889,
      },
      {
        line: 6,
        station: '7025251',
        time: '2022-03-19T05:00:00Z',
        daily_maximum_air_temperature: 9.2,
        daily_minimum_air_temperature: 1.6,
        daily_thickness_of_snowfall_amount: 0,
        daily_precipitation_amount: 0,
        daily_surface_snow_thickness: 0,
        daily_surface_snow_trace: 1,
        daily_maximum_wind_speed_of_gust: 10,
      },
    ],
    leftOut: {
      'Mean Temp (°C)': 'computed from the extremes',
      'Heat Deg Days (°C)': 'computed from the temperature',
      'Total Rain (mm)': 'a part of the precipitation',
      'Total Snow Flag': 'describes a value',
      'Dir of Max Gust (10s deg)': 'the service has no direction of the highest gust',
    },
  },
  {
    file: 'eccc-daily/eng-daily-01012015-12312015.csv',
    format: 'eccc-daily',
    zone: 'America/Halifax',
    count: 6,
    rows: [
      {
        line: 27,
        station: 'x',
        time: '2015-01-02T04:00:00Z',
        daily_maximum_air_temperature: -2.2,
        daily_minimum_air_temperature: -14.9,
        daily_thickness_of_snowfall_amount: 16,
        daily_precipitation_amount: 1.6,
        daily_surface_snow_thickness: 0,
      },
    ],
  },
  {
    file: 'eccc-daily/fr_climat_quotidiennes_BC_1096453_2021_P1D.csv',
    format: 'eccc-daily',
    zone: 'America/Vancouver',
    count: 4,
    rows: [
      {
        line: 2,
        station: '1096453',
        time: '2021-01-02T08:00:00Z',
        daily_maximum_air_temperature: 5.6,
        daily_minimum_air_temperature: -4.7,
        daily_precipitation_amount: 1.6,
        daily_surface_snow_thickness: 0.1,
        daily_maximum_wind_speed_of_gust: 15.2777777778,
      },
    ],
    leftOut: { 'Temp moy.(°C)': 'computed from the extremes', 'Neige tot. Indicateur': 'describes a value' },
  },
  {
    file: 'eccc-daily/synthetic-accumulated.csv',
    format: 'eccc-daily',
    zone: 'America/Toronto',
    count: 7,
    rows: [
      // The file does not have the days before.
      {
        line: 2,
        station: '6158350',
        time: '1969-01-01T05:00:00Z',
        multiday_precipitation_amount: 9.1,
      },
      // The flags C and L have the text 0.0, which is no amount.
      {
        line: 3,
        station: '6158350',
        time: '1969-01-04T05:00:00Z',
        daily_maximum_air_temperature: 1.1,
        daily_minimum_air_temperature: -6.7,
        daily_surface_snow_thickness: 0.05,
      },
      {
        line: 5,
        station: '6158350',
        time: '1969-01-06T05:00:00Z',
        daily_maximum_air_temperature: -1.7,
        daily_minimum_air_temperature: -8.9,
        daily_surface_snow_thickness: 0.18,
        multiday_thickness_of_snowfall_amount: 127,
        multiday_snowfall_days: 3,
        multiday_precipitation_amount: 12.7,
        multiday_precipitation_days: 3,
      },
      {
        line: 6,
        station: '6158350',
        time: '1969-01-07T05:00:00Z',
        daily_maximum_air_temperature: -2.2,
        daily_minimum_air_temperature: -9.4,
        daily_thickness_of_snowfall_amount: 25,
        daily_precipitation_amount: 2.5,
        daily_surface_snow_thickness: 0.18,
      },
      // A date is missing before this row, so the number of days is unknown.
      {
        line: 8,
        station: '6158350',
        time: '1969-01-10T05:00:00Z',
        daily_maximum_air_temperature: -2.2,
        daily_minimum_air_temperature: -9.4,
        daily_surface_snow_thickness: 0.18,
        multiday_thickness_of_snowfall_amount: 30,
        multiday_precipitation_amount: 3,
      },
    ],
  },
  {
    file: 'ecad/synthetic-TX_STAID000162.txt',
    format: 'ecad',
    zone: 'Europe/Amsterdam',
    count: 4,
    rows: [
      { line: 19, station: '162', time: '1901-01-02T00:00:00Z', daily_maximum_air_temperature: -4.6 },
      { line: 23, station: '162', time: '2023-07-01T23:00:00Z', daily_maximum_air_temperature: 24.8 },
    ],
    leftOut: { SOUID: 'describes the source', Q_TX: 'describes the quality' },
    passedOver: { 'without a value': 1 },
  },
  {
    file: 'ecad/synthetic-RR_SOUID907564.txt',
    format: 'ecad',
    zone: 'Europe/Amsterdam',
    count: 3,
    rows: [
      { line: 11, station: 'x', time: '2023-07-01T23:00:00Z', daily_precipitation_amount: 4.8 },
      { line: 13, station: 'x', time: '2023-07-03T23:00:00Z', daily_precipitation_amount: 401 },
    ],
  },
  {
    file: 'knmi-daily/etmgeg_260.txt',
    format: 'knmi-daily',
    zone: 'Europe/Amsterdam',
    count: 13,
    rows: [
      {
        line: 58,
        station: '260',
        time: '1980-01-10T00:00:00Z',
        daily_mean_wind_from_direction: 74,
        daily_mean_wind_speed: 3.1,
        daily_maximum_wind_speed: 3.6,
        daily_maximum_wind_speed_of_gust: 7.2,
        daily_mean_air_temperature: 0.1,
        daily_minimum_air_temperature: -0.4,
        daily_maximum_air_temperature: 1,
        daily_duration_of_sunshine: 0,
        // 123 J/cm² in a day.
        daily_mean_surface_downwelling_shortwave_flux_in_air: 14.2361111111,
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_mean_air_pressure_at_mean_sea_level: 1022.8,
        daily_mean_cloud_area_fraction: 100,
        daily_mean_relative_humidity: 91,
      },
      {
        line: 60,
        station: '260',
        time: '1980-02-26T00:00:00Z',
        daily_mean_wind_speed: 1,
        daily_maximum_wind_speed: 2.1,
        daily_maximum_wind_speed_of_gust: 3.6,
        daily_mean_air_temperature: 4.7,
        daily_minimum_air_temperature: -0.8,
        daily_maximum_air_temperature: 8.9,
        // Less than 0.05 h.
        daily_duration_of_sunshine: 0,
        daily_mean_surface_downwelling_shortwave_flux_in_air: 53.2407407407,
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_mean_air_pressure_at_mean_sea_level: 1025.7,
        daily_mean_cloud_area_fraction: 87.5,
        daily_mean_relative_humidity: 88,
      },
    ],
    leftOut: {
      EV24: 'computed from other values',
      VVN: 'a class of the visibility',
      TNH: 'the hour of another value',
      T10N: 'measured 10 cm above the ground',
      DR: 'the service has no such variable',
    },
  },
  {
    file: 'knmi-daily/synthetic-reply.txt',
    format: 'knmi-daily',
    zone: 'Europe/Amsterdam',
    count: 3,
    rows: [
      {
        line: 14,
        station: '260',
        time: '2024-03-01T00:00:00Z',
        daily_mean_air_temperature: 9.8,
        daily_precipitation_amount: 0,
        daily_precipitation_trace: 1,
        daily_mean_cloud_area_fraction: 100,
      },
      {
        line: 15,
        station: '260',
        time: '2024-03-02T00:00:00Z',
        daily_mean_air_temperature: 8.1,
        daily_precipitation_amount: 7.4,
      },
    ],
  },
  {
    file: 'meteostat-daily/synthetic-10637.csv',
    format: 'meteostat-daily',
    zone: 'Europe/Berlin',
    count: 4,
    rows: [
      {
        line: 1,
        station: 'x',
        time: '2024-01-01T23:00:00Z',
        daily_mean_air_temperature: 5.4,
        daily_minimum_air_temperature: 2.1,
        daily_maximum_air_temperature: 8,
        daily_precipitation_amount: 3.4,
        daily_mean_wind_from_direction: 231,
        daily_mean_wind_speed: 4.80555555556,
        daily_maximum_wind_speed_of_gust: 14.5,
        daily_mean_air_pressure_at_mean_sea_level: 1009.8,
        daily_duration_of_sunshine: 3960,
      },
    ],
  },
  {
    file: 'meteostat-daily/synthetic-headings-10637.csv',
    format: 'meteostat-daily',
    zone: 'Europe/Berlin',
    count: 2,
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2026-01-05T23:00:00Z',
        daily_mean_air_temperature: -1.4,
        daily_minimum_air_temperature: -4.2,
        daily_maximum_air_temperature: 1.7,
        daily_mean_relative_humidity: 81,
        daily_precipitation_amount: 0.4,
        daily_surface_snow_thickness: 0.03,
        daily_mean_wind_speed: 3.19444444444,
        daily_maximum_wind_speed_of_gust: 10.6111111111,
        daily_mean_air_pressure_at_mean_sea_level: 1014.9,
        daily_duration_of_sunshine: 2520,
        daily_mean_cloud_area_fraction: 87.5,
      },
      // Values of models and forecasts are no observations.
      {
        line: 3,
        station: 'x',
        time: '2026-01-06T23:00:00Z',
        daily_maximum_air_temperature: 2.4,
        daily_mean_wind_speed: 2.5,
        daily_mean_air_pressure_at_mean_sea_level: 1018.1,
      },
    ],
    leftOut: { tmax_source: 'describes a value' },
  },
  {
    file: 'meteostat-daily/synthetic-reply.json',
    format: 'meteostat-daily',
    zone: 'Europe/Berlin',
    count: 2,
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2024-02-29T23:00:00Z',
        daily_mean_air_temperature: 6.2,
        daily_minimum_air_temperature: 3,
        daily_maximum_air_temperature: 9,
        daily_precipitation_amount: 4.6,
        daily_surface_snow_thickness: 0.01,
        daily_mean_wind_speed: 5,
        daily_maximum_wind_speed_of_gust: 15,
        daily_mean_air_pressure_at_mean_sea_level: 1008.8,
        daily_duration_of_sunshine: 0,
      },
    ],
  },
  {
    file: 'gsod/records.csv',
    format: 'gsod',
    zone: 'Arctic/Longyearbyen',
    count: 3,
    rows: [
      {
        line: 2,
        station: '03005099999',
        time: '1929-10-02T00:00:00Z',
        daily_mean_air_temperature: celsius(45.3),
        daily_mean_dew_point_temperature: celsius(40),
        daily_mean_air_pressure_at_mean_sea_level: 1001.6,
        daily_mean_visibility_in_air: 27_519.7824,
        daily_mean_wind_speed: knots(4.5),
        daily_maximum_wind_speed: knots(8.9),
        daily_maximum_air_temperature: celsius(51.1),
        daily_minimum_air_temperature: celsius(44.1),
      },
      {
        line: 4,
        station: '01003099999',
        time: '2020-01-03T00:00:00Z',
        daily_mean_air_temperature: celsius(8.9),
        daily_mean_dew_point_temperature: celsius(0),
        daily_mean_air_pressure_at_mean_sea_level: 988.5,
        daily_mean_surface_air_pressure: 987.1,
        daily_mean_visibility_in_air: 31_221.2736,
        daily_mean_wind_speed: knots(19.7),
        daily_maximum_wind_speed: knots(31.1),
        daily_maximum_air_temperature: celsius(12),
        daily_minimum_air_temperature: celsius(4.3),
        daily_precipitation_amount: 0,
        daily_surface_snow_thickness: 0.10922,
      },
    ],
    leftOut: { FRSHTT: 'codes of the weather', MAX_ATTRIBUTES: 'describes a value' },
  },
];

describe('archives of days', () => {
  for (const { file, zone, ...expected } of CASES) {
    it(`${file} has the values and days that its service means`, async () => {
      const read = await imported(file, { zone });
      expect(read.plan.questions).to.deep.equal([]);
      expect(read.plan.time.days).to.equal('all');
      expect(read.faults).to.deep.equal([]);
      expectImport(read, expected);
    });
  }

  it('have the flags of their sources and the checks that values failed', async () => {
    const of = async (file: string, line: number) =>
      (await imported(file)).flags.filter(([at]) => at === line).map(([, ...flag]) => flag);
    expect(await of('ecad/synthetic-TX_STAID000162.txt', 19)).to.deep.equal([
      ['daily_maximum_air_temperature', '0', null],
    ]);
    // Stored, although it is wrong.
    expect(await of('ecad/synthetic-TX_STAID000162.txt', 21)).to.deep.equal([
      ['daily_maximum_air_temperature', '1', 'failed a check of ECA&D: suspect (quality code 1)'],
    ]);
    const dwd = await of('dwd-daily/produkt_klima_tag_18900801_20251231_01358.txt', 5);
    const levels = new Map(dwd.map(([variable, text]) => [variable, text]));
    expect(levels.get('daily_mean_wind_speed')).to.equal('3');
    expect(levels.get('daily_precipitation_amount')).to.equal('9');
    expect(levels.get('daily_minimum_air_temperature')).to.equal('9');
    expect(await of('eccc-daily/synthetic-accumulated.csv', 5)).to.have.deep.members([
      ['daily_surface_snow_thickness', 'E,', null],
      ['multiday_thickness_of_snowfall_amount', 'A,', null],
      ['multiday_precipitation_amount', 'F,', null],
    ]);
    expect(await of('eccc-daily/eng-daily-01012015-12312015.csv', 29)).to.deep.include([
      'daily_precipitation_amount',
      'T,‡',
      null,
    ]);
    expect(await of('gsod/records.csv', 4)).to.deep.include.members([
      ['daily_mean_air_temperature', '24', null],
      ['daily_minimum_air_temperature', '*', null],
      ['daily_precipitation_amount', 'G', null],
    ]);
    expect(await of('meteostat-daily/synthetic-headings-10637.csv', 3)).to.deep.include([
      'daily_mean_wind_speed',
      'isd_lite metar',
      null,
    ]);
    expect(await of('met-eireann/dly575.csv', 26)).to.deep.include([
      'daily_maximum_air_temperature',
      '0',
      null,
    ]);
    expect(await of('midas/synthetic-daily-rain_1991.csv', 14)).to.deep.equal([
      ['multiday_precipitation_amount', '20009,NA', null],
    ]);
  });

  it('of LCD mark a suspect value of a day, and no suspect value of a report', async () => {
    const path = 'noaa-lcd/LCD_USW00014939_2020.csv';
    const text = importFixture(path).toString();
    const content = text
      .replace(',10,-3.8,60,8.1,', ',10s,-3.8,60,8.1,')
      .replace(/^([^\n]*\n[^\n]*,FM-15,[^\n]*?),-2\.2,/, '$1,-2.2s,');
    const { rows, flags } = await imported(path, { content, zone: 'America/Chicago' });
    expect(content).not.to.equal(text);
    expect(rows.find(({ line }) => line === 3)).to.include({ daily_maximum_air_temperature: 10 });
    expect(flags).to.deep.equal([
      [3, 'daily_maximum_air_temperature', '', 'failed a check of NOAA: suspect (s)'],
    ]);
  });

  it('say which day a value belongs to', async () => {
    for (const { file } of CASES) {
      const notes = (await imported(file)).plan.notes ?? [];
      expect(
        notes.some(
          (note) =>
            typeof note === 'string' &&
            /stored at the end of its date in (?:UTC|standard time)|stored at the end of the date/.test(note),
        ),
        file,
      ).to.equal(true);
    }
  });

  it('have no amount of a part of a day or of several days as the amount of a day', async () => {
    const path = 'gsod/records.csv';
    const text = importFixture(path).toString();
    for (const attribute of 'ABCDEFGHI') {
      const content = text.replaceAll('" 0.00","G"', `" 0.12","${attribute}"`);
      const row = (await imported(path, { content })).rows.find(({ line }) => line === 4);
      const isWhole = 'DFG'.includes(attribute);
      expect(row?.['daily_precipitation_amount'], attribute).to.equal(isWhole ? 3.048 : undefined);
    }
    const { rows } = await imported('eccc-daily/synthetic-accumulated.csv', { zone: 'America/Toronto' });
    const both = rows.filter(
      (row) => 'multiday_precipitation_amount' in row && 'daily_precipitation_amount' in row,
    );
    expect(both).to.deep.equal([]);
  });

  it('of Environment Canada have the same plan in English and French', async () => {
    const english = await imported('eccc-daily/synthetic-accumulated.csv');
    const french = await imported('eccc-daily/fr_climat_quotidiennes_BC_1096453_2021_P1D.csv');
    const of = ({ plan }: typeof english) => plan.columns.map(({ heading: _heading, ...column }) => column);
    expect(of(french)).to.deep.equal(of(english));
  });

  it('of Environment Canada report rows with another number of fields', async () => {
    const path = 'eccc-daily/synthetic-accumulated.csv';
    const content = importFixture(path).toString().replace(',"5","","","","",""\n', ',"5"\n');
    const { rows, faults } = await imported(path, { content, zone: 'America/Toronto' });
    expect(faults.map(({ line, lost }) => [line, lost])).to.deep.equal([[3, 'row']]);
    expect(rows).to.have.lengthOf(6);
  });

  it('of GSOD have the thousands of the pressure, which the file lacks', async () => {
    const path = 'gsod/records.csv';
    const text = importFixture(path).toString();
    for (const [written, pressure] of [
      ['007.8', 1007.8],
      [' 12.3', 1012.3],
      ['  0.4', 1000.4],
      ['610.2', 610.2],
      ['1003.5', 1003.5],
      ['999.9', undefined],
      ['9999.9', undefined],
    ] as const) {
      const { rows } = await imported(path, { content: text.replace('"987.1"', `"${written}"`) });
      expect(rows[2]?.['daily_mean_surface_air_pressure'], written).to.equal(pressure);
    }
  });

  it('of the Deutscher Wetterdienst are told from hourly products by their dates', async () => {
    expect((await imported('dwd/produkt_tu_stunde_20180915_20200317_00320.txt')).format).to.equal('dwd');
  });
});
